// `launchpad-desk doctor`: looks at everything that a trade of a profile needs, and says what to do.

import { access, constants } from "node:fs/promises";
import type { Command } from "commander";
import { type Common, withExample, withProfile } from "./command.js";
import { atDesk, inWorld, journalOf } from "./desk.js";
import { type Profile, keyOf, missing, readProfile } from "./profile.js";
import { print } from "./show.js";

/** One thing that the doctor looked at. */
interface Check {
  what: string;
  isGood: boolean;
  /** What was found. */
  found: string;
  /** What to do; null if nothing. */
  todo: string | null;
}

const DAY_MS = 86_400_000;
/** Rates and rent of a launchpad have changed within months. */
const MOST_AGE_DAYS = 90;
/** A request is refused, and a plan expires, by clocks that differ by more. */
const MOST_DRIFT_MS = 5_000;

const good = (what: string, found: string): Check => ({ what, isGood: true, found, todo: null });
const bad = (what: string, error: unknown, todo: string): Check => ({ what, isGood: false, found: error instanceof Error ? error.message : String(error), todo });

/** Runs a check; what it throws is what it found. */
async function checked(what: string, todo: string, look: () => Promise<string>): Promise<Check> {
  return look().then(
    (found) => good(what, found),
    (error: unknown) => bad(what, error, todo),
  );
}

/** The service's clock by the header of an answer to a request that needs no key and changes nothing. */
async function clockOf(baseURL: string): Promise<string> {
  const before = Date.now();
  const { headers } = await fetch(baseURL, { method: "OPTIONS", redirect: "manual", signal: AbortSignal.timeout(10_000) });
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(date)) return "the service does not report its time";
  const drift = Math.round(date - (before + Date.now()) / 2);
  if (Math.abs(drift) > MOST_DRIFT_MS) throw new Error(`it differs from the service's by ${Math.round(Math.abs(drift) / 1_000)} s`);
  return "it agrees with the service's";
}

async function ageOfRules(now: number): Promise<string> {
  const { defaultLaunchpad } = await import("launchpad-desk/launchpad");
  const { asOf } = defaultLaunchpad();
  const days = Math.floor((now - Date.parse(asOf)) / DAY_MS);
  if (days > MOST_AGE_DAYS) throw new Error(`the built-in rates and rent are of ${asOf}, ${days} days ago`);
  return `the built-in rates and rent are of ${asOf}`;
}

async function checksOf(profile: Profile): Promise<Check[]> {
  const { baseURL } = profile.client as { baseURL?: string };
  const lacking = missing(profile);
  const checks = [
    good("profile", `${profile.name} (${profile.sandbox ? "simulated" : "LIVE: real money"}), from ${profile.file}`),
    lacking.length ? bad("settings", `it lacks ${lacking.join(", ")}`, `add them to ${profile.file}`) : good("settings", profile.sandbox ? "a sandbox needs none" : "key and limits are there"),
    await checked("files", `make ${profile.folder} writable for you`, async () => {
      await inWorld(profile, async () => access(profile.folder, constants.W_OK));
      return profile.folder;
    }),
    await checked("rules", "update launchpad-desk, or give the profile a node (rpc), which has the current rates", () => ageOfRules(Date.now())),
  ];
  if (!profile.sandbox) {
    checks.push(
      await checked("key", "name its source in the config file", async () => ((await keyOf(profile)) === undefined ? "none is needed" : "it can be read")),
      await checked("service and clock", "look at the network, at baseURL, and at this machine's clock", () => clockOf(String(baseURL))),
    );
  }
  if (lacking.length) return checks;
  const journal = journalOf(profile);
  checks.push(
    await checked("journal", `if its program has ended, launchpad-desk unlock ${journal}`, () =>
      atDesk(profile, async ({ client }) => {
        const open = await client.pending();
        if (open.length) throw new Error(`${open.length} ${open.length === 1 ? "trade is" : "trades are"} unresolved`);
        return "it can be written, and nothing is unresolved";
      }),
    ),
  );
  return checks;
}

async function run({ profile, json }: Common): Promise<void> {
  const chosen = await readProfile(profile);
  const checks = await checksOf(chosen);
  const isGood = checks.every((check) => check.isGood);
  const lines = checks.map(({ what, isGood, found, todo }) => `${isGood ? "ok " : "BAD"} ${what}: ${found}${todo ? `; ${todo}` : ""}`);
  print(json, "doctor", chosen, isGood ? 0 : 1, { checks }, lines);
}

/** Adds the command. */
export function addDoctor(program: Command): void {
  withExample(withProfile(program.command("doctor").summary("check everything that a trade needs")), "doctor --profile live").action(run);
}
