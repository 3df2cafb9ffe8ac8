// A plan: a trade that is checked, priced and judged by the guards, but not sent. The core writes it and reads it back; see
// src/trade/plan.rs.

import type {
  BundleTrade,
  BuyTrade,
  Code,
  FieldError,
  Operation,
  RequestOf,
  SellTrade,
  TradeQuote,
  Warning,
} from "../generated.js";
import type { Counted, TradeIntent, WalletBalances } from "./options.js";
import type { InJson } from "../json.js";

/** The kind of trade that each operation makes, as {@link TradeClient.send} resolves to it. */
export interface TradeOf {
  buy: BuyTrade;
  sell: SellTrade;
  sellByPercentage: SellTrade;
  bundleBuy: BundleTrade;
  bundleSell: BundleTrade;
  bundleSellByPercentage: BundleTrade;
}

/** Why the guards would have refused a {@link Plan} when it was made. */
export type PlanRefusal = {
  readonly code: Code;
  /** A sentence for a person. */
  readonly message: string;
  readonly fields: readonly FieldError[];
  /** For `over_rate_limit`: when it would be this trade's turn, in milliseconds. */
  readonly retryAfterMs: number | null;
};

/**
 * A trade that {@link TradeClient.plan} has checked and priced, and the guards have judged, but nobody sent. It is plain frozen data, which
 * survives `JSON.stringify`, `structuredClone`, a database or a message. `client.send` sends exactly its bytes, once.
 */
export interface Plan<O extends Operation = Operation, Q = TradeQuote> {
  readonly intentId: string;
  readonly operation: O;
  /** Whether it is for a sandbox, where no money moves. */
  readonly simulated: boolean;
  readonly url: string;
  /** The exact JSON body. */
  readonly body: string;
  /** The unit of the slippage in the body. */
  readonly slippageUnit: "percent" | "bps";
  /** What the trading wallets held when it was made, if the caller said so; amounts as decimal text. */
  readonly before: NonNullable<TradeIntent["before"]> | null;
  /** When it was made, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** When it expires, in milliseconds since 1970. After that it is not sent. */
  readonly expiresAtMs: number;
  readonly warnings: readonly Warning[];
  /** Why the guards would have refused it when it was made; `null` if they would have allowed it. `send` asks them again. */
  readonly refused: PlanRefusal | null;
  /** What it would do in the known market, in lamports and base units as decimal text; `null` if no market is known. This is a
   * forecast: the service makes its own quote. */
  readonly price: InJson<Q> | null;
  /** The most lamports that it may take, as limits count them. */
  readonly counted: Counted;
  /** By how many decimals an amount in base units was counted; only of a sell that has one. */
  readonly tokenDecimals?: number;
  /** Detects accidental changes to any other field. It is not a signature: anyone who can write a plan can also write a request. */
  readonly checksum: string;
}

/**
 * Options of a plan. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { type PlanOptions, TradeClient } from "launchpad-desk";
 * import { Curve, type CurveQuote } from "launchpad-desk/market";
 *
 * const client = new TradeClient({ baseURL: "https://service.example" });
 * const curve = new Curve(); // of the token, as it stands
 * const options: PlanOptions<"buy", CurveQuote> = {
 *   validForMs: 30_000,
 *   price: (_operation, { amountInLamports }) => curve.quoteBuyExactIn(amountInLamports),
 * };
 * const plan = await client.plan("buy", { mint: "M", fromWallet: "W", amountInLamports: 50_000_000 }, options);
 * console.log(plan.price?.tokenAmount, "whole tokens");
 * ```
 */
export interface PlanOptions<O extends Operation = Operation, Q = TradeQuote> {
  /** The trade's id: at most 128 visible ASCII characters. Default: a generated one. */
  intentId?: string;
  /** What the trading wallets hold now, as for a call. If the plan may wait, return it from the hook `beforeSend` instead, because
   * other trades of these wallets would look like this one. */
  before?: WalletBalances[];
  /** How long the plan may be sent, in milliseconds. Default 60000, at most 86400000. */
  validForMs?: number;
  /**
   * What the request would do in a market that you know: a quote from a `Curve` or a `Sandbox`, or
   * other plain data. The plan shows it and does not check it. Default: the quote of the client's market, or of the sandbox that it
   * trades in; a plan of any other client has no price.
   */
  price?: (operation: O, request: RequestOf[O]) => Q | Promise<Q>;
}

/** Deeply frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
