// `pending` and `settle`: trades that may have landed. `halt` and `resume`: what may be traded at all.

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Argument, type Command } from "commander";
import type { Found, IntentDetails, IntentState, Operation, RequestOf, TradeClient } from "launchpad-desk";
import type { Sandbox } from "launchpad-desk/sandbox";
import { signatureOf } from "../body.js";
import { readIfThere } from "../node/code.js";
import { holderAt, isRunning } from "../node/lock.js";
import { fileAt } from "../node/place.js";
import { sayTo } from "../node/stop.js";
import { unknownIn, unprovenIn } from "./advice.js";
import { plansOf, tradesIn } from "./books.js";
import { type Common, UsageError, wholeOf, withExample, withProfile } from "./command.js";
import { type Desk, atDesk, journalOf, recordOf, stateOf } from "./desk.js";
import { type Compared, compared } from "./drift.js";
import { exactJson } from "./exact-json.js";
import { MEANINGS } from "./meanings.js";
import { type Profile, homeFolder, keyOf, readProfile } from "./profile.js";
import { modeOf, plain, print } from "./show.js";

function lineOf({ intentId, operation, mint, wallets, startedAtMs, answered, namedSignature }: IntentDetails): string {
  const line = `${intentId}: ${operation} of ${mint} by ${wallets.join(", ")}, ${new Date(startedAtMs).toISOString()}`;
  if (answered) return `${line}, accepted as ${answered.signature}`;
  return namedSignature ? `${line}, signature ${namedSignature}` : line;
}

/** In which profile: a person may mean another. */
const inProfile = (profile: Pick<Profile, "name" | "sandbox">): string =>
  `in profile ${profile.name} (${modeOf(profile)})`;

const nothingIn = (profile: Profile): string => `Nothing is unresolved ${inProfile(profile)}.`;

/** The trades of unknown outcome, without those that were only accepted. */
const unresolvedOf = async (client: TradeClient): Promise<IntentDetails[]> =>
  (await client.pending()).filter(({ answered }) => !answered);

