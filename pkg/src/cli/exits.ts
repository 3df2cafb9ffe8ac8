// `launchpad-desk exits`: a plan of exits on a position, carried out as `client.manage` does it, with each order in the record.

import type { Command } from "commander";
import type { Plan } from "launchpad-desk";
import type { ExitClient, ExitEvent, ExitMarket, Managed, OpenExits } from "launchpad-desk/launchpad";
import type { ExitOrder, ExitPlan, ExitPosition, TradeReceipt } from "../generated.js";
import { type Holder, type Lock, holderAt, isRunning, lock } from "../node/lock.js";
import { fileAt } from "../node/place.js";
import { pause } from "../watching.js";
import { isConfirmed } from "./ask.js";
import { type Recorded, intentIdsIn, tradesIn } from "./books.js";
import { type Common, type ExitCode, UsageError, wholeOf, withExample, withProfile } from "./command.js";
import { type Desk, type World, atDesk, inWorld } from "./desk.js";
import { type Kept, type Wish, allKept, ask, forget, granted, isTaken, keep, keptOf, makeFolder, runnerOf, takeBack } from "./exit-files.js";
import { type ExitFlags, exitPlanOf, withExitPlan } from "./exit-plan.js";
import { type Profile, readProfile } from "./profile.js";
import { lamportsOf } from "./request.js";
import { factorOf, passTime } from "./sandbox.js";
import { exactly, exitCodeOf, modeOf, print } from "./show.js";
import { interruptible, recordPlan } from "./trade.js";
import { settledBy } from "./unresolved.js";

interface SetOptions extends Common, ExitFlags {
  mint?: string;
  fromWallet?: string;
  tokens?: string;
  cost?: string;
  feePayer?: string;
}

interface RunOptions extends Common {
  send?: boolean;
  yes?: boolean;
  once?: boolean;
  every: string;
  realtime?: string | true;
}

/** How long to wait for the program that carries exits out. */
interface Waiting extends Common {
  within: string;
}

/** Exits with what a look at the market says about them. */
interface Seen extends Kept {
  /** The token's decimals; null without a price. */
  readonly decimals: number | null;
  /** What selling all that is left would bring, compared with what was paid; null without a price. */
  readonly multiple: string | null;
  /** What would be sold now; null if nothing. */
  readonly order: ExitOrder | null;
  /** Why there is no price. */
  readonly problem: string | null;
  /** Base units of the token that the wallet holds; null if that is not known. */
  readonly held: bigint | null;
  /** When it was looked. */
  readonly atMs: number;
}

/** Where the exits of a profile see their price. */
function marketOf({ sandbox, market, profile }: World): ExitMarket {
  const seen = sandbox ?? market;
  if (!seen) throw new UsageError(`profile ${profile.name} has no node (rpc), and exits need a price`);
  return seen as ExitMarket;
}

/** What was asked for and not carried out, applied to a copy. */
function wished(exits: OpenExits, { paused, closing }: Wish): void {
  if (paused === true) exits.pause();
  if (paused === false) exits.resume();
  if (closing) exits.closeNow();
}

/** Looks at the market for exits. Nothing changes. */
async function seen(world: World, kept: Kept): Promise<Seen> {
  const { Curve, Exits } = await import("launchpad-desk/launchpad");
  const { state, wish } = kept;
  const { mint, wallet } = state.position;
  const exits = new Exits(state.plan).open(state.position, state);
  wished(exits, wish);
  try {
    const look = await marketOf(world).look(mint, [wallet]);
    const curve = look.curve instanceof Curve ? look.curve : new Curve(look.curve);
    const holding = look.wallets?.find((one) => one.wallet === wallet);
    const at = { atMs: look.atMs ?? Date.now(), walletTokens: holding ? (holding.holding?.tokens ?? 0n) : null };
    const looked = { held: at.walletTokens, atMs: at.atMs };
    try {
      const multiple = exits.multiple(curve, at);
      const ordered = exits.order ?? exits.next(curve, at);
      return { ...kept, decimals: curve.launchpad.tokenDecimals, multiple, order: ordered?.order ?? null, problem: null, ...looked };
    } finally {
      curve.free();
    }
  } catch (error) {
    return { ...kept, decimals: null, multiple: null, order: null, problem: (error as Error).message, held: null, atMs: Date.now() };
  } finally {
    exits.free();
  }
}

