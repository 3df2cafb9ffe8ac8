// What a profile's record says of its trades: how each ended, and what wallets paid for what they hold. Nothing is locked or changed.

import type { Operation, Plan, TradeIntent } from "launchpad-desk";
import type { Position } from "launchpad-desk/market";
import { estimatedReceipts } from "../estimates.js";
import type { Body } from "../body.js";
import { type IntentOutcome, SIDES, type TradeReceipt } from "../generated.js";
import { LONGEST, readChecked, readLines } from "../node/lines.js";
import { journalOf, readRecord } from "./desk.js";
import type { Profile } from "./profile.js";

/** A trade of a record that was begun. */
export interface Recorded {
  readonly intentId: string;
  readonly operation: Operation;
  readonly mint: string;
  /** Who pays the network fee: in a single trade the wallet, unless another is named. */
  readonly feePayer: string | null;
  /** When it was begun, in milliseconds since 1970. */
  readonly atMs: number;
  readonly body: string;
  /** The signature of its transaction, if it was named or found. */
  signature: string | null;
  /** How it ended: an outcome, or `in_flight`. What was found later replaces `unknown`. */
  state: IntentOutcome | "in_flight";
  /** What it did to each wallet; of one whose answer was lost and that was found to have landed, by its plan's price. */
  receipts: TradeReceipt[];
  /** What earlier attempts under the same id did: of one that failed, the network fee that it paid. */
  readonly earlier: readonly TradeReceipt[];
}

/** Of how many trades that have ended the plans are remembered. */
const MOST_ENDED = 1_000;

/** Who pays the network fee: in a single trade the wallet, unless another is named. One that asks a sandbox for an outcome pays nothing. */
function payerOf({ feePayer, fromWallet, buys, sells }: Body): string | null {
  const first = fromWallet ?? (buys ?? sells)?.[0]?.fromWallet ?? null;
  return feePayer?.startsWith("sandbox-outcome-") ? first : (feePayer ?? fromWallet ?? null);
}

/** The trades of a profile's record that were begun, oldest first. A line that is being written is not one yet. */
export async function tradesIn(profile: Profile): Promise<Recorded[]> {
  const plans = new Map<string, Plan>();
  /** Those by which trades were begun: a later plan of one in doubt is not what was sent. */
  const begunBy = new Map<string, Plan | undefined>();
  const ended: string[] = [];
  /** Whose transaction a signature is: by the first end that names it. */
  const owners = new Map<string, string>();
  const trades = new Map<string, Recorded>();
  await readRecord(profile, ({ atMs, act, intent, detail, data }) => {
    if (act === "plan") return void (data.plan && plans.set(intent, data.plan));
    const known = trades.get(intent);
    if (act === "begin") {
      const { body: text = "{}" } = data;
      const body = JSON.parse(text) as Body;
      begunBy.set(intent, plans.get(intent));
      trades.delete(intent);
      const earlier = known ? [...known.earlier, ...known.receipts] : [];
      return void trades.set(intent, {
        intentId: intent,
        operation: detail as Operation,
        mint: body.mint,
        feePayer: payerOf(body),
        atMs: data.startedAtMs ?? atMs,
        body: text,
        signature: null,
        state: "in_flight",
        receipts: [],
        earlier,
      });
    }
    if (!known) return;
    known.signature = data.signature ?? known.signature;
    if (act === "receipt") known.receipts = data.receipts ?? [];
    if (act === "settle") {
      if (data.signature && !owners.has(data.signature)) owners.set(data.signature, intent);
      const isFound = known.state === "unknown" || known.state === "in_flight";
      known.state = detail as IntentOutcome;
      // A person has acknowledged it, or only its journal had its end. The receipts of an answer come with the next line.
      if (isFound && !known.receipts.length) known.receipts = foundReceipts(known, begunBy.get(intent));
    }
    const proven = act === "evidence" ? (detail as IntentOutcome) : "unknown";
    if (proven !== "unknown") {
      known.state = proven;
      // What an answer has said of a trade that landed is no estimate.
      const said = proven === "landed" ? known.receipts.filter(({ status }) => status !== "failed") : [];
      known.receipts = said.length
        ? said.map((receipt) => ({ ...receipt, status: proven as "landed" }))
        : foundReceipts(known, begunBy.get(intent));
    }
    // The chain may still contradict how it ended.
    if (act !== "settle" || known.state === "unknown") return;
    ended.push(intent);
    if (ended.length <= MOST_ENDED) return;
    const first = ended.shift() as string;
    plans.delete(first);
    begunBy.delete(first);
  });
  // Evidence may have named the transaction of another trade as the likely one.
  for (const trade of trades.values())
    if (trade.signature && (owners.get(trade.signature) ?? trade.intentId) !== trade.intentId) trade.signature = null;
  return [...trades.values()];
}

function lineOf(profile: Profile, text: string): { [line in "begin" | "landed" | "ended"]?: TradeIntent } {
  try {
    return readChecked(text) as ReturnType<typeof lineOf>;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${journalOf(profile)} has a line that cannot be read (${message})`, { cause: error });
  }
}

/** The ids of the intents that a profile's journal remembers: it may know some that its record does not. */
export async function intentIdsIn(profile: Profile): Promise<Set<string>> {
  const ids = new Set<string>();
  await readLines(
    journalOf(profile),
    (text, isEnded) => {
      // A line that is being written is not one yet.
      if (!isEnded) return;
      const { begin, landed, ended } = lineOf(profile, text);
      const intent = begin ?? landed ?? ended;
      if (intent) ids.add(intent.intentId);
    },
    LONGEST,
  );
  return ids;
}

/** The recorded plan by which each of these intents was begun. */
export async function plansOf(profile: Profile, intentIds: readonly string[]): Promise<Map<string, Plan>> {
  const [plans, begunBy] = [new Map<string, Plan>(), new Map<string, Plan>()];
  await readRecord(profile, ({ act, intent, data }) => {
    if (!intentIds.includes(intent)) return;
    if (act === "plan" && data.plan) plans.set(intent, data.plan);
    const plan = plans.get(intent);
    if (act === "begin" && plan) begunBy.set(intent, plan);
  });
  return begunBy;
}

/** What a trade did that was found to have landed or failed: its answer is lost, so by its plan's price. */
function foundReceipts({ state, operation, feePayer }: Recorded, plan: Plan | undefined): TradeReceipt[] {
  if ((state !== "landed" && state !== "failed") || !plan?.price || plan.price.refused) return [];
  return estimatedReceipts(plan.price, { feePayer, side: SIDES[operation] }, state).map(([, receipt]) => receipt);
}

export const keyOf = (mint: string, wallet: string): string => `${mint} ${wallet}`;

/** The receipts of trades added up, by {@link keyOf}. The caller frees the positions. */
export async function positionsOf(trades: readonly Recorded[]): Promise<Map<string, Position>> {
  const { Position } = await import("launchpad-desk/market");
  const positions = new Map<string, Position>();
  for (const { mint, earlier, receipts } of trades) {
    for (const receipt of [...earlier, ...receipts]) {
      const key = keyOf(mint, receipt.wallet ?? "");
      const position = positions.get(key) ?? new Position();
      positions.set(key, position);
      position.add(receipt);
    }
  }
  return positions;
}