/** Runs `work` at the desk of a profile. If it cannot look at the trades that were sent before, that does not say that they were not sent. */
async function orUnknown(
  command: string,
  { profile, json }: Common,
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const chosen = await readProfile(profile);
  try {
    await atDesk(chosen, work);
  } catch (error) {
    // If it has printed already, only closing a file has failed.
    if (error instanceof UsageError || process.exitCode !== undefined) throw error;
    // As a client says it that could not record a trade. Here none was to be sent.
    const message = (error as Error).message.replace(/^not sent: [^(]*\((.*)\)$/s, "$1");
    const next = "Whether trades are unresolved is not known: ask again before you trade.";
    process.stderr.write(`${message}\n`);
    print({ json, command, profile: chosen, exitCode: 4 }, { outcome: "unknown", error: { message }, next }, [next]);
  }
}

async function pending({ profile, json }: Common): Promise<void> {
  await orUnknown("pending", { profile, json }, async (desk) => {
    const intents = await desk.client.pending();
    const next = intents.length ? unknownIn(desk.profile) : null;
    print(
      { json, command: "pending", profile: desk.profile, exitCode: 0 },
      { intents, next },
      intents.length ? [...(await plain(intents.map(lineOf))), next!] : [nothingIn(desk.profile)],
    );
  });
}

function endOf({ intentId, outcome, reason, problem, signature, contradicts }: Ended): string {
  const meaning = reason && Object.hasOwn(MEANINGS, reason) ? MEANINGS[reason] : undefined;
  const why = contradicts ? `the service had said ${contradicts}` : (problem ?? (meaning ? undefined : reason));
  const end = [`${intentId}: ${outcome}${why ? ` (${why})` : ""}`, signature].filter(Boolean).join(", ");
  return meaning && !problem ? `${end}. ${meaning}` : end;
}

async function settle(
  intentId: string | undefined,
  found: Found | undefined,
  { profile, json, within }: Common & { within?: string },
): Promise<void> {
  if (intentId !== undefined) {
    if (found === undefined) throw new UsageError(`say what you found about ${intentId}: landed or did_not_land`);
    if (within !== undefined) throw new UsageError("--within is for asking, not for what you found");
    return record(intentId, found, { profile, json });
  }
  const withinMs = within === undefined ? 0 : 1_000 * Number(wholeOf("within", within, 86_400));
  await orUnknown("settle", { profile, json }, async (desk) => {
    const settled = [...(await endedInJournal(desk)), ...(await settledBy(desk, withinMs))];
    const isOpen = settled.some(({ outcome }) => outcome === "unknown");
    const next = isOpen ? unprovenIn(desk.profile) : null;
    const against = await comparedAll(desk, settled);
    const lines = settled.flatMap((one) => [
      endOf(one),
      ...(against.has(one.intentId) ? [against.get(one.intentId)!.line] : []),
    ]);
    const documents = settled.map((one) => ({
      ...one,
      ...(against.has(one.intentId) && { drift: against.get(one.intentId)!.drift }),
    }));
    print(
      { json, command: "settle", profile: desk.profile, exitCode: isOpen ? 4 : 0 },
      { settled: documents, next },
      lines.length ? [...(await plain(lines)), ...(next ? [next] : [])] : [nothingIn(desk.profile)],
    );
  });
}

/** Writes ends into the record that only the journal has: a disk may have had room for the one line, and not for the other. */
async function endedInJournal({ profile, client, journal }: Desk): Promise<Ended[]> {
  const written: Ended[] = [];
  for (const { intentId, state, atMs } of await tradesIn(profile)) {
    const ended = state === "in_flight" || state === "unknown" ? await client.endedTrade(intentId) : null;
    // Its journal may know only an earlier attempt under the same id.
    if (ended?.startedAtMs !== atMs) continue;
    const { outcome, signature = null } = ended;
    // The record has no evidence of it.
    await journal.settle(ended, { outcome, code: null, status: null, signature, proven: false }, {});
    written.push({ intentId, outcome, reason: null, signature });
  }
  return written;
}

/** How a trade ended, as far as a line about it needs that. */
type Ended = Pick<
  Awaited<ReturnType<TradeClient["settle"]>>[number],
  "intentId" | "outcome" | "signature" | "contradicts"
> & { reason: string | null; problem?: string | null };

/** Those that landed, each against the price of its plan in the record. */
async function comparedAll(desk: Desk, settled: readonly Ended[]): Promise<Map<string, Compared>> {
  const landed = settled.filter(({ outcome, signature }) => outcome === "landed" && signature !== null);
  const against = new Map<string, Compared>();
  if (!desk.market || !landed.length) return against;
  const plans = await plansOf(
    desk.profile,
    landed.map(({ intentId }) => intentId),
  );
  for (const { intentId, signature } of landed) {
    const one = await compared(desk, plans.get(intentId), signature);
    if (one) against.set(intentId, one);
  }
  return against;
}

/** Finds out how unknown trades ended: by the log of the profile's own sandbox, by its gateway, or by its node. */
export async function settledBy(desk: Desk, withinMs: number): Promise<Ended[]> {
  if (desk.sandbox) return settledInSandbox(desk, desk.sandbox);
  if (desk.profile.client["gateway"] !== true) return settledByNode(desk, withinMs);
  const byGateway = await settledByGateway(desk);
  // Only the gateway knows when it sends what waits there. A node may prove what it has sent and got no answer to.
  if (!desk.market || !byGateway.some(({ outcome, reason }) => outcome === "unknown" && reason === IN_DOUBT))
    return byGateway;
  const byNode = await settledByNode(desk, withinMs);
  return byGateway.map(
    (one) => byNode.find(({ intentId, outcome }) => intentId === one.intentId && outcome !== "unknown") ?? one,
  );
}

/** The state of an intent that a gateway has sent, and whose outcome it does not know. */
const IN_DOUBT: IntentState = "in_doubt";

const ANSWER_MS = 10_000;

async function stateAt({ profile }: Desk, intentId: string): Promise<string> {
  const { baseURL, apiKeyHeader } = profile.client as { baseURL: string; apiKeyHeader?: string };
  const key = await keyOf(profile);
  const headers: Record<string, string> = {};
  if (key !== undefined) headers[apiKeyHeader ?? "authorization"] = apiKeyHeader === undefined ? `Bearer ${key}` : key;
  const { headers: said } = await fetch(`${baseURL.replace(/\/$/, "")}/v1/intents/${encodeURIComponent(intentId)}`, {
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return said.get("intent-state") ?? "the gateway does not say";
}

/** A gateway keeps the answer of each intent. Once it has one, asking with the same id and bytes gives that, and sends nothing. */
async function settledByGateway(desk: Desk): Promise<Ended[]> {
  const { client } = desk;
  const settled: Ended[] = [];
  for (const { intentId, operation, body } of await unresolvedOf(client)) {
    const state = await stateAt(desk, intentId).catch(
      (error: Error) => `the gateway cannot be asked: ${error.message}`,
    );
    if (state !== "ended") {
      settled.push({ intentId, outcome: "unknown", reason: state, signature: null });
      continue;
    }
    const request = exactJson(body) as RequestOf[Operation];
    settled.push(
      await client.trade(operation, request, { intentId }).then(
        ({ status, result }) => ({ intentId, outcome: status, reason: null, signature: signatureOf(result) }),
        (error: Error & { outcome?: string; signature?: string | null }) => ({
          intentId,
          outcome: error.outcome === "failed" || error.outcome === "rejected" ? error.outcome : "unknown",
          reason: error.message,
          signature: error.signature ?? null,
        }),
      ),
    );
  }
  return settled;
}

async function settledByNode({ client, market, profile }: Desk, withinMs: number): Promise<Ended[]> {
  const unproven = (intents: readonly IntentDetails[], why: string): Ended[] =>
    intents.map(({ intentId }) => ({ intentId, outcome: "unknown", reason: why, signature: null }));
  if (!market)
    return unproven(await unresolvedOf(client), `profile ${profile.name} has no node (rpc), so nothing can be proven`);
  try {
    return await client.settle({ withinMs });
  } catch (error) {
    // What was settled before it failed is not pending any more.
    return unproven(await client.pending(), (error as Error).message);
  }
}

/** The log of the profile's own sandbox says how each call ended, unless it no longer has it. */
async function settledInSandbox({ client, record }: Desk, sandbox: Sandbox): Promise<Ended[]> {
  const { audit } = await import("launchpad-desk/sandbox");
  const { calls } = sandbox;
  const { open } = audit(
    (await unresolvedOf(client)).map((intent) => ({ ...intent, outcome: null })),
    calls,
  );
  const settled: Ended[] = open.map(({ intentId, actual, signature }) => {
    let outcome: Ended["outcome"] = actual === "not_logged" ? "unknown" : "did_not_land";
    if (actual === "landed" || actual === "failed") outcome = actual;
    return { intentId, outcome, reason: null, signature };
  });
  for (const { intentId, outcome, signature } of settled) await record.evidence(intentId, { outcome, signature });
  for (const { intentId, outcome } of settled)
    if (outcome !== "unknown") await client.acknowledge(intentId, outcome === "landed" ? "landed" : "did_not_land");
  return settled;
}

/** Records what a person found about a trade: the one way out if nothing proves how it ended. */
async function record(intentId: string, found: Found, { profile, json }: Common): Promise<void> {
  await orUnknown("settle", { profile, json }, async (desk) => {
    if (!(await desk.client.acknowledge(intentId, found))) throw new UsageError(`${intentId} is not unresolved`);
    const settled = [{ intentId, outcome: found }];
    print({ json, command: "settle", profile: desk.profile, exitCode: 0 }, { outcome: found, settled }, [
      `${intentId}: ${found}`,
    ]);
  });
}

/** What `client` is told to allow, what that is called, and how a person says it. */
const MODES = { halt: "halted", reduce: "reducing", resume: "active" } as const;
const SAID = { halt: "Trading is halted", reduce: "Buys are halted", resume: "Trading is active" } as const;

/** The profile to stop. A config file that is broken, or has lost it, must not keep anybody from stopping what was started with it. */
async function profileToStop(
  named: string | undefined,
): Promise<Pick<Profile, "name" | "folder" | "sandbox"> & { readonly whole?: Profile }> {
  try {
    const whole = await readProfile(named);
    return { ...whole, whole };
  } catch (error) {
    const folder = named !== undefined && /^[\w-]{1,64}$/.test(named) ? join(homeFolder(), named) : undefined;
    const mode = folder === undefined ? undefined : await readIfThere(join(folder, "mode"));
    if (folder === undefined || mode === undefined) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return { name: named!, folder, sandbox: mode.trim() === "simulated" ? {} : undefined };
  }
}

/** The process that trades with a profile now, as far as is known: no other can write its record. */
export async function traderOf(profile: Pick<Profile, "folder">): Promise<number | undefined> {
  for (const file of [journalOf(profile), recordOf(profile), stateOf(profile)]) {
    const holder = (await holderAt(await fileAt(file)))?.holder;
    if (holder && (await isRunning(holder)) !== "no") return holder.pid;
  }
  return undefined;
}

const haltOf = (name: string): string => `\`launchpad-desk halt --profile ${name}\``;

/** What trades on with other profiles than this one, which was stopped. */
async function tradersBeside(stopped: string): Promise<string[]> {
  const beside = (await readdir(homeFolder(), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const lines = beside.map(async ({ name }) => {
    if (name === stopped) return [];
    const pid = await traderOf({ folder: join(homeFolder(), name) }).catch((error: Error) => error.message);
    if (typeof pid === "string") return [`Whether anything trades with profile ${name} is not known: ${pid}.`];
    const next = `${haltOf(name)} stops that, too.`;
    return pid === undefined ? [] : [`Process ${pid} trades with profile ${name}: ${next}`];
  });
  return (await Promise.all(lines)).flat();
}

/**
 * Stops trades, or allows them again; a restart keeps it. A program that trades with the profile at this time hears it before its next send, by
 * the stop file beside the journal, and writes it into the record. Otherwise this command does.
 */
async function allow(act: keyof typeof MODES, { profile, json }: Common): Promise<void> {
  const chosen = await profileToStop(profile);
  const mode = MODES[act];
  const say = async (): Promise<void> => {
    try {
      await mkdir(chosen.folder, { recursive: true, mode: 0o700 });
      const unsynced = await sayTo(await fileAt(journalOf(chosen)), mode);
      if (unsynced) process.stderr.write(`It holds, but a power cut may undo it: ${unsynced.message}.\n`);
    } catch (error) {
      const why = `Nothing has changed ${inProfile(chosen)}: ${(error as Error).message}.`;
      const next = {
        halt: " End the program that trades with it.",
        reduce: ` ${haltOf(chosen.name)} works on a full disk, and stops all trades.`,
        resume: "",
      };
      throw new Error(`${why}${next[act]}`);
    }
  };
  const printMode = async (...more: string[]): Promise<void> =>
    print({ json, command: act === "resume" ? "resume" : "halt", profile: chosen, exitCode: 0 }, { guards: mode }, [
      `${SAID[act]} ${inProfile(chosen)}.`,
      ...more,
      ...(act === "resume" ? [] : await tradersBeside(chosen.name)),
    ]);
  // A stop comes before everything else.
  if (act !== "resume") await say();
  const pid = await traderOf(chosen);
  // Without its config, the profile cannot be opened to say it.
  if (act === "resume" && (pid !== undefined || !chosen.whole)) await say();
  if (pid !== undefined)
    return printMode(`Process ${pid} trades with this profile, and hears it before its next trade.`);
  try {
    if (chosen.whole) await atDesk(chosen.whole, async (desk) => desk.client[act]());
  } catch (error) {
    if (act === "resume") {
      if (error instanceof UsageError) throw error;
      await say();
    }
    // Another program may have begun meanwhile. The next one to open the journal takes from its file what was said.
    const { message, cause } = error as Error;
    // The client knows only its journal: the file that was said holds over a restart, too.
    const why = cause instanceof Error ? cause.message : message;
    process.stderr.write(`The record does not say so (${why}), but it holds, after a restart, too.\n`);
  }
  return printMode();
}

export function addUnresolved(program: Command): void {
  withExample(withProfile(program.command("pending").summary("list the trades of unknown outcome")), "pending").action(
    pending,
  );
  const settling = withProfile(
    program
      .command("settle")
      .summary("find out how trades of unknown outcome ended, or record what you found about one")
      .description(
        "Asks the profile's node how each unresolved trade ended, and records what is proven. With a trade and what you found, it records that.",
      ),
  )
    .argument("[intent]", "the id of a trade about which you found something, as `pending` prints it")
    .addArgument(new Argument("[found]", "what you found about it").choices(["landed", "did_not_land"]))
    .option("--within <seconds>", "for how long to ask again while waiting can still settle a trade");
  withExample(settling, "settle --within 180").action(settle);
  const halting = withProfile(program.command("halt").summary("stop all trades, or all buys")).addArgument(
    new Argument("[what]", "buys: sells stay allowed").choices(["all", "buys"]).default("all"),
  );
  withExample(halting, "halt buys").action((what: string, options: Common) =>
    allow(what === "buys" ? "reduce" : "halt", options),
  );
  withExample(withProfile(program.command("resume").summary("allow all trades again")), "resume").action(
    (options: Common) => allow("resume", options),
  );
}
