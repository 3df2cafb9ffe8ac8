// What a trader has chosen on this page: slippage, priority and presets for every trade, and what the chart's axis has. localStorage
// keeps it, where anything may be written. So each part is checked when it is read, and what needs a warning is asked for each time
// instead of being kept.

import {
  type TypedAmount,
  type TypedPercentage,
  readTypedAmount,
  readTypedPercentage,
  readTypedSlippage,
  typedText,
} from "launchpad-desk";
import type { Priority } from "./order/entry.js";
import { SLIPPAGES } from "./worlds/market-slippage.js";
import { SOL_DECIMALS } from "./figures.js";
import { Kept } from "./kept.js";
import { messages } from "./messages.js";
import { PRIORITY, SLIPPAGE } from "./order/risk.js";
import type { World } from "./worlds/world.js";

/** What the buttons beside a field enter. */
export interface Presets {
  /** SOL to spend. */
  readonly buy: readonly string[];
  /** Parts of what is held, each with its percent sign. */
  readonly sell: readonly string[];
  /** Percent. */
  readonly slippage: readonly string[];
}
export type PresetOf = keyof Presets;

const USUAL: Presets = { buy: ["0.1", "0.5", "1"], sell: ["25 %", "50 %", "75 %", "100 %"], slippage: SLIPPAGES };
/** How many buttons each has room for. */
const MOST: Record<PresetOf, number> = { buy: 3, sell: 4, slippage: 3 };
export const PRESETS = Object.keys(MOST) as PresetOf[];

const MOST_OF_FIELD = 40;

/** What the chart's axis has. Both move alike: a market cap is the price times the supply. */
export type Axis = "price" | "marketCap";

type Chosen = Partial<Presets> & {
  readonly axis?: Axis;
  readonly keysEverywhere?: true;
  readonly ofSlippage?: string;
  readonly ofPriority?: Priority;
  readonly prioritySol?: string;
};

export class Choices {
  readonly #kept: Kept<Chosen>;
  /** Why the presets that were typed last cannot be used. */
  readonly #problems: Partial<Record<PresetOf, string>> = {};

  /** @param kind what is traded in: what is chosen for a simulation is not chosen for real money */
  constructor(kind: World["kind"]) {
    this.#kept = new Kept(`launchpad-desk choices ${kind} ${location.pathname}`, read);
  }

  /** In percent; undefined while the market's own fits. */
  get slippage(): string | undefined {
    return this.#kept.now.ofSlippage;
  }

  get priority(): Priority {
    return this.#kept.now.ofPriority ?? "normal";
  }

  get prioritySol(): string {
    return this.#kept.now.prioritySol ?? "";
  }

  get axis(): Axis {
    return this.#kept.now.axis ?? "price";
  }

  /** Whether the panel's keys work without the focus in it. */
  get keysEverywhere(): boolean {
    return this.#kept.now.keysEverywhere ?? false;
  }

  presets(of: PresetOf): readonly string[] {
    return this.#kept.now[of] ?? USUAL[of];
  }

  hasOwn(of: PresetOf): boolean {
    return this.#kept.now[of] !== undefined;
  }

  problem(of: PresetOf): string {
    return this.#problems[of] ?? "";
  }

  /** The presets as they are typed. */
  text(of: PresetOf): string {
    return this.presets(of)
      .map((preset) => preset.replace(/ ?%$/, ""))
      .join("  ");
  }

  /** Sets presets, as they were typed; an empty text sets the usual ones again. */
  type(of: PresetOf, text: string): void {
    const { presets, problem } = readPresets(of, text);
    this.#problems[of] = problem;
    if (!problem) this.#write({ [of]: presets });
  }

  keepAxis(axis: Axis): void {
    this.#write({ axis });
  }

  keepKeysEverywhere(isOn: boolean): void {
    this.#write({ keysEverywhere: isOn ? true : undefined });
  }

  keepSlippage(typed: string, fits: string): void {
    this.#write({ ofSlippage: typed === fits ? undefined : keepableSlippage(typed) });
  }

  keepPriority(priority: Priority, typedSol: string): void {
    const prioritySol = keepablePriority(typedSol);
    this.#write({ ofPriority: priority === "custom" && prioritySol === undefined ? undefined : priority, prioritySol });
  }

  #write(changes: { readonly [K in keyof Chosen]?: Chosen[K] | undefined }): void {
    this.#kept.change(
      (now) =>
        Object.fromEntries(Object.entries({ ...now, ...changes }).filter(([, value]) => value !== undefined)) as Chosen,
    );
  }
}

function readPresets(of: PresetOf, text: string): { readonly presets?: readonly string[]; readonly problem?: string } {
  const parts = text
    .replaceAll("%", " ")
    .split(/[\s;]+/)
    .filter(Boolean);
  if (!parts.length) return {};
  if (parts.length > MOST[of]) return { problem: messages.ticket.tooManyPresets(MOST[of]) };
  const reads = parts.map((part) => readerOf(of)(part));
  const wrong = reads.find(({ state }) => state !== "read");
  if (wrong && wrong.state !== "read") return { problem: `${messages.ticket.preset} ${wrong.message}` };
  return {
    presets: reads
      .map((one) => (one.state === "read" ? typedText(one.text) : ""))
      .map((one) => (of === "sell" ? `${one} %` : one)),
  };
}

function readerOf(of: PresetOf): (text: string) => TypedAmount | TypedPercentage {
  if (of === "buy") return (text) => readTypedAmount(text, SOL_DECIMALS);
  return of === "sell" ? readTypedPercentage : readTypedSlippage;
}

/** A slippage that needs no warning. */
function keepableSlippage(text: unknown): string | undefined {
  const typed = textOf(text);
  const read = typed === undefined ? undefined : readTypedSlippage(typed);
  return read?.state === "read" && Number(read.text) <= SLIPPAGE.caution ? typedText(read.text) : undefined;
}

/** A priority that needs no warning. */
function keepablePriority(text: unknown): string | undefined {
  const typed = textOf(text);
  const read = typed ? readTypedAmount(typed, SOL_DECIMALS) : undefined;
  return read?.state === "read" && read.units <= PRIORITY.cheap ? typedText(read.text) : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.length <= MOST_OF_FIELD ? value : undefined;

/** What is kept and can be used; all else is as if it was never chosen. */
function read(said: unknown): Chosen {
  const { axis, keysEverywhere, ofSlippage, ofPriority, prioritySol, ...lists } = (said ?? {}) as Record<
    string,
    unknown
  >;
  const slippage = keepableSlippage(ofSlippage);
  const custom = keepablePriority(prioritySol);
  const priority = ofPriority === "fast" || (ofPriority === "custom" && custom !== undefined) ? ofPriority : undefined;
  const presets = PRESETS.map((of) => [of, presetsIn(of, lists[of])]).filter(([, list]) => list !== undefined);
  return {
    ...Object.fromEntries(presets),
    ...(axis === "marketCap" && { axis }),
    ...(keysEverywhere === true && { keysEverywhere }),
    ...(slippage !== undefined && { ofSlippage: slippage }),
    ...(priority && { ofPriority: priority }),
    ...(custom !== undefined && { prioritySol: custom }),
  };
}

function presetsIn(of: PresetOf, list: unknown): readonly string[] | undefined {
  const texts = Array.isArray(list) ? list.map(textOf) : [];
  return texts.every((text) => text !== undefined) ? readPresets(of, texts.join(" ")).presets : undefined;
}
