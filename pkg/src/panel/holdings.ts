// What each wallet holds of each token and what that cost. The core adds up the receipts of the trades sent from this panel.

import { Position } from "launchpad-desk/launchpad";
import type { Side, TradeReceipt } from "../generated.js";
import { type Attempt, stateOf } from "./attempts.js";
import type { Desk } from "./desk.js";
import { receiptOf } from "./receipts.js";
import type { TokenView } from "./world.js";

/** One wallet's tokens of one mint. */
export interface Holding {
  readonly wallet: string;
  readonly label: string;
  readonly token: TokenView;
  /** Base units held now. */
  readonly tokens: bigint;
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
  readonly realised: bigint;
  /** Whether a figure of its trades is taken from a quote. */
  readonly estimated: boolean;
  /** Whether it was ever traded from this panel. */
  readonly traded: boolean;
}

export class Holdings {
  readonly #desk: Desk;
  /** The attempts that the positions were made from, and the positions before them. */
  #of: readonly unknown[] = [];
  #positions = new Map<string, Position>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Every holding, and every token that was traded from this panel, by token and wallet. */
  all(): Holding[] {
    const { world } = this.#desk;
    const positions = this.#read();
    const wallets = world.wallets();
    const keys = new Set(positions.keys());
    for (const { wallet, tokens } of wallets) for (const [mint, held] of tokens) if (held > 0n) keys.add(keyOf(wallet, mint));
    return [...keys].map((key) => this.#holding(key)).filter((holding) => holding !== undefined);
  }

  /** The average cost of a wallet's tokens of a mint, in lamports per whole token. */
  averageCost(wallet: string, mint: string): string | null {
    const position = this.#read().get(keyOf(wallet, mint));
    const bought = position?.state.tokens ?? 0n;
    const curve = position && this.#desk.world.curve(mint);
    try {
      return position && curve && isCostKnown(bought, this.#tokens(wallet, mint, bought)) ? position.averageCost(curve) : null;
    } finally {
      curve?.free();
    }
  }

  close(): void {
    for (const position of this.#positions.values()) position.free();
    this.#positions.clear();
  }

  #holding(key: string): Holding | undefined {
    const [mint = "", wallet = ""] = key.split(" ");
    const token = this.#desk.tokenOf(mint);
    if (!token) return undefined;
    const position = this.#positions.get(key);
    const state = position?.state;
    const bought = state?.tokens ?? 0n;
    const tokens = this.#tokens(wallet, mint, bought);
    const curve = this.#desk.world.curve(mint);
    try {
      const sell = tokens > 0n ? this.#sellAll(wallet, mint) : undefined;
      const isKnown = position && isCostKnown(bought, tokens);
      const unrealised = isKnown && curve ? position.unrealisedLamports(curve) : null;
      return {
        wallet,
        label: this.#desk.walletOf(wallet)?.label ?? wallet,
        token,
        tokens,
        bought,
        cost: state?.costLamports ?? 0n,
        averageCost: isKnown && curve ? position.averageCost(curve) : null,
        value: sell ? sell.brings - sell.networkFee : null,
        profit: unrealised === null || !sell ? null : unrealised - sell.networkFee,
        realised: state?.realisedLamports ?? 0n,
        estimated: (state?.estimatedReceipts ?? 0n) > 0n,
        traded: (state?.receipts ?? 0n) > 0n,
      };
    } finally {
      curve?.free();
    }
  }

  /** What a wallet holds. In live mode it is what the last reply said; before the first reply, what was bought from this panel. */
  #tokens(wallet: string, mint: string, bought: bigint): bigint {
    const known = this.#desk.walletOf(wallet);
    return known && (known.lamports !== null || known.tokens.has(mint)) ? (known.tokens.get(mint) ?? 0n) : bought;
  }

  #sellAll(wallet: string, mint: string): { brings: bigint; networkFee: bigint } | undefined {
    try {
      const quote = this.#desk.world.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 });
      const leg = quote?.legs[0];
      return quote && leg && { brings: leg.walletLamports, networkFee: quote.networkFeeLamports };
    } catch {
      return undefined;
    }
  }

