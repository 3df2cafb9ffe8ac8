// What a profile trades in: its sandbox or its service, its prices, and its client with a journal.

import { mkdir, open, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type * as core from "launchpad-desk";
import type { Plan } from "launchpad-desk";
import type { Market } from "launchpad-desk/market";
import type { DeskRecord } from "launchpad-desk/record";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { TradeReceipt } from "../generated.js";
import { readIfThere } from "../node/code.js";
import { LONGEST, readLines } from "../node/lines.js";
import { isNode } from "../node/runtime.js";
import { UsageError } from "./command.js";
import { type Profile, homeFolder, keyOf, missing, nodeOf } from "./profile.js";
import { modeOf } from "./show.js";

type ClientOptions = ConstructorParameters<typeof core.TradeClient>[0];

/** A profile's sandbox or market. */
export interface World {
  readonly profile: Profile;
  readonly sandbox: Sandbox | undefined;
  /** Where prices and proofs come from, if that is known. */
  readonly market: Market | undefined;
  close(): Promise<void>;
}

/** How many calls a profile's sandbox remembers, by which `settle` knows how a trade ended. */
const REMEMBERED_CALLS = 10_000;

export interface Desk extends World {
  readonly client: core.TradeClient;
  readonly record: DeskRecord;
  /** Its journal, which the record watches. */
  readonly journal: core.Journal;
  /** Called right before each send, and must not wait: such as to abort what a person has paused. */
  readonly beforeSends: Set<() => void>;
}

/** The record of a profile: everything that it does. */
export const recordOf = ({ folder }: Pick<Profile, "folder">): string => join(folder, "desk.log");

/** Where a profile also keeps the heads of its record, if it names such a place. */
export const headsOf = ({ recordHeads }: Profile): string | undefined =>
  recordHeads === undefined ? undefined : resolve(homeFolder(), recordHeads);

/** Adds a head to a file in a second place, on its disk. It is only ever appended to, so a place will do in which nothing can be changed. */
async function addHead(file: string, head: string): Promise<void> {
  try {
    const handle = await open(file, "a", 0o600);
    try {
      await handle.appendFile(head);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new Error(`the second place of the record's head: ${(error as Error).message}`, { cause: error });
  }
}

/** The journal of a profile: what its client needs to know after a restart. */
export const journalOf = ({ folder }: Pick<Profile, "folder">): string => join(folder, "trades.journal");

/** Runs `work` in a profile's world, and releases its files. */
export async function inWorld<T>(profile: Profile, work: (world: World) => Promise<T>): Promise<T> {
  const world = await openWorld(profile);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/** Runs `work` with a profile's client, and releases its files. */
export async function atDesk<T>(profile: Profile, work: (desk: Desk) => Promise<T>): Promise<T> {
  const lacking = missing(profile);
  if (lacking.length)
    throw new UsageError(
      `profile ${profile.name} trades for real, and lacks ${lacking.join(", ")}: add them to ${profile.file}`,
    );
  return inWorld(profile, async (world) => {
    const [{ TradeClient }, { fileJournal, fileRecord }, { DeskRecord }] = await Promise.all([
      import("launchpad-desk"),
      import("launchpad-desk/node"),
      import("launchpad-desk/record"),
    ]);
    const { sandbox, market } = world;
    const apiKey = await keyOf(profile);
    const inFile = fileJournal(journalOf(profile));
    const beforeSends = new Set<() => void>();
    const journal = {
      ...inFile,
      outsideMode: () => {
        for (const ask of beforeSends) ask();
        return inFile.outsideMode?.();
      },
    };
    const heads = headsOf(profile);
    const file = fileRecord(recordOf(profile), heads === undefined ? {} : { copyHead: (head) => addHead(heads, head) });
    try {
      const record = new DeskRecord(file, { by: "command line", onError: warnOnce() });
      // By the intent's id, the sandbox's own log says how a trade ended.
      const at = sandbox ? { fetch: sandbox.fetch, intentHeader: "idempotency-key" } : { fetch: await transportOf() };
      const options = {
        ...profile.client,
        ...at,
        ...(market && { market }),
        ...(apiKey !== undefined && { apiKey }),
        journal,
      } as ClientOptions;
      try {
        const recorded = record.around(options);
        const client = new TradeClient(recorded);
        const done = await work({ ...world, client, record, journal: recorded.journal!, beforeSends });
        await record.written();
        return done;
      } catch (error) {
        // What failed is recorded, too, before the file is closed. Why a record cannot be kept, `onError` has said.
        await record.written().catch(() => {});
        throw error;
      }
    } finally {
      await Promise.all([journal.close(), file.close()]);
    }
  });
}

/** A client with a profile's settings, to ask what they say: it sends nothing, and its key is a placeholder if none is given. */
export async function clientOf(
  { client }: Pick<Profile, "client">,
  at: { apiKey?: string; fetch?: Sandbox["fetch"] } = { apiKey: "in-its-own-place" },
): Promise<core.TradeClient> {
  const { TradeClient } = await import("launchpad-desk");
  return new TradeClient({ ...client, ...at } as ClientOptions);
}

/** What carries a profile's trades to a service: on Node the transport that knows what it has sent. */
export const transportOf = async (): Promise<typeof fetch> =>
  isNode ? ((await import("launchpad-desk/node")).nodeFetch() as unknown as typeof fetch) : fetch;

/** Says once why the record cannot go on. */
function warnOnce(): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    if (!isSaid) process.stderr.write(`The record of this profile cannot be written: ${(error as Error).message}\n`);
    isSaid = true;
  };
}

/** A line of a record, as far as commands read it. */
export interface RecordLine {
  readonly atMs: number;
  readonly act: string;
  readonly intent: string;
  readonly detail: string;
  readonly data: {
    readonly baseURL?: string | null;
    readonly body?: string;
    readonly startedAtMs?: number;
    readonly plan?: Plan;
    /** The market that gives exactly the price of the plan. */
    readonly market?: object;
    readonly receipts?: TradeReceipt[];
    readonly signature?: string | null;
  };
}

/** Passes on each line of a profile's record, or those of so many bytes at its end. A line that is being written is not one yet. */
export async function readRecord(
  profile: Profile,
  take: (line: RecordLine) => void,
  lastBytes = Infinity,
): Promise<void> {
  const file = recordOf(profile);
  const read = (text: string): RecordLine => {
    try {
      return JSON.parse(text) as RecordLine;
    } catch {
      throw new Error(`${file} has a line that is not JSON: check the record with "launchpad-desk verify"`);
    }
  };
  await readLines(file, (text, isEnded) => isEnded && take(read(text)), LONGEST, lastBytes);
}

/** Whether what a profile has traded was simulated, by the last client in its record; undefined if nothing was traded. */
async function modeInRecord(profile: Profile): Promise<string | undefined> {
  let mode: string | undefined;
  await readRecord(profile, ({ act, data }) => {
    if (act === "start" && data.baseURL !== undefined) mode = data.baseURL === null ? "simulated" : "live";
  });
  return mode;
}

/** Refuses a profile that was switched between a sandbox and real money: simulated trades would count as real ones, and the reverse. */
export async function checkMode(profile: Profile): Promise<void> {
  const { name, folder } = profile;
  const [file, mode] = [join(folder, "mode"), modeOf(profile)];
  const kept = (await readIfThere(file))?.trim();
  const was = kept || (await modeInRecord(profile)) || mode;
  if (was !== mode)
    throw new UsageError(
      `profile ${name} has traded ${was === "live" ? "for real" : "in a sandbox"} so far, and its journal, record and exits in ${folder} are of that: use a profile of another name`,
    );
  if (kept !== mode) await writeFile(file, `${mode}\n`, { mode: 0o600 });
}

/** For how long an own trade may not be shown by a node that lags, in milliseconds: one with a signature, and one that may never be shown. */
const LAGS_MS = 60_000;
const UNNAMED_MS = 13_000;
/** How a trade ended that no node ever shows. */
const UNMADE = ["rejected", "not_sent", "did_not_land"];
/** How much of a record is read for that: the lines of some hundred trades. */
const LAST_BYTES = 4_194_304;

/** Tells a market of the trades that earlier commands have just made: a look from before them decides nothing. */
async function tellOwn(market: Market, profile: Profile): Promise<void> {
  const bodies = new Map<string, string>();
  const sent = new Map<string, { atMs: number; signature: string | null }>();
  const now = Date.now();
  await readRecord(
    profile,
    ({ atMs, act, intent, detail, data }) => {
      if (atMs < now - LAGS_MS) return;
      if (act === "begin" && data.body !== undefined) bodies.set(intent, data.body);
      if (act === "send") sent.set(intent, { atMs, signature: null });
      const own = sent.get(intent);
      if (!own || (act !== "settle" && act !== "evidence")) return;
      if (UNMADE.includes(detail)) sent.delete(intent);
      else own.signature = data.signature ?? own.signature;
    },
    LAST_BYTES,
  );
  for (const [intent, { atMs, signature }] of sent) {
    const body = bodies.get(intent);
    if (body !== undefined && (signature !== null || atMs >= now - UNNAMED_MS)) market.traded({ body }, signature);
  }
}

async function openWorld(profile: Profile): Promise<World> {
  await mkdir(profile.folder, { recursive: true, mode: 0o700 });
  await checkMode(profile);
  if (profile.sandbox) return openSandbox(profile);
  const rpc = nodeOf(profile);
  const market =
    rpc === undefined ? undefined : new (await import("launchpad-desk/market")).Market({ ...profile.market, rpc });
  if (market) await tellOwn(market, profile);
  return { profile, sandbox: undefined, market, close: async () => {} };
}

export const stateOf = ({ folder }: Pick<Profile, "folder">): string => join(folder, "sandbox.log");

export const settingsOf = ({
  sandbox,
}: Pick<Profile, "sandbox">): NonNullable<ConstructorParameters<typeof Sandbox>[0]> => ({
  maxCalls: REMEMBERED_CALLS,
  ...sandbox,
});

export async function freshSandbox(profile: Pick<Profile, "sandbox">): Promise<Sandbox> {
  const { Sandbox } = await import("launchpad-desk/sandbox");
  return new Sandbox(settingsOf(profile));
}

async function openSandbox(profile: Profile): Promise<World> {
  const [sandbox, { keepState }] = await Promise.all([freshSandbox(profile), import("launchpad-desk/node")]);
  const kept = await keepState(sandbox, stateOf(profile));
  return { profile, sandbox, market: undefined, close: () => kept.close() };
}
