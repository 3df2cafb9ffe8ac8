// What each wallet holds of each token and what that cost. The core adds up the receipts of the trades sent from this panel.

import type { Position } from "launchpad-desk/market";
import type { Desk } from "../desk.js";
import { stateOf } from "../attempts/attempt.js";
import { keyOf } from "../attempts/past.js";
import { isUncounted, receiptsOf } from "../attempts/receipts.js";
import type { TokenView } from "../worlds/world.js";

/** One wallet's tokens of one mint. */
export interface Holding {
  readonly wallet: string;
  readonly label: string;
  readonly token: TokenView;
  /** Base units held now. */
  readonly tokens: bigint;
  /** Whether a trade of unknown outcome may have changed how many and no look has shown it since, or may still change it. */
  readonly isInDoubt: boolean;
  /** Rent that was paid for its token account, in lamports. */
  readonly rentLocked: bigint;
  /** How many of them this panel bought: only their cost is known. */
  readonly bought: bigint;
  /** What those cost in lamports, with all fees. */
  readonly cost: bigint;
  /** Average cost in lamports per whole token, exact; null if it is not known. */
  readonly averageCost: string | null;
  /** What selling everything would bring now, after all fees; null if there is no quote. */
  readonly value: bigint | null;
  /** What selling the tokens bought here would gain now, after all fees. */
  readonly profit: bigint | null;
  /** What was gained on what was sold; null if that is not known: something was traded whose cost or proceeds nobody here knows. */
  readonly realised: bigint | null;
  /** Whether a figure of its trades is taken from a quote. */
  readonly estimated: boolean;
  /** Whether it was ever traded from this panel. */
  readonly traded: boolean;
}

type HoldingsHost = Pick<Desk, "world" | "attempts" | "tokenOf" | "walletOf" | "nameOf">;

export class Holdings {
  readonly #host: HoldingsHost;
  /** The attempts that the positions were made from, and the positions before them. */
  #of: readonly unknown[] = [];
  #positions = new Map<string, Position>();
  /** Those of which a trade could not be counted. */
  #uncounted = new Set<string>();
  /** Those of which the outcome of a trade is unknown, and since when. */
  #inDoubt = new Map<string, number>();

  constructor(host: HoldingsHost) {
    this.#host = host;
  }

  /** Every holding, and every token that was traded from this panel, by token and wallet. */
  all(): Holding[] {
    const { world } = this.#host;
    const positions = this.#read();
    const wallets = world.wallets();
    const keys = new Set([...positions.keys(), ...this.#inDoubt.keys()]);
    for (const { wallet, tokens } of wallets)
      for (const [mint, held] of tokens) if (held > 0n) keys.add(keyOf(wallet, mint));
    return [...keys].map((key) => this.#holding(key)).filter((holding) => holding !== undefined);
  }

  /** What a wallet holds of a mint; undefined if the token is not known. */
  of(wallet: string, mint: string): Holding | undefined {
    this.#read();
    return this.#holding(keyOf(wallet, mint));
  }

  close(): void {
    for (const position of this.#positions.values()) position.free();
    this.#positions.clear();
  }

  #holding(key: string): Holding | undefined {
    const [mint = "", wallet = ""] = key.split(" ");
    const token = this.#host.tokenOf(mint);
    if (!token) return undefined;
    const position = this.#positions.get(key);
    const state = position?.state;
    const bought = state?.tokens ?? 0n;
    const isSeen = this.#isSeen(wallet, mint);
    const doubtedMs = this.#inDoubt.get(key);
    const isInDoubt = doubtedMs !== undefined && (!isSeen || this.#host.world.canStillLand(doubtedMs));
    const tokens = isSeen ? (this.#host.walletOf(wallet)?.tokens.get(mint) ?? 0n) : bought;
    const curve = this.#host.world.curve(mint);
    try {
      const sell = tokens > 0n && !isInDoubt ? this.#sellAll(wallet, mint) : undefined;
      const isCounted = !this.#uncounted.has(key);
      const isKnown = position && isCounted && isCostKnown(bought, tokens);
      const unrealised = isKnown && curve ? position.unrealisedLamports(curve) : null;
      return {
        wallet,
        label: this.#host.nameOf(wallet),
        token,
        tokens,
        isInDoubt,
        bought,
        rentLocked: state?.rentLockedLamports ?? 0n,
        cost: state?.costLamports ?? 0n,
        averageCost: isKnown && curve ? position.averageCost(curve) : null,
        value: sell ? sell.brings - sell.networkFee : null,
        profit: unrealised === null || !sell ? null : unrealised - sell.networkFee,
        realised: !isCounted || state?.unmatchedTokens ? null : (state?.realisedLamports ?? 0n),
        estimated: (state?.estimatedReceipts ?? 0n) > 0n,
        traded: !isCounted || (state?.receipts ?? 0n) > 0n,
      };
    } finally {
      curve?.free();
    }
  }

  /** Whether a look or a reply said last what a wallet holds. If not, that is what was bought from this panel. */
  #isSeen(wallet: string, mint: string): boolean {
    const known = this.#host.walletOf(wallet);
    // A look at another token says nothing of this one.
    return (
      !!known &&
      (known.tokens.has(mint) || (known.lamports !== null && this.#host.world.surelyHeld(wallet, mint) !== undefined))
    );
  }

  #sellAll(wallet: string, mint: string): { brings: bigint; networkFee: bigint } | undefined {
    try {
      const quote = this.#host.world.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 });
      const leg = quote?.legs[0];
      return quote && leg && { brings: leg.walletLamports, networkFee: quote.networkFeeLamports };
    } catch {
      return undefined;
    }
  }

  /** The positions, computed again after each change of the attempts. */
  #read(): Map<string, Position> {
    const {
      attempts: { all, past },
      world: { maths },
    } = this.#host;
    if (this.#of[0] === all && this.#of[1] === past) return this.#positions;
    this.#of = [all, past];
    this.close();
    this.#uncounted = new Set(past.uncounted);
    this.#inDoubt.clear();
    for (const [key, state] of past.positions) this.#positions.set(key, new maths.Position(state));
    for (const attempt of [...all].reverse()) {
      const receipts = receiptsOf(maths, attempt);
      for (const wallet of attempt.wallets) {
        const key = keyOf(wallet, attempt.mint);
        if (isUncounted(attempt, receipts)) this.#uncounted.add(key);
        if (stateOf(attempt) === "unknown") this.#inDoubt.set(key, attempt.settledAtMs ?? attempt.startedAtMs);
      }
      for (const [wallet, receipt] of receipts) {
        const key = keyOf(wallet, attempt.mint);
        const position = this.#positions.get(key) ?? new maths.Position();
        this.#positions.set(key, position);
        position.add(receipt);
      }
    }
    return this.#positions;
  }
}

/** If some of what was bought here was sold elsewhere, the cost of the rest is not known. */
const isCostKnown = (bought: bigint, held: bigint): boolean => bought > 0n && bought <= held;