/** An amount of tokens. Without the token's decimals it stays in base units: any others would be a guess. */
async function tokensOf(units: bigint, decimals: number | null): Promise<string> {
  return decimals === null ? `${units} base units` : `${(await import("launchpad-desk")).fromBaseUnits(units, decimals)} tokens`;
}

/** A plan in words, a rule each. */
function rulesOf({ takeProfit, stopLoss, breakEvenAfter, trailing, timeMs, onGraduation }: ExitPlan): string {
  const rules = [
    ...(takeProfit ?? []).map(({ at, sell }) => `${sell} at ${at}`),
    ...(stopLoss ? [`all at ${stopLoss} or below`] : []),
    ...(breakEvenAfter ? [`all at 1x or below once it was ${breakEvenAfter}`] : []),
    ...(trailing ? [`all at ${trailing.by} below its best${trailing.from ? `, once that was ${trailing.from}` : ""}`] : []),
    ...(timeMs ? [`all after ${Number(timeMs) / 1_000} s`] : []),
    ...(onGraduation ? [`all once ${onGraduation.from} of the curve is sold`] : []),
  ];
  return rules.length ? rules.join("; ") : "nothing by itself";
}

/** Exits as lines for a person. */
async function linesOf({ state, wish, decimals, multiple, order, problem }: Seen): Promise<string[]> {
  const { lamportsToSol } = await import("launchpad-desk");
  const { id, mint, wallet } = state.position;
  const isPaused = wish.paused ?? state.paused;
  const left = `${await tokensOf(BigInt(state.tokens), decimals)}, which cost ${lamportsToSol(BigInt(state.costLamports))} SOL`;
  const sold = BigInt(state.tokens) === 0n;
  const doubt = state.order?.outcome ? `In doubt: ${state.order.intentId} (${state.order.outcome}); nothing else is ordered until it is settled.` : undefined;
  const now = order && !doubt ? `Now: sells ${await tokensOf(BigInt(order.tokens), decimals)} (${order.reason}) for about ${lamportsToSol(order.expectedLamports)} SOL.` : "Now: sells nothing.";
  return [
    `${id}: ${sold ? "nothing is left to sell" : left}, of ${mint} in ${wallet}`,
    `  Sells ${rulesOf(state.plan)}.`,
    ...(sold ? [] : [`  ${problem ? `No price: ${problem}.` : `Stands at ${multiple ?? "no price"}, best ${state.best}.`}${isPaused ? " Paused." : ""} ${doubt ?? now}`]),
  ];
}

/** Exits in a document. */
const documentOf = ({ state, wish, multiple, order, problem }: Seen): object => ({ ...state, paused: wish.paused ?? state.paused, closing: wish.closing ?? state.closing, multiple, now: order, problem });

async function show(json: boolean | undefined, command: string, world: World, kept: readonly Kept[], exitCode: ExitCode, next: string | null): Promise<void> {
  const all: Seen[] = [];
  for (const one of kept) all.push(await seen(world, one));
  return showSeen(json, command, world, all, exitCode, next);
}

async function showSeen(json: boolean | undefined, command: string, world: World, all: readonly Seen[], exitCode: ExitCode, next: string | null): Promise<void> {
  const lines = (await Promise.all(all.map(linesOf))).flat();
  print(json, command, world.profile, exitCode, { exits: all.map(documentOf), next }, [...(lines.length ? lines : ["No position has exits."]), ...(next ? [next] : [])]);
}

async function list(ids: string[], { profile, json }: Common): Promise<void> {
  const chosen = await readProfile(profile);
  const kept = await allKept(chosen, ids);
  await inWorld(chosen, (world) => show(json, "exits list", world, kept, 0, null));
}

/** How many trades of a sandbox's market are looked through. */
const MOST_TRADES = 10_000;

/** What `exits set` takes for a position that the record does not know. */
const OWN_OPTIONS = "--mint, --from-wallet, --tokens and --cost";

