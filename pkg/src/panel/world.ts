// What a panel trades in: a simulated launchpad inside the page, or a gateway. The panel asks nothing else.

import type { ClientOptions, WalletBalances } from "launchpad-desk";
import type { Curve } from "launchpad-desk/launchpad";
import type { Candle, MarketTrade, Operation, RequestOf, TradeQuote } from "../generated.js";

/** A token, as a panel lists it. */
export interface TokenView {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  /** Fraction digits of a whole token. */
  readonly decimals: number;
  /** Lamports a whole token, exact text; null where nobody knows it. */
  readonly spotPrice: string | null;
  readonly marketCapLamports: bigint | null;
  /** How much of its curve is sold, in basis points; null where nobody knows it. */
  readonly progressBps: number | null;
  readonly complete: boolean;
}

/** A wallet, as a panel lists it. */
export interface WalletView {
  readonly wallet: string;
  readonly label: string;
  /** Its lamports without those in token accounts; null where nobody knows them. */
  readonly lamports: bigint | null;
  /** Base units by mint, of its open token accounts. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

/** What a gateway knows of an intent, in its own words; `not_known` where it knows of none. */
export interface Standing {
  readonly state: "planned" | "awaiting_approval" | "in_flight" | "in_doubt" | "ended" | "not_known";
  /** How it ended, where it was forwarded. */
  readonly ending: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown" | "did_not_land" | null;
}

export interface World {
  /** Attempts and the journal are kept under this name: another world has another. */
  readonly id: string;
  /** Whether no money moves here. */
  readonly simulated: boolean;
  /** What a client of this world is made with. */
  readonly connection: Pick<ClientOptions, "baseURL" | "gateway" | "apiKey"> & { readonly fetch?: typeof fetch };
  tokens(): readonly TokenView[];
  wallets(): readonly WalletView[];
  /** A token's curve as it stands. Whoever asks frees it. Undefined where nobody knows it. */
  curve(mint: string): Curve | undefined;
  /** What an order would do now; undefined where nobody knows. Throws for an order that cannot be read. */
  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote | undefined;
  /** What wallets hold now of a mint, for `reconcile`; undefined where nobody knows. */
  balances(mint: string, wallets: readonly string[]): WalletBalances[] | undefined;
  /** Whether a trade that was begun then could land later than now. */
  canStillLand(startedAtMs: number): boolean;
  candles(mint: string, intervalMs: number): readonly Candle[];
  /** The newest trades of a token, the newest last. */
  tape(mint: string, most: number): readonly MarketTrade[];
  /** The market's time, in milliseconds. */
  now(): number;
  /** Calls `listener` whenever the market or a wallet has moved; returns what ends that. */
  onTick(listener: () => void): () => void;
  /** What keeps it from trading now, as a sentence; nothing where it can. */
  readonly trouble?: string | undefined;
  /**
   * What a gateway knows of an intent; undefined where it cannot be asked now, and absent where there is no gateway. It is a look: it
   * never has anything sent.
   */
  standing?(intentId: string): Promise<Standing | undefined>;
  /** Takes from what became of a trade what its wallets hold now, where nothing else tells: what they held before is no longer so. */
  heard?(result: unknown, trade: { readonly mint: string; readonly wallets: readonly string[] }): void;
  /** Tells every listener that a wallet may have moved: a trade has ended. */
  moved(): void;
}
