// The one program that carries out the exits of a profile: its looks, its orders, and how others ask it to close a position.

import type { Plan } from "launchpad-desk";
import type { ExitClient, ExitEvent, Managed } from "launchpad-desk/market";
import { linked } from "../abort.js";
import { within } from "../bound.js";
import type { ExitOrder } from "../generated.js";
import { type Holder, type Lock, holderAt, isRunning, lock } from "../node/lock.js";
import { fileAt } from "../node/place.js";
import { Since } from "../since.js";
import { LEARNS, type Learning } from "../symbols.js";
import { pause } from "../watching.js";
import type { ExitCode } from "./command.js";
import type { Desk } from "./desk.js";
import {
  type Kept,
  type Wish,
  allKept,
  ask,
  forget,
  granted,
  isPausedNow,
  isTaken,
  keep,
  keptOf,
  known,
  makeFolder,
  runnerOf,
  takeBack,
} from "./exit-files.js";
import { marketOf } from "./exit-view.js";
import { planOf, recordPlan } from "./planning.js";
import type { Profile } from "./profile.js";
import { exitCodeOf } from "./show.js";
import { settledBy } from "./unresolved.js";

/** Makes this the one program that carries out exits of a profile. */
export async function lockRunner(profile: Profile): Promise<Lock> {
  await makeFolder(profile);
  return lock(await fileAt(runnerOf(profile)), "list of exits");
}

/** Runs `work` as that program. */
export async function alone<T>(profile: Profile, work: () => Promise<T>): Promise<T> {
  const held = await lockRunner(profile);
  try {
    return await work();
  } finally {
    await held.release();
  }
}

/** How often to look whether a program has done what was asked for, in milliseconds. */
export const DONE_MS = 100;

/** Has the program that carries exits out close a position, and waits for that. Undefined if it does not: then it sells nothing of it. */
export async function closedByRunner(
  profile: Profile,
  id: string,
  withinMs: number,
): Promise<{ exitCode: ExitCode; next: string } | undefined> {
  await ask(profile, id, { closing: true });
  const until = Date.now() + withinMs;
  for (;;) {
    const [isEnded, isLate] = [!(await runnerAt(profile)), Date.now() >= until];
    const isWaiting = !(await isTaken(profile, id));
    const isBack = isWaiting && isLate && (await takeBack(profile, id, "closing"));
    const { state } = await known(profile, id);
    if (BigInt(state.tokens) === 0n) return { exitCode: 0, next: "Nothing is left to sell." };
    if (isEnded) return undefined;
    const doubt = state.order?.outcome && {
      exitCode: 4 as const,
      next: `Its order ${state.order.intentId} is in doubt, and nothing else is ordered until it is settled.`,
    };
    if (doubt && !isWaiting) return doubt;
    // An order that is being sent may sell it.
    if (isBack && !state.order) return undefined;
    if (isLate)
      return (
        doubt || {
          exitCode: 4,
          next: `The program that carries out its exits has not sold all of it yet, and may be selling it: \`launchpad-desk exits list${profile.option}\` shows what is left.`,
        }
      );
    await pause(DONE_MS, undefined);
  }
}

/** Has the program that carries exits out do what is asked for, and waits for that. False if none does: then it does nothing of it later. */
export async function doneByRunner(profile: Profile, id: string, wish: Wish, withinMs: number): Promise<boolean> {
  if (!(await runnerAt(profile))) return false;
  await ask(profile, id, wish);
  const until = Date.now() + withinMs;
  for (;;) {
    const isLate = Date.now() >= until;
    const isEnded = !(await runnerAt(profile));
    if (!Object.keys((await keptOf(profile, id))?.wish ?? {}).length) return true;
    if ((isLate || isEnded) && (await takeBack(profile, id, Object.keys(wish)[0] as keyof Wish))) return false;
    if (isEnded) return false;
    await pause(DONE_MS, undefined);
  }
}

/** Who carries out the exits of a profile now, as far as is known. */
export async function runnerAt(profile: Profile): Promise<Holder | undefined> {
  await makeFolder(profile);
  const holder = (await holderAt(await fileAt(runnerOf(profile))))?.holder;
  return holder && (await isRunning(holder)) !== "no" ? holder : undefined;
}