/** Whether this is the intent id of an exit of the position `name`; with `isAnySet`, also of one of `name/2`, `name/3`, …, its exits set again. */
function isExitOf(name: string, intentId: string, { isAnySet }: { isAnySet: boolean }): boolean {
  const rest = intentId.startsWith(`${name}/`) ? intentId.slice(name.length + 1) : "";
  return /^(?:all|tp\d+)(?:\.\d+)?$/.test(isAnySet ? rest.replace(/^\d+\//, "") : rest);
}

/** The buy of the record that opened a position, and all intents that are known. */
interface Books {
  readonly trades: readonly Recorded[];
  readonly intentIds: ReadonlySet<string>;
}

/** The position that a buy of the record opened, less what its exits have sold; or one of the options. */
async function positionOf(world: World, id: string, options: SetOptions): Promise<ExitPosition> {
  const { profile, sandbox } = world;
  const feePayer = options.feePayer ?? profile.feePayer ?? null;
  const trades = await tradesIn(profile);
  const books: Books = { trades, intentIds: new Set([...trades.map(({ intentId }) => intentId), ...(await intentIdsIn(profile))]) };
  const bought = trades.find(({ intentId }) => intentId === id);
  if (bought && options.tokens === undefined && options.cost === undefined) {
    const receipts = bought.receipts.filter(({ status, side, wallet }) => status !== "failed" && side === "buy" && (options.fromWallet === undefined || wallet === options.fromWallet));
    const [receipt, ...others] = receipts;
    if (!receipt) throw new UsageError(`the record does not say what ${id} bought (it ${bought.state}): name ${OWN_OPTIONS}`);
    if (others.length) throw new UsageError(`${id} bought for several wallets: name one with --from-wallet`);
    // Wallets of one bundle are positions of their own.
    const name = bought.operation === "bundleBuy" ? `${id}/${receipt.wallet!.slice(0, 44)}` : id;
    const { Position } = await import("launchpad-desk/launchpad");
    const position = new Position();
    position.add(receipt);
    for (const sale of salesOf(name, books)) position.add(sale);
    const { tokens, costLamports, rentLockedLamports } = position.state;
    position.free();
    if (tokens === 0n) throw new UsageError(`the exits of ${name} have sold all of it`);
    // The market of a sandbox has a time of its own.
    const past = sandbox ? [...sandbox.newestTrades(bought.mint, MOST_TRADES)].reverse() : [];
    const made = past.find((trade) => trade.wallet === receipt.wallet && trade.side === "buy" && trade.tokens === receipt.tokens);
    return { id: await unusedName(profile, name, books), mint: bought.mint, wallet: receipt.wallet!, tokens, costLamports, rentLockedLamports, openedAtMs: sandbox ? (made?.atMs ?? sandbox.nowMs) : bought.atMs, feePayer };
  }
  const { fromWallet = profile.fromWallet, tokens, cost, mint } = options;
  if (mint === undefined || fromWallet === undefined || tokens === undefined || cost === undefined) throw new UsageError(`no buy ${id} is in the record: name ${OWN_OPTIONS}`);
  // What was sold under this name before would count as sold of this position.
  const used = [...books.intentIds].find((intentId) => isExitOf(id, intentId, { isAnySet: false }));
  if (used !== undefined) throw new UsageError(`a position named ${id} had exits before (${used}): choose another name`);
  await checkUnset(profile, id);
  const { curve: look } = await marketOf(world).look(mint, [fromWallet]);
  const { Curve } = await import("launchpad-desk/launchpad");
  const { toBaseUnits } = await import("launchpad-desk");
  const curve = look instanceof Curve ? look : new Curve(look);
  const { tokenDecimals } = curve.launchpad;
  curve.free();
  return { id, mint, wallet: fromWallet, tokens: toBaseUnits(tokens, tokenDecimals), costLamports: await lamportsOf("--cost", cost), openedAtMs: sandbox?.nowMs ?? Date.now(), feePayer };
}

/** What exits of a position have sold, if the record says that of each. */
function salesOf(name: string, { trades, intentIds }: Books): TradeReceipt[] {
  return [...intentIds].filter((intentId) => isExitOf(name, intentId, { isAnySet: true })).flatMap((intentId) => {
    const sold = trades.find((trade) => trade.intentId === intentId);
    if (sold && ["rejected", "failed", "not_sent", "did_not_land"].includes(sold.state)) return [];
    if (sold?.state === "landed" && sold.receipts.length) return sold.receipts;
    const isOpen = sold?.state === "unknown" || sold?.state === "in_flight";
    throw new UsageError(`the record does not say what the exit ${intentId} has sold: ${isOpen ? "settle it first" : `choose another name, and say with ${OWN_OPTIONS} what is left`}`);
  });
}

/** A name for exits of a position that may have had some: an intent id is used once. */
async function unusedName(profile: Profile, name: string, { intentIds }: Books): Promise<string> {
  for (let times = 1; ; times++) {
    const tried = times === 1 ? name : `${name}/${times}`;
    await checkUnset(profile, tried);
    if (![...intentIds].some((intentId) => intentId === `${name}/${times}` || isExitOf(tried, intentId, { isAnySet: false }))) return tried;
  }
}

async function checkUnset(profile: Profile, id: string): Promise<void> {
  const known = await keptOf(profile, id);
  if (known && BigInt(known.state.tokens) > 0n) throw new UsageError(`${id} has exits: \`launchpad-desk exits remove ${id}\` removes them`);
}

/** What the core refuses of arguments is wrong usage. */
function checked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function set(id: string, options: SetOptions): Promise<void> {
  const chosen = await readProfile(options.profile);
  const plan = (await exitPlanOf(options)) as ExitPlan;
  await inWorld(chosen, async (world) => {
    const { Exits } = await import("launchpad-desk/launchpad");
    const position = await positionOf(world, id, options);
    const exits = checked(() => new Exits(plan).open(position));
    const { state } = exits;
    exits.free();
    await keep(chosen, state);
    await show(options.json, "exits set", world, [{ state, wish: {} }], 0, `Nothing is sold yet: \`launchpad-desk exits run --send\` carries it out.`);
  });
}

/** An error that proves that nothing was sent, as the client's own do. */
const unsent = (error: unknown): Error => Object.assign(error instanceof Error ? error : new Error(String(error)), { outcome: "not_sent" });

/** What exits know of their orders while they are sent. */
interface Ordering {
  order(): ExitOrder | undefined;
  /** Called before an order is sent. */
  sent(intentId: string): void;
}

/** A client whose sells are recorded orders, sent as plans. */
function exitClientOf(desk: Desk, { order: orderOf, sent }: Ordering, signal: AbortSignal): ExitClient {
  const { client, record } = desk;
  // An order that the limits refuse is made again at each look. It is recorded once, as long as they say the same of the same bytes.
  const refused = new Map<string, { said: string; error: unknown }>();
  return {
    async sell(request, { intentId }) {
      const order = orderOf();
      let plan: Plan;
      let said: string | undefined;
      try {
        plan = (await client.plan("sell", request, { intentId })) as Plan;
        said = plan.refused ? `${plan.refused.code} ${plan.body}` : undefined;
        const before = refused.get(intentId);
        if (before && before.said === said) throw before.error;
        refused.delete(intentId);
        await record.exit(intentId, order?.reason ?? "", order ?? {});
        await recordPlan(desk, plan);
      } catch (error) {
        throw unsent(error);
      }
      sent(intentId);
      try {
        return await client.send(plan, { signal });
      } catch (error) {
        const { outcome, code } = error as { outcome?: string; code?: string };
        if (said !== undefined && outcome === "not_sent" && code === plan.refused?.code) refused.set(intentId, { said, error });
        throw error;
      }
    },
    pending: () => client.pending(),
    acknowledge: (intentId, found) => client.acknowledge(intentId, found),
    intentState: (intentId) => client.intentState(intentId),
  };
}

type Told = ExitEvent | { what: "error"; order: null; error: unknown };

/** How exits were carried out. */
interface CarriedOut {
  readonly exitCode: ExitCode;
  /** What last kept something from being sold, if anything did. */
  readonly why: string | undefined;
  /** Why it ended early, although an order may have been sent. */
  readonly failed?: Error;
}

/** How often a program that waits for its next look asks what a person asks for, in milliseconds. */
const ASKED_MS = 1_000;

/** Waits for the next look. What a person asks for meanwhile is not kept waiting. */
async function waitForLook(profile: Profile, everyMs: number, signal: AbortSignal): Promise<void> {
  const until = Date.now() + everyMs;
  do await pause(Math.min(ASKED_MS, until - Date.now()), signal);
  while (!signal.aborted && Date.now() < until && (await allKept(profile, [])).every(({ wish }) => !Object.keys(wish).length));
}

/** Carries exits out, look after look, until nothing is left to sell, `signal` ends it, or after one look. */
async function carryOut(desk: Desk, ids: readonly string[], { everyMs, isOnce, signal, tell }: { everyMs: number; isOnce: boolean; signal: AbortSignal; tell: (id: string, event: Told) => void }): Promise<CarriedOut> {
  const { Exits } = await import("launchpad-desk/launchpad");
  const { profile } = desk;
  const market = marketOf(desk);
  const running = new Map<string, Managed>();
  // Orders that were sent, and whose end is not kept yet.
  const sent = new Set<string>();
  const begin = ({ state }: Kept): Managed => {
    const ordering: Ordering = { order: () => begun.exits.order?.order, sent: (intentId) => void sent.add(intentId) };
    const begun: Managed = new Exits(state.plan).manage(exitClientOf(desk, ordering, signal), state.position, market, { kept: state, save: (now) => keep(profile, now) });
    return begun;
  };
  const isBegun = ({ state }: Kept): boolean => {
    const known = running.get(state.position.id);
    return known !== undefined && (!known.exits.isOver || BigInt(state.tokens) === 0n);
  };
  const grant = (id: string, managed: Managed): Promise<void> =>
    granted(profile, id, async ({ paused, closing }) => {
      if (paused === true) await managed.pause();
      if (paused === false) await managed.resume();
      if (closing) await managed.closeNow();
    });
  const isInDoubt = (): boolean => [...running.values()].some(({ exits }) => exits.order?.order.outcome);
  let exitCode: ExitCode = 0;
  let why: string | undefined;
  const look = async (): Promise<void> => {
    // Those that were set in the meantime begin now, and those that were set again begin anew.
    for (const kept of await allKept(profile, ids)) if (!isBegun(kept)) running.set(kept.state.position.id, begin(kept));
    // No other program can do what is asked for the profile's other exits.
    for (const kept of isOnce ? [] : await allKept(profile, [])) {
      const { id } = kept.state.position;
      if (isBegun(kept)) continue;
      if (kept.wish.closing) running.set(id, begin(kept));
      else if (kept.wish.paused !== undefined) await grant(id, begin(kept));
    }
    for (const [id, managed] of running) {
      if (signal.aborted) break;
      await grant(id, managed);
      const events: Told[] = [];
      if (managed.exits.order?.order.outcome === "unknown") await settledBy(desk, 0).catch((error: unknown) => events.push({ what: "error", order: null, error }));
      events.push(...(await managed.tick()));
      sent.clear();
      for (const event of events) {
        tell(id, event);
        exitCode = worse(exitCode, codeOf(event));
        if (event.error instanceof Error) why = event.error.message;
      }
    }
  };
  try {
    for (;;) {
      await look();
      const isOver = [...running.values()].every(({ exits }) => exits.isOver);
      if (isOnce || isOver || signal.aborted) break;
      await waitForLook(profile, everyMs, signal);
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!sent.size && !isInDoubt()) throw error;
    return { exitCode: 4, why: (error as Error).message, failed: error as Error };
  }
  if (isInDoubt()) return { exitCode: 4, why };
  return { exitCode: isOnce ? exitCode : 0, why };
}

/** Exit codes, the worst last: the more of them may have moved money, the worse. */
const WORST: readonly ExitCode[] = [0, 1, 2, 3, 5, 4];

const worse = (one: ExitCode, other: ExitCode): ExitCode => (WORST.indexOf(one) > WORST.indexOf(other) ? one : other);

/** How a look exits after this event. */
function codeOf({ what, error }: Told): ExitCode {
  if (what === "landed" || what === "over" || what === "ordered") return 0;
  const { outcome, code } = (error ?? {}) as { outcome?: string; code?: string };
  return outcome === undefined ? 1 : exitCodeOf({ outcome, code: code ?? "" });
}

/** An event in a line. */
async function lineOf(id: string, { what, order, error }: Told, decimals: number | null): Promise<string> {
  const amount = order ? await tokensOf(BigInt(order.tokens), decimals) : "";
  const why = error instanceof Error ? `: ${error.message}` : "";
  const says: Record<Told["what"], string> = {
    ordered: `sells ${amount} (${order?.reason} at ${order?.multiple})`,
    landed: `sold ${amount}`,
    not_sent: `not sent${why}`,
    did_not_land: `did not land${why}`,
    in_doubt: `unknown${why}; nothing else is ordered until it is settled`,
    no_look: `no price${why}`,
    error: `not settled yet${why}`,
    over: "nothing is left to sell",
  };
  return `${id}: ${says[what]}`;
}

async function lockRunner(profile: Profile): Promise<Lock> {
  await makeFolder(profile);
  return lock(await fileAt(runnerOf(profile)), "list of exits");
}

/** Runs `work` as the one program that carries out exits of a profile. */
async function alone<T>(profile: Profile, work: () => Promise<T>): Promise<T> {
  const held = await lockRunner(profile);
  try {
    return await work();
  } finally {
    await held.release();
  }
}

/** The least time between two looks. */
const LEAST_EVERY_MS = 100;

/** Carries exits out with a person's consent, and tells what happens. */
async function sell(command: string, desk: Desk, ids: readonly string[], { json, every, once, realtime }: RunOptions): Promise<void> {
  const { profile, sandbox } = desk;
  const everyMs = Math.max(LEAST_EVERY_MS, 1_000 * Number(wholeOf("every", every, 3_600)));
  // A plan protects a position, whether or not anyone reads what is printed.
  process.stdout.once("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") process.stderr.write("Nobody reads the output any more. The exits are carried out as before: Ctrl-C ends that.\n");
  });
  const stopTime = sandbox && passTime(sandbox, realtime === undefined ? 1 : factorOf(realtime));
  let told: Promise<void> = Promise.resolve();
  const decimals = new Map<string, number | null>();
  for (const one of json ? [] : await allKept(profile, ids)) decimals.set(one.state.position.id, (await seen(desk, one)).decimals);
  const tell = (id: string, event: Told): void => {
    const { what, order, error } = event;
    const document = { command, profile: profile.name, mode: modeOf(profile), position: id, what, order, error: error instanceof Error ? { ...error, message: error.message } : null };
    told = told.then(async () => void process.stdout.write(`${json ? JSON.stringify(document, exactly) : await lineOf(id, event, decimals.get(id) ?? null)}\n`));
  };
  try {
    const { exitCode, why, failed } = await interruptible((signal) => carryOut(desk, ids, { everyMs, isOnce: once === true, signal, tell }), null);
    await told;
    if (failed) {
      const next = "`launchpad-desk settle` and the next `exits run --send` find out how its order ended.";
      process.stderr.write(`${failed.message}\n`);
      return print(json, command, profile, exitCode, { outcome: "unknown", error: { message: failed.message }, next }, [`It ended while an order was not settled. ${next}`]);
    }
    const all: Seen[] = [];
    for (const one of await allKept(profile, ids)) all.push(await seen(desk, one));
    const settle = exitCode === 4 ? "`launchpad-desk settle` finds out how it ended." : null;
    if (command !== "exits close") return await showSeen(json, command, desk, all, exitCode, settle);
    const [left] = all.filter(({ state }) => BigInt(state.tokens) > 0n);
    if (!left) return await showSeen(json, command, desk, all, 0, null);
    await showSeen(json, command, desk, all, worse(exitCode, 1), settle ?? `Not sold yet: ${why ?? whyNot(left)}. The next \`exits run --send\` or \`exits close --send\` tries again.`);
  } finally {
    stopTime?.();
  }
}

