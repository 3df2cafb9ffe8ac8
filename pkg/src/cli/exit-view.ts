// What the exits of positions are, and what they would do now, for a person and as a document.

import type { ExitMarket, OpenExits } from "launchpad-desk/market";
import type { ExitOrder, ExitPlan, ExitState } from "../generated.js";
import { fileAt } from "../node/place.js";
import { modeSaid } from "../node/stop.js";
import { type ExitCode, UsageError } from "./command.js";
import { type World, clientOf, journalOf } from "./desk.js";
import type { Kept, Wish } from "./exit-files.js";
import { print } from "./show.js";

/** Exits with what a look at the market says about them. */
export interface Seen extends Kept {
  /** What selling all that is left would bring, compared with what was paid; null without a price. */
  readonly multiple: string | null;
  /** What would be sold now; null if nothing. */
  readonly order: ExitOrder | null;
  readonly problem: string | null;
  /** Why none of its sells would be sent; null if they would. */
  readonly refused: string | null;
  /** Base units of the token that the wallet holds; null if that is not known. */
  readonly held: bigint | null;
  readonly atMs: number;
  /** Whether the curve is complete: then no rule sells any more. */
  readonly isComplete: boolean;
  /** Whether there is no price because what the position is said to hold or to have cost cannot be so. */
  readonly isWrong: boolean;
}

/** Where the exits of a profile see their price. */
export function marketOf({ sandbox, market, profile }: World): ExitMarket {
  const seen = sandbox ?? market;
  if (!seen) throw new UsageError(`profile ${profile.name} has no node (rpc), and exits need a price`);
  return seen as ExitMarket;
}

/** Why, without the outcome with which an error of the client begins, also in the words of another. */
export const reasonIn = (message: string): string => message.replace(/(^|: )(?:not sent|outcome unknown): /g, "$1");