/** An error that proves that nothing was sent, as the client's own do. */
const unsent = (error: unknown): Error =>
  Object.assign(error instanceof Error ? error : new Error(String(error)), { outcome: "not_sent" });

/** What exits know of their orders while they are sent. */
interface Ordering {
  /** Gets the decimals of the token once a look says them. */
  learns(decimals: number): void;
  /** Whether a person has paused them since the order was made. */
  isPaused(): boolean;
  order(): ExitOrder | undefined;
  sent(): void;
}

/** For how long an exit, which is decided, waits for the price in its record, in milliseconds. */
const PRICE_MS = 1_000;

/** A client whose sells are recorded orders, sent as plans. */
function exitClientOf(
  desk: Desk,
  { order: orderOf, sent, isPaused, learns }: Ordering,
  signal: AbortSignal,
): ExitClient & Learning {
  const { client, record, beforeSends } = desk;
  // An order that the limits refuse is made again at each look. It is recorded once, as long as they say the same of the same bytes.
  const refused = new Map<string, { said: string; error: unknown }>();
  return {
    async sell(request, { intentId }) {
      const order = orderOf();
      let plan: Plan;
      let said: string | undefined;
      try {
        plan = await planOf(desk, "sell", request, { intentId }, PRICE_MS);
        said = plan.refused ? `${plan.refused.code} ${plan.body}` : undefined;
        const before = refused.get(intentId);
        if (before && before.said === said) throw before.error;
        refused.delete(intentId);
        await record.exit(intentId, order?.reason ?? "", order ?? {});
        await recordPlan(desk, plan, PRICE_MS);
      } catch (error) {
        throw unsent(error);
      }
      const stop = linked(signal);
      const ask = (): void => {
        if (isPaused()) stop.end();
      };
      sent();
      beforeSends.add(ask);
      try {
        return await client.send(plan, { signal: stop.signal });
      } catch (error) {
        const { outcome, code } = error as { outcome?: string; code?: string };
        if (said !== undefined && outcome === "not_sent" && code === plan.refused?.code)
          refused.set(intentId, { said, error });
        throw error;
      } finally {
        beforeSends.delete(ask);
        stop.end();
      }
    },
    tokenDecimals: client.tokenDecimals,
    [LEARNS](mint: string, decimals: number) {
      learns(decimals);
      (client as Learning)[LEARNS]?.(mint, decimals);
    },
    pending: () => client.pending(),
    acknowledge: (intentId, found) => client.acknowledge(intentId, found),
    settle: () => settledBy(desk, 0),
    intentState: (intentId) => client.intentState(intentId),
    plan: (operation, request) => client.plan(operation, request),
    endedTrade: (intentId) => client.endedTrade(intentId),
  };
}

/** For how long what the chain denies is asked before the first look, in milliseconds. After that it counts once it is known. */
const DENIED_MS = 5_000;

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

/** Waits until a look is due, and resolves to whether a person asks for something. Each end of a look may make another one due. */
async function waitForLook(
  {
    leftMs,
    isOver,
    ended,
    isAsked,
  }: { leftMs(): number; isOver(): boolean; ended(): Promise<void>; isAsked(): Promise<boolean> },
  signal: AbortSignal,
): Promise<boolean> {
  while (leftMs() > 0 && !isOver() && !signal.aborted) {
    const rest = linked(signal);
    await Promise.race([ended(), pause(Math.min(ASKED_MS, leftMs()), rest.signal)]);
    rest.end();
    if (await isAsked()) return true;
  }
  return false;
}

const unsentBy = (error: unknown): ExitEvent => ({
  what: "not_sent",
  order: null,
  error,
  soldTokens: null,
  receivedLamports: null,
});

/** Whether all is sold, and what that has brought is still missing. */
const isUntold = ({ exits, isOver }: Managed): boolean => exits.isOver && !isOver;