/** Why nothing of a position was ordered that is to be sold. */
function whyNot({ state, problem, held, atMs }: Seen): string {
  if (problem) return `there is no price (${problem})`;
  if (held === 0n) return "the wallet holds none of it";
  const notBeforeMs = state.tries.at(-1)?.notBeforeMs ?? 0;
  if (notBeforeMs > atMs) return `an order did not land, and the next one may be made after ${new Date(notBeforeMs).toISOString()}`;
  return "this look ordered nothing";
}

function checkTime({ sandbox }: Profile, { realtime }: RunOptions): void {
  if (realtime !== undefined && !sandbox) throw new UsageError("--realtime is for a sandbox: other time passes by itself");
}

async function run(ids: string[], options: RunOptions): Promise<void> {
  const { profile, json, send, yes } = options;
  if (yes && !send) throw new UsageError("--yes belongs to --send");
  if (send && !yes && !process.stdin.isTTY) throw new UsageError("this is not a terminal: pass --yes with --send to carry them out without asking");
  const chosen = await readProfile(profile);
  checkTime(chosen, options);
  const kept = await allKept(chosen, ids);
  if (!kept.length) throw new UsageError("no position has exits: `launchpad-desk exits set` sets some");
  if (!send) return inWorld(chosen, (world) => show(json, "exits run", world, kept, 0, "Nothing was sent: add --send."));
  if (!yes) {
    await inWorld(chosen, async (world) => {
      marketOf(world);
      for (const one of kept) process.stderr.write(`${(await linesOf(await seen(world, one))).join("\n")}\n`);
    });
    // While a person thinks, other programs can carry exits out, and close them.
    if (!(await isConfirmed("Carry them out?", "pass --yes to carry them out without asking"))) return print(json, "exits run", chosen, 1, { outcome: "not_sent" }, ["Nothing was sent."]);
  }
  await alone(chosen, () => atDesk(chosen, (desk) => sell("exits run", desk, ids, options)));
}

