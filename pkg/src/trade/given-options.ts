// Options as they were given: the parts of them that only JavaScript can see or hold. The core knows every option's name and checks
// them all.

import * as core from "build:trade";
import { isPage, read } from "../runtime.js";
import { SANDBOX } from "../symbols.js";
import type { ClientMarket, ClientOptions, Hooks, Journal, Logger } from "./options.js";

/** The sending options that a client keeps in JavaScript. The core gets only their JS types. */
export interface SendHeld {
  readonly hooks: Hooks | undefined;
  readonly logger: Logger | undefined;
}

/** The options that a client keeps in JavaScript. The core gets only their JS types, and the key if it is text. */
export interface ClientHeld extends SendHeld {
  readonly apiKey: unknown;
  readonly fetch: ClientOptions["fetch"];
  readonly journal: Journal | undefined;
  readonly market: ClientMarket | undefined;
}

/** Options as the core gets them: the options themselves, and what flattening would lose. */
export type GivenOptions = { readonly options: unknown; readonly seen: object };

/** The names of all options, grouped by what takes them. */
interface OptionNames {
  readonly client: readonly string[];
  readonly sending: readonly string[];
  readonly call: readonly string[];
  readonly plan: readonly string[];
  readonly planned: readonly string[];
}

let known: OptionNames | undefined;

/** The names from the core. It is asked when they are first needed, because it may not be loaded before. */
const names = (): OptionNames => (known ??= core.optionNames() as OptionNames);

/** The type of a value; `null` counts as absent. */
const kindOf = (value: unknown): string => (value === null ? "undefined" : typeof value);

/** The types of these properties. */
const kindsOf = (value: unknown, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, kindOf(read(value, name))]));

/** An option as it was given; `null` counts as absent. */
const held = <T>(options: unknown, name: string): T | undefined => (read(options, name) as T | null) ?? undefined;

/** Whether an option is inherited or not enumerable. Ignoring it could drop a limit; using it could use somebody else's value. */
function isHidden(options: object, name: string): boolean {
  try {
    return (
      name in options &&
      !Object.prototype.propertyIsEnumerable.call(options, name) &&
      (options as Record<string, unknown>)[name] !== undefined
    );
  } catch {
    return true;
  }
}

function isOwn(options: object, name: string): boolean {
  try {
    return Object.prototype.hasOwnProperty.call(options, name);
  } catch {
    return false; // its options cannot be read at all
  }
}

/** The names for which `is` holds in these options. */
const namesThat = (
  is: (options: object, name: string) => boolean,
  options: unknown,
  names: readonly string[],
): string[] => (typeof options === "object" && options !== null ? names.filter((name) => is(options, name)) : []);

/** The parts of an absolute URL; `undefined` for anything else. */
function partsOf(url: unknown): object | undefined {
  if (typeof url !== "string") return undefined;
  try {
    const { protocol, username, password, hostname, origin, pathname, search, hash } = new URL(url);
    return { protocol, username, password, hostname, origin, pathname, search, hash };
  } catch {
    return undefined;
  }
}

/** The options of a client, and those it keeps. Each is read once, so what is checked is what is used. */
export function clientOptions(options: unknown): { holds: ClientHeld; given: GivenOptions } {
  const { client } = names();
  const sending = sendOptions(options, client);
  const holds: ClientHeld = {
    ...sending.holds,
    apiKey: held(options, "apiKey"),
    fetch: held(options, "fetch"),
    journal: held(options, "journal"),
    market: held(options, "market"),
  };
  const seen = {
    ...sending.given.seen,
    own: namesThat(isOwn, options, client),
    apiKey: kindOf(holds.apiKey),
    fetch: kindOf(holds.fetch),
    isSandbox: typeof read(holds.fetch, SANDBOX) === "function",
    journal: kindOf(holds.journal),
    ...kindsOf(holds.journal, ["begin", "settle"]),
    market: kindOf(holds.market),
    ...kindsOf(holds.market, ["quoteBody", "before", "settleTrade", "confirm", "drift"]),
    url: partsOf(read(options, "baseURL")),
    isPage: isPage(),
  };
  return { holds, given: { options, seen } };
}

/** The options of `withOptions`, and those that a client keeps. */
export function sendOptions(options: unknown, all = names().sending): { holds: SendHeld; given: GivenOptions } {
  const holds: SendHeld = { hooks: held(options, "hooks"), logger: held(options, "logger") };
  const seen = { hidden: namesThat(isHidden, options, all), hooks: kindOf(holds.hooks), logger: kindOf(holds.logger) };
  return { holds, given: { options, seen } };
}

/** The options of a call, or of one that sends a plan, and its signal; undefined without any. */
export function callOptions(
  options: unknown,
  kind: "call" | "planned" = "call",
): { signal: AbortSignal | undefined; given: GivenOptions } | undefined {
  if (options === undefined) return undefined;
  const signal = held<AbortSignal>(options, "signal");
  const seen = {
    hidden: namesThat(isHidden, options, names()[kind]),
    signal: kindOf(signal),
    aborted: kindOf(read(signal, "aborted")),
  };
  return { signal, given: { options, seen } };
}

/** The options of a plan, and the function that gives its price; undefined without any. */
export function planOptions(options: unknown): { price: unknown; given: GivenOptions } | undefined {
  if (options === undefined) return undefined;
  const price = held(options, "price");
  return {
    price,
    given: { options, seen: { hidden: namesThat(isHidden, options, names().plan), price: kindOf(price) } },
  };
}