/** Carries exits out, look after look, until nothing is left to sell, `signal` ends it, or after one look. */
export async function carryOut(
  desk: Desk,
  ids: readonly string[],
  {
    everyMs,
    isOnce,
    signal,
    tell,
  }: {
    everyMs: number;
    isOnce: boolean;
    signal: AbortSignal;
    tell: (id: string, event: ExitEvent, decimals: number | null) => void;
  },
): Promise<CarriedOut> {
  const { Exits } = await import("launchpad-desk/market");
  const { profile } = desk;
  const market = marketOf(desk);
  // What the chain denies of trades that other commands have made is no position.
  if (desk.market && profile.client["gateway"] !== true) await within(DENIED_MS, settledBy(desk, 0), () => undefined);
  const running = new Map<string, Managed>();
  // The positions whose order was sent, and whose end is not kept yet.
  const sent = new Set<string>();
  // The decimals of each position's token.
  const known = new Map<string, number | null>();
  // When the last look of each position began: a slow node makes its looks no rarer.
  const looked = new Map<string, Since>();
  // When it was last asked which positions have exits: some may be set while the looks at all others are under way.
  let foundAll = new Since();
  const begin = ({ state, decimals }: Kept, plan = state.plan): Managed => {
    looked.delete(state.position.id);
    known.set(state.position.id, decimals);
    if (desk.market && decimals !== null) (desk.client as Learning)[LEARNS]?.(state.position.mint, decimals);
    const ordering: Ordering = {
      learns: (shown) => void known.set(state.position.id, shown),
      order: () => begun.exits.order?.order,
      sent: () => void sent.add(state.position.id),
      isPaused: () => isPausedNow(profile, state.position.id),
    };
    const begun: Managed = new Exits(plan).manage(exitClientOf(desk, ordering, signal), state.position, market, {
      kept: state,
      replacePlan: plan !== state.plan,
      save: (now) => keep(profile, now, known.get(state.position.id) ?? null),
    });
    return begun;
  };
  /** Does what was asked for. Resolves to the exits by their plan of now; undefined if they were removed. */
  const grant = async (id: string, managed: Managed): Promise<Managed | undefined> => {
    let own: Managed | undefined = managed;
    await granted(profile, id, async ({ paused, closing, plan, removed }) => {
      if (removed) {
        own = undefined;
        return forget(profile, id);
      }
      if (!own) return;
      if (plan)
        try {
          own = begin({ state: own.exits.state, decimals: known.get(id) ?? null, wish: {} }, plan);
        } catch (error) {
          // Take-profits that have acted since leave too little for it.
          tell(id, unsentBy(error), known.get(id) ?? null);
        }
      if (plan) await keep(profile, own.exits.state, known.get(id) ?? null);
      if (paused === true) await own.pause();
      if (paused === false) await own.resume();
      if (closing) await own.closeNow();
    });
    return own;
  };
  const isInDoubt = (): boolean => [...running.values()].some(({ exits }) => exits.order?.order.outcome);
  let exitCode: ExitCode = 0;
  // Of positions that are protected no longer.
  let lasting: ExitCode = 0;
  let why: string | undefined;
  // The looks that are under way, by position and by wallet. A wallet has one trade in flight, so its positions take turns; those of others
  // do not wait for an answer that takes its time.
  const [busy, turns, failures] = [new Map<string, Promise<void>>(), new Map<string, Promise<void>>(), [] as unknown[]];
  const leftMs = (id: string, managed: Managed): number =>
    (isUntold(managed) ? Math.min(everyMs, ASKED_MS) : everyMs) - (looked.get(id)?.ageMs ?? Infinity);
  const tick = async (id: string, managed: Managed): Promise<void> => {
    if (signal.aborted || failures.length) return;
    const own = await grant(id, managed);
    if (!own) return void running.delete(id);
    running.set(id, own);
    looked.set(id, new Since());
    const events = await own.tick().catch((error: unknown): ExitEvent[] => {
      // The limits would refuse every order of it, or its time is not of this clock. The others go on.
      if ((error instanceof TypeError || (error as { code?: string }).code === "invalid_options") && !sent.has(id))
        return [unsentBy(error)];
      throw error;
    });
    sent.delete(id);
    for (const event of events) {
      const { order, soldTokens, receivedLamports } = event;
      if (order && receivedLamports !== null)
        await desk.record.exit(order.intentId, "received", { soldTokens, receivedLamports });
      tell(id, event, known.get(id) ?? null);
      exitCode = worse(exitCode, codeOf(event));
      if (event.order === null && ["completed", "gone", "over"].includes(event.what))
        lasting = worse(lasting, codeOf(event));
      if (event.error instanceof Error) why = event.error.message;
    }
    // A record that cannot be kept keeps every later order from being sent. Only a new start goes on.
    await desk.record.written();
  };
  /** Looks at the positions whose look is due, or at all of them once a person has asked for something. */
  const look = async (isAsked: boolean): Promise<void> => {
    foundAll = new Since();
    // What is read of them may be from before the end of their look.
    const before = new Set(busy.keys());
    const isBegun = ({ state: { position, tokens } }: Kept): boolean => {
      const known = running.get(position.id);
      return before.has(position.id) || (known !== undefined && (!known.exits.isOver || BigInt(tokens) === 0n));
    };
    // Those that were set in the meantime begin now, and those that were set again begin anew.
    for (const kept of await allKept(profile, ids))
      if (!isBegun(kept)) running.set(kept.state.position.id, begin(kept));
    // No other program can do what is asked for the profile's other exits.
    for (const kept of isOnce ? [] : await allKept(profile, [])) {
      const { id } = kept.state.position;
      if (isBegun(kept)) continue;
      if (kept.wish.closing) running.set(id, begin(kept));
      else if (Object.keys(kept.wish).length) await grant(id, begin(kept));
    }
    for (const [id, managed] of running) {
      if (busy.has(id) || !(isAsked || leftMs(id, managed) <= 0)) continue;
      const { wallet, feePayer } = managed.exits.state.position;
      const names = [wallet, feePayer ?? wallet];
      const turn = Promise.all(names.map((name) => turns.get(name)))
        .then(() => tick(id, managed))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => busy.delete(id));
      busy.set(id, turn);
      for (const name of names) turns.set(name, turn);
    }
  };
  const settled = (): Promise<unknown> => Promise.all(busy.values());
  const isEnded = ({ exits, isOver }: Managed): boolean => {
    if (exits.isOver) return isOver;
    const { completed, order, closing, closeTried } = exits.state;
    return completed === true && !order && (!closing || closeTried === true);
  };
  const isOver = (): boolean => [...running.values()].every(isEnded);
  const waiting = {
    leftMs: () =>
      Math.min(everyMs - foundAll.ageMs, ...[...running].filter(([id]) => !busy.has(id)).map((one) => leftMs(...one))),
    isOver: () => failures.length > 0 || isOver(),
    ended: () => Promise.race(busy.values()),
    // A look that is under way takes what is asked for once it has ended.
    isAsked: async () =>
      (await allKept(profile, [])).some(
        ({ state, wish }) => !busy.has(state.position.id) && Object.keys(wish).length > 0,
      ),
  };
  try {
    for (let isAsked = false; ;) {
      await look(isAsked);
      if (isOnce) break;
      isAsked = await waitForLook(waiting, signal);
      if (waiting.isOver() || signal.aborted) break;
    }
    await settled();
    if (failures.length) throw failures[0];
  } catch (error) {
    // No look begins after a failure. The orders that are under way end before the program does.
    failures.push(error);
    await settled();
    if (!sent.size && !isInDoubt()) throw error;
    return { exitCode: 4, why: (error as Error).message, failed: error as Error };
  }
  if (isInDoubt()) return { exitCode: 4, why };
  return { exitCode: isOnce ? exitCode : lasting, why };
}

/** Exit codes, the worst last: the more of them may have moved money, the worse. */
const WORST: readonly ExitCode[] = [0, 1, 2, 3, 5, 4];

export const worse = (one: ExitCode, other: ExitCode): ExitCode =>
  WORST.indexOf(one) > WORST.indexOf(other) ? one : other;

/** How a look exits after this event. */
function codeOf({ what, error }: ExitEvent): ExitCode {
  if (what === "landed" || what === "ordered" || what === "received" || (what === "over" && error === null)) return 0;
  const { outcome, code } = (error ?? {}) as { outcome?: string; code?: string };
  return outcome === undefined ? 1 : exitCodeOf({ outcome, code: code ?? "" });
}