/** The exits of a position, which must have some. */
async function known(profile: Profile, id: string): Promise<Kept> {
  const [kept] = await allKept(profile, [id]);
  return kept!;
}

async function close(id: string, options: RunOptions & Waiting): Promise<void> {
  const { profile, json, send, yes, within } = options;
  if (yes && !send) throw new UsageError("--yes belongs to --send");
  if (send && !yes && !process.stdin.isTTY) throw new UsageError("this is not a terminal: pass --yes with --send to sell without asking");
  const withinMs = msOf(within);
  const chosen = await readProfile(profile);
  checkTime(chosen, options);
  const kept = await known(chosen, id);
  const closing: Kept = { ...kept, wish: { ...kept.wish, closing: true } };
  if (!send) return inWorld(chosen, (world) => show(json, "exits close", world, [closing], 0, "Nothing was sent: add --send."));
  if (!yes && !(await isConfirmed(`Sell all that is left of ${id}?`, "pass --yes to sell without asking"))) return print(json, "exits close", chosen, 1, { outcome: "not_sent" }, ["Nothing was sent."]);
  if (await runnerAt(chosen)) {
    const closed = await closedByRunner(chosen, id, withinMs);
    if (closed) return print(json, "exits close", chosen, closed.exitCode, { exits: [(await known(chosen, id)).state], next: closed.next }, [closed.next]);
  }
  const held = await lockRunner(chosen).catch((error: Error) => {
    throw new Error(`nothing was sold: ${error.message}`);
  });
  try {
    await atDesk(chosen, async (desk) => {
      await ask(chosen, id, { closing: true });
      await sell("exits close", desk, [id], { ...options, once: true });
    });
  } finally {
    await held.release();
  }
}