/** Why a profile's limits refuse each sell of exits; null if they do not. */
export async function refusedByLimits(
  { profile, sandbox }: World,
  { position: { mint, wallet, feePayer }, plan: { slippage } }: ExitState,
): Promise<string | null> {
  const request = {
    mint,
    fromWallet: wallet,
    percentage: 100,
    ...(feePayer && { feePayer }),
    ...(slippage && { slippage }),
  };
  try {
    const client = await clientOf(profile, sandbox && { fetch: sandbox.fetch });
    const { refused } = await client.plan("sellByPercentage", request, { price: () => undefined });
    return refused && reasonIn(refused.message);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Why none of the sells of exits would be sent now; null if they would. */
const refusedNow = async (world: World, state: ExitState): Promise<string | null> =>
  modeSaid(await fileAt(journalOf(world.profile))) === "halted"
    ? `trading is halted, and \`launchpad-desk resume${world.profile.option}\` allows it again`
    : refusedByLimits(world, state);

/** What was asked for and not carried out, applied to a copy. */
function wished(exits: OpenExits, { paused, closing }: Wish): void {
  if (paused === true) exits.pause();
  if (paused === false) exits.resume();
  if (closing) exits.closeNow();
}

/** Exits without a look at the market, and why there is none. */
export const notSeen = (kept: Kept, problem: string | null): Seen => ({
  ...kept,
  ...{ multiple: null, order: null, refused: null, held: null, isComplete: false, isWrong: false, atMs: Date.now() },
  problem,
});

/** Looks at the market for exits. Nothing changes. */
export async function seen(world: World, kept: Kept): Promise<Seen> {
  const { Curve, Exits } = await import("launchpad-desk/market");
  const { state, wish } = kept;
  const { mint, wallet } = state.position;
  const exits = new Exits(state.plan).open(state.position, state);
  wished(exits, wish);
  const refused = await refusedNow(world, state);
  let { decimals } = kept;
  try {
    const look = await marketOf(world).look(mint, [wallet]);
    const curve = look.curve instanceof Curve ? look.curve : new Curve(look.curve);
    const holding = look.wallets?.find((one) => one.wallet === wallet);
    const [atMs, held] = [look.atMs ?? Date.now(), holding ? (holding.holding?.tokens ?? 0n) : null];
    const at = { atMs, walletTokens: held };
    try {
      const { complete: isComplete, launchpad } = curve;
      decimals = launchpad.tokenDecimals;
      // Nothing is decided on it, so nothing else is shown by it.
      if (look.stale) throw new Error("the market stands still: it has had no new slot for too long");
      const multiple = exits.multiple(curve, at);
      const order = (exits.order ?? exits.next(curve, at))?.order ?? null;
      const { best } = exits.state;
      return {
        ...{ state: { ...state, best }, wish, decimals },
        ...{ multiple, order, problem: null, refused, isComplete, isWrong: false, held, atMs },
      };
    } finally {
      curve.free();
    }
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { ...notSeen({ ...kept, decimals }, message), refused, isWrong: code === "invalid_options" };
  } finally {
    exits.free();
  }
}

/** An amount of tokens. Without the token's decimals it stays in base units: any others would be a guess. */
export async function tokensOf(units: bigint, decimals: number | null): Promise<string> {
  return decimals === null
    ? `${units} base units`
    : `${(await import("launchpad-desk")).fromBaseUnits(units, decimals)} tokens`;
}

function rulesOf({ takeProfit, stopLoss, breakEvenAfter, trailing, timeMs, onGraduation }: ExitPlan): string {
  const rules = [
    ...(takeProfit ?? []).map(({ at, sell }) => `${sell} at ${at}`),
    ...(stopLoss ? [`all at ${stopLoss} or below`] : []),
    ...(breakEvenAfter ? [`all at 1x or below once it was ${breakEvenAfter}`] : []),
    ...(trailing
      ? [`all at ${trailing.by} below its best${trailing.from ? `, once that was ${trailing.from}` : ""}`]
      : []),
    ...(timeMs ? [`all after ${Number(timeMs) / 1_000} s`] : []),
    ...(onGraduation ? [`all once ${onGraduation.from} of the curve is sold`] : []),
  ];
  return rules.length ? rules.join("; ") : "nothing by itself";
}

export async function linesOf({
  state,
  wish,
  decimals,
  multiple,
  order,
  problem,
  refused,
  isComplete,
}: Seen): Promise<string[]> {
  const { lamportsToSol } = await import("launchpad-desk");
  const { id, mint, wallet } = state.position;
  const isPaused = wish.paused ?? state.paused;
  const left = `${await tokensOf(BigInt(state.tokens), decimals)}, which cost ${lamportsToSol(BigInt(state.costLamports))} SOL`;
  const sold = BigInt(state.tokens) === 0n;
  const doubt = state.order?.outcome
    ? `In doubt: ${state.order.intentId} (${state.order.outcome}); nothing else is ordered until it is settled.`
    : undefined;
  const stands = isComplete
    ? "The curve is complete, so no rule sells any more: `exits close` tries to, once."
    : `Stands at ${multiple ?? "no price"}, best ${state.best}.`;
  if (sold) return [`${id}: nothing is left to sell of ${mint} in ${wallet}`];
  const about = order && ` ${await tokensOf(BigInt(order.tokens), decimals)} (${order.reason})`;
  const sells = about ? `sells${about} for about ${lamportsToSol(order.expectedLamports)} SOL` : "sells nothing";
  const not = about ? `would sell${about}, but it is not sent` : "sells nothing, and no sell of it is sent";
  return [
    `${id}: ${left}, of ${mint} in ${wallet}`,
    `  Sells ${rulesOf(state.plan)}.`,
    `  ${problem ? `No price: ${problem}.` : stands}${isPaused ? " Paused." : ""} ${doubt ?? `Now: ${refused ? `${not}: ${refused}` : sells}.`}`,
  ];
}

/** Exits in a document: without what of their state only their next look needs. */
export function documentOf({ state, wish, multiple, order: now, problem, refused }: Seen): object {
  const { plan, position, tokens, costLamports, rungsSold, best, order, completed } = state;
  const [paused, closing] = [wish.paused ?? state.paused, wish.closing ?? state.closing];
  const known = { plan, position, tokens, costLamports, rungsSold, best, order, completed, paused, closing };
  return { ...known, multiple, now, problem, refused };
}

interface Shown {
  json: boolean | undefined;
  command: string;
  world: World;
}

export async function show(
  shown: Shown,
  kept: readonly Kept[],
  exitCode: ExitCode,
  next: string | null,
): Promise<void> {
  const all: Seen[] = [];
  for (const one of kept) all.push(await seen(shown.world, one));
  return showSeen(shown, all, exitCode, next);
}

export async function showSeen(
  { json, command, world }: Shown,
  all: readonly Seen[],
  exitCode: ExitCode,
  next: string | null,
): Promise<void> {
  const lines = (await Promise.all(all.map(linesOf))).flat();
  print({ json, command, profile: world.profile, exitCode }, { exits: all.map(documentOf), next }, [
    ...(lines.length ? lines : ["No position has exits."]),
    ...(next ? [next] : []),
  ]);
}
