// The positions that were closed from this panel, each with what it gained.

import type { Position } from "launchpad-desk/market";
import { type Attempt, isOpen } from "../attempts/attempt.js";
import type { Desk } from "../desk.js";
import { keyOf } from "../attempts/past.js";
import { isUncounted, receiptsOf } from "../attempts/receipts.js";

/** A position from its first buy to the sale of its last token. */
export interface Closed {
  /** The intent of its last sale. */
  readonly intentId: string;
  readonly wallet: string;
  readonly mint: string;
  readonly symbol: string;
  readonly simulated: boolean;
  /** What its buys cost, and what was gained over that, in lamports, after all fees and without rent. */
  readonly spent: bigint;
  readonly profit: bigint;
  /** From the first buy to the last sale, in the market's time. */
  readonly heldMs: number;
  /** Whether a figure of its trades is taken from a quote. */
  readonly estimated: boolean;
  /** Whether all tokens of its trades are known, and when the last of them was sold. */
  readonly isSure: boolean;
  readonly soldAtMs: number;
}

/** A position while its trades are added. */
interface Round {
  readonly position: Position;
  /** Whether all of its buys are known. */
  readonly whole: boolean;
  spent: bigint;
  fromMs: number | undefined;
  simulated: boolean;
  isSure: boolean;
}

/** What was made of a list of attempts last: it is another list after each change. */
const made = new WeakMap<readonly Attempt[], Closed[]>();

/** The positions that were closed by the trades whose outcome is known, the newest first. */
export function soldOf({ attempts: { all, past }, world: { maths } }: Pick<Desk, "attempts" | "world">): Closed[] {
  const known = made.get(all);
  if (known) return known;
  const closed: Closed[] = [];
  const rounds = new Map<string, Round>();
  const newRound = (isWhole: boolean): Round => ({
    position: new maths.Position(),
    whole: isWhole,
    spent: 0n,
    fromMs: undefined,
    simulated: false,
    isSure: true,
  });
  for (const [key, { tokens }] of past.positions) if (tokens > 0n) rounds.set(key, newRound(false));
  for (const key of past.uncounted) rounds.set(key, newRound(false));
  for (const attempt of [...all].reverse()) {
    const receipts = receiptsOf(maths, attempt);
    // Whether a position was closed, or another was opened, nobody knows from here on.
    for (const wallet of isUncounted(attempt, receipts) ? attempt.wallets : []) {
      const key = keyOf(wallet, attempt.mint);
      rounds.get(key)?.position.free();
      rounds.set(key, newRound(false));
    }
    for (const [wallet, receipt] of receipts) {
      const key = keyOf(wallet, attempt.mint);
      const round = rounds.get(key) ?? newRound(true);
      rounds.set(key, round);
      const before = round.position.state.costLamports;
      round.position.add(receipt);
      const {
        tokens,
        costLamports,
        unmatchedTokens,
        realisedLamports: profit,
        estimatedReceipts,
      } = round.position.state;
      round.simulated ||= attempt.simulated;
      round.isSure &&= !receipt.estimated.includes("tokens");
      if (receipt.side === "buy") {
        round.spent += costLamports - before;
        if (tokens > 0n) round.fromMs ??= attempt.marketMs;
      } else if (tokens === 0n && receipt.tokens > 0n) {
        const { spent, fromMs, simulated, isSure, whole } = round;
        // Tokens that were not bought here have no cost, so what they gained is not known.
        if (whole && fromMs !== undefined && spent > 0n && unmatchedTokens === 0n) {
          closed.unshift({
            intentId: attempt.intentId,
            wallet,
            mint: attempt.mint,
            symbol: attempt.symbol,
            simulated,
            spent,
            profit,
            heldMs: attempt.marketMs - fromMs,
            estimated: estimatedReceipts > 0n,
            isSure,
            soldAtMs: attempt.startedAtMs,
          });
        }
        // Of one whose buys are not all known, something may be left.
        if (whole) {
          round.position.free();
          rounds.delete(key);
        }
      }
    }
  }
  for (const { position } of rounds.values()) position.free();
  made.set(all, closed);
  return closed;
}

/** Those that are sure: a trade of unknown outcome may belong to any of its wallet and token. */
export function closedOf(desk: Pick<Desk, "attempts" | "world">): Closed[] {
  const open = desk.attempts.all.filter(isOpen).flatMap(({ mint, wallets }) => wallets.map((one) => keyOf(one, mint)));
  return soldOf(desk).filter(({ mint, wallet }) => !open.includes(keyOf(wallet, mint)));
}