/** How often to look whether a program has done what was asked for, in milliseconds. */
const DONE_MS = 100;

/** Has the program that carries exits out close a position, and waits for that. Undefined if it does not: then it sells nothing of it. */
async function closedByRunner(profile: Profile, id: string, withinMs: number): Promise<{ exitCode: ExitCode; next: string } | undefined> {
  await ask(profile, id, { closing: true });
  const until = Date.now() + withinMs;
  for (;;) {
    const [isEnded, isLate] = [!(await runnerAt(profile)), Date.now() >= until];
    const isWaiting = !(await isTaken(profile, id));
    const isBack = isWaiting && isLate && (await takeBack(profile, id));
    const { state } = await known(profile, id);
    if (BigInt(state.tokens) === 0n) return { exitCode: 0, next: "The program that carries out its exits has closed it: nothing is left to sell." };
    if (isEnded) return undefined;
    const doubt = state.order?.outcome && { exitCode: 4 as const, next: `Its order ${state.order.intentId} is in doubt, and nothing else is ordered until it is settled.` };
    if (doubt && !isWaiting) return doubt;
    // An order that is being sent may sell it.
    if (isBack && !state.order) return undefined;
    if (isLate) return doubt || { exitCode: 4, next: `The program that carries out its exits is still selling it: \`launchpad-desk exits list\` shows what is left.` };
    await pause(DONE_MS, undefined);
  }
}