  /** The positions, computed again after each change of the attempts. */
  #read(): Map<string, Position> {
    const { all, past } = this.#desk.attempts;
    if (this.#of[0] === all && this.#of[1] === past) return this.#positions;
    this.#of = [all, past];
    this.close();
    for (const [key, state] of past.positions) this.#positions.set(key, new Position(state));
    for (const attempt of [...all].reverse()) {
      for (const [wallet, receipt] of receiptsOf(attempt)) {
        const key = keyOf(wallet, attempt.mint);
        const position = this.#positions.get(key) ?? new Position();
        this.#positions.set(key, position);
        position.add(receipt);
      }
    }
    return this.#positions;
  }
}

/** If some of what was bought here was sold elsewhere, the cost of the rest is not known. */
const isCostKnown = (bought: bigint, held: bigint): boolean => bought > 0n && bought <= held;

/** The key of a position. */
export const keyOf = (wallet: string, mint: string): string => `${mint} ${wallet}`;

/** What an attempt did to each wallet, as far as it is known; empty if it did not land, or is not known to have landed. */
export function receiptsOf(attempt: Attempt): [wallet: string, receipt: TradeReceipt][] {
  const { answer, wallets, quoted } = attempt;
  const status = stateOf(attempt);
  if (status !== "landed" && status !== "unconfirmed" && status !== "failed") return [];
  const [wallet] = wallets;
  if (attempt.operation.startsWith("bundle")) return bundleReceipts(attempt, status);
  if (!wallet) return [];
  if (answer?.receipt) return [[wallet, answer.receipt]];
  // It was found to have landed later, and its figures were not seen: use those of its quote.
  const balances = { preTokenBalance: null, postTokenBalance: null };
  const receipt = receiptOf(quoted, { operation: attempt.operation, status, exact: balances, result: {} }, null);
  return receipt ? [[wallet, receipt]] : [];
}

/** A bundle's reply says nothing about its wallets: all figures are those of its quote. */
function bundleReceipts({ price, body, side }: Attempt, status: "landed" | "unconfirmed" | "failed"): [string, TradeReceipt][] {
  if (!price) return [];
  const payer = (JSON.parse(body) as { feePayer?: string }).feePayer;
  let networkFee = BigInt(price.networkFeeLamports);
  if (status === "failed") return payer ? [[payer, estimate(status, side, { networkFee })]] : [];
  return price.legs.map((leg) => {
    // The fee payer pays once, whatever it trades.
    const fee = leg.wallet === payer ? networkFee : 0n;
    if (fee) networkFee = 0n;
    const figures = {
      tokens: BigInt(leg.tokens),
      lamports: BigInt(leg.walletLamports),
      protocolFee: BigInt(leg.protocolFeeLamports),
      creatorFee: BigInt(leg.creatorFeeLamports),
      tokenAccount: leg.tokenAccount,
      rent: BigInt(leg.rentLamports),
      networkFee: fee,
    };
    return [leg.wallet, estimate(status, leg.side, figures)];
  });
}

interface Figures {
  tokens?: bigint;
  lamports?: bigint;
  protocolFee?: bigint;
  creatorFee?: bigint;
  tokenAccount?: TradeReceipt["tokenAccount"];
  rent?: bigint;
  networkFee: bigint;
}

function estimate(status: TradeReceipt["status"], side: Side, { tokens = 0n, lamports = 0n, protocolFee = 0n, creatorFee = 0n, tokenAccount = "stays", rent = 0n, networkFee }: Figures): TradeReceipt {
  const moved = side === "buy" ? -lamports : lamports;
  const rentMoved = tokenAccount === "opens" ? -rent : tokenAccount === "closes" ? rent : 0n;
  return {
    status,
    side,
    tokens,
    lamports,
    price: null,
    slippageUsedPpm: 0n,
    protocolFeeLamports: protocolFee,
    creatorFeeLamports: creatorFee,
    tokenAccount,
    rentLamports: rent,
    networkFeeLamports: networkFee,
    netLamports: moved + rentMoved - networkFee,
    estimated: ["tokens", "lamports", "price", "slippageUsedPpm", "fees", "tokenAccount", "networkFeeLamports", "netLamports"],
    findings: [],
  };
}