/** Who carries out the exits of a profile now, as far as is known. */
async function runnerAt(profile: Profile): Promise<Holder | undefined> {
  await makeFolder(profile);
  const holder = (await holderAt(await fileAt(runnerOf(profile))))?.holder;
  return holder && (await isRunning(holder)) !== "no" ? holder : undefined;
}

/** The longest that `--within` waits, in seconds. */
const MOST_WITHIN = 3_600;

const msOf = (within: string): number => 1_000 * Number(wholeOf("within", within, MOST_WITHIN));

/** Pauses exits, or lets them order again. */
const pausing = (name: "pause" | "resume") => async (id: string, { profile, json, within }: Waiting): Promise<void> => {
  const until = Date.now() + msOf(within);
  const chosen = await readProfile(profile);
  const { state } = await known(chosen, id);
  await ask(chosen, id, { paused: name === "pause" });
  const isLeft = BigInt(state.tokens) > 0n;
  let runner: Holder | undefined;
  while (isLeft && !(await isTaken(chosen, id)) && (runner = await runnerAt(chosen)) && Date.now() < until) await pause(DONE_MS, undefined);
  const isLate = isLeft && runner !== undefined && !(await isTaken(chosen, id));
  const said = isLate ? `process ${runner!.pid}, which carries exits out, has not taken this yet: until then its exits go on as before.` : name === "pause" ? "It orders nothing until it is resumed." : "It orders again.";
  print(json, `exits ${name}`, chosen, isLate ? 1 : 0, { exits: [{ ...state, paused: name === "pause" }], next: isLate ? said : null }, [`${id}: ${said}`]);
};

async function remove(id: string, { profile, json }: Common): Promise<void> {
  const chosen = await readProfile(profile);
  const { state } = await known(chosen, id);
  await alone(chosen, () => forget(chosen, id));
  print(json, "exits remove", chosen, 0, { exits: [] }, [`${id}: has no exits any more${state.order ? `; its order ${state.order.intentId} was not settled` : ""}.`]);
}

/** Adds the commands. */
export function addExits(program: Command): void {
  const exits = program.command("exits").summary("leave positions by a plan: profits, stops, time").description("Sets a plan of exits on a position, and carries it out: each rule's order is recorded, and sent once.");
  const added = (name: string, summary: string): Command => withProfile(exits.command(name).summary(summary));

  const setting = withExitPlan(added("set", "set a plan of exits on a position").argument("<position>", "the intent id of the buy that opened it, as the record has it; or a name of your own, with the options below"))
    .option("--slippage <percent>", "how far the price may move until a sell arrives; a stop needs a wide one (default: the service's)")
    .option("--from-wallet <wallet>", "the wallet that holds it")
    .option("--mint <mint>", "the token")
    .option("--tokens <amount>", "whole tokens to sell in all")
    .option("--cost <sol>", "what they cost in SOL, fees included, without rent")
    .option("--fee-payer <wallet>", "the wallet that pays the network fee of its sells");
  withExample(setting, "exits set signal-1 --take-profit 2x:50% --stop-loss 0.7x --hold 3600 --slippage 10").action(set);

  withExample(added("list", "show the exits of positions, and what they would do now").argument("[positions...]", "which (default: all that are not over)"), "exits list").action(list);

  const sending = (command: Command): Command =>
    command
      .option("--send", "send what is ordered, after asking; without this, it only shows what it would do")
      .option("--yes", "with --send: do not ask")
      .option("--every <seconds>", "how long to wait between two looks", "1")
      .option("--realtime [factor]", "in a sandbox: how many times as fast as a clock its time passes (default: 1)");
  const running = sending(added("run", "carry exits out, until nothing is left to sell or Ctrl-C").argument("[positions...]", "which (default: all)")).option("--once", "take a single look, such as for cron");
  withExample(running, "exits run --send --yes").action(run);

  const waiting = (command: Command): Command => command.option("--within <seconds>", "how long to wait for the program that carries exits out, if one runs", "30");
  const closing = waiting(sending(added("close", "sell all that is left of a position now").argument("<position>", "its name, as `exits list` prints it")));
  withExample(closing, "exits close signal-1 --send").action(close);

  const switches = { pause: "order nothing until it is resumed", resume: "order again" } as const;
  for (const [name, summary] of Object.entries(switches)) withExample(waiting(added(name, summary).argument("<position>", "its name, as `exits list` prints it")), `exits ${name} signal-1`).action(pausing(name as keyof typeof switches));
  withExample(added("remove", "remove the exits of a position; what it holds stays").argument("<position>", "its name, as `exits list` prints it"), "exits remove signal-1").action(remove);
}
