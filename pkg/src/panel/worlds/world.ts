// What a panel trades in: a simulated launchpad inside the page, or a gateway. This is all the panel needs of either.

import type { ClientOptions, WalletBalances } from "launchpad-desk";
import type * as market from "launchpad-desk/market";
import type { Curve, CurveToken, ExitLook, LookCurve } from "launchpad-desk/market";
import type {
  Candle,
  IntentOutcome,
  IntentState,
  MarketTrade,
  MarketTrades,
  Operation,
  RecordedTrade,
  RequestOf,
  SandboxHoldingConfig,
  Side,
  TradeQuote,
} from "../../generated.js";
import type { InJson } from "../../json.js";

/** The launchpad's maths, and what carries out exits. Loaded once the element has shown its places. */
export type Maths = Pick<
  typeof market,
  "Curve" | "Exits" | "Position" | "Trader" | "equalSpends" | "receipt" | "splitBundle" | "weightedSpends"
>;

/** What was traded of a token, oldest first, and the token before that. */
export interface TokenPast {
  readonly trades: readonly RecordedTrade[];
  readonly start: CurveToken | LookCurve;
}

/** A token that a page lets a live panel trade. */
export interface LiveToken {
  mint: string;
  /** Default: the mint, shortened. */
  symbol?: string;
  /** Default: the symbol. */
  name?: string;
  /** Fraction digits of a whole token. Default: 6. */
  decimals?: number;
}

/** A wallet that a page lets a live panel trade from. */
export interface LiveWallet {
  /** The wallet's id. */
  wallet: string;
  /** Default: the id, shortened. */
  label?: string;
}

/** What a page lets the trader trade. */
export interface Offers {
  readonly tokens: readonly LiveToken[];
  readonly wallets: readonly LiveWallet[];
}

/** A token as a panel lists it. */
export interface TokenView {
  readonly mint: string;
  /** Both as they are shown. */
  readonly symbol: string;
  readonly name: string;
  /** Both as they are, however long. */
  readonly title: string;
  /** Fraction digits of a whole token. */
  readonly decimals: number;
  /** Lamports per whole token, exact text; null if it is not known. */
  readonly spotPrice: string | null;
  readonly marketCapLamports: bigint | null;
  /** How much of its curve is sold, in basis points; null if it is not known. */
  readonly progressBps: number | null;
  readonly complete: boolean;
}

export interface AsOf {
  readonly slot: number;
  readonly ageMs: number;
}

/** A trade of a market, or what must have been traded between two looks at it. */
export type MarketMove = Pick<MarketTrade, "number" | "atMs" | "side" | "lamports" | "tokens" | "price" | "wallet">;

/** What a token account is, besides its tokens. */
export type TokenAccountView = Pick<SandboxHoldingConfig, "lamports" | "isFrozen" | "staysOpen">;

/** A wallet as a panel lists it. */
export interface WalletView {
  readonly wallet: string;
  readonly label: string;
  /** Its lamports, without those in token accounts; null if they are not known. */
  readonly lamports: bigint | null;
  /** Whether its next buy also opens its volume account, at its own cost. */
  readonly opensVolumeAccount: boolean;
  /** Base units by mint, in its open token accounts. */
  readonly tokens: ReadonlyMap<string, bigint>;
  /** Those accounts, as far as they were seen. */
  readonly accounts: ReadonlyMap<string, TokenAccountView | undefined>;
}

/** Who asked a gateway, when by its clock, and whether it serves a sandbox. */
export interface Asked {
  readonly desk: string;
  readonly caller: string;
  readonly nowMs: number;
  readonly simulated: boolean;
}

export interface GatewayIntent {
  readonly state: IntentState;
  /** How it ended; null if it has not. */
  readonly outcome: IntentOutcome | null;
  /** For an intent that it does not know: to whom, and when. */
  readonly asked: Asked | null;
}

export interface OwnTrade {
  readonly operation: Operation;
  readonly side: Side;
  readonly mint: string;
  readonly wallets: readonly string[];
  readonly body: string;
}

export interface World {
  /** The name that attempts and the journal are stored under; each world has its own. */
  readonly id: string;
  /** A launchpad in this page, or a gateway. */
  readonly kind: "sandbox" | "gateway";
  /** Whether no money moves here: a gateway may serve a sandbox. */
  readonly simulated: boolean;
  readonly maths: Maths;
  /** Whether it has prices: they may still have to come. */
  readonly hasMarket: boolean;
  /** The options for a client of this world. */
  readonly connection: Pick<ClientOptions, "baseURL" | "gateway" | "apiKey" | "market" | "buysMayExceed"> & {
    readonly fetch?: typeof fetch;
  };
  tokens(): readonly TokenView[];
  wallets(): readonly WalletView[];
  /** A token's current curve; the caller frees it. Undefined if it is not known. */
  curve(mint: string): Curve | undefined;
  /** What an order would do now; undefined if that is not known. Throws for an order that cannot be read. */
  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote | undefined;
  /** What wallets hold now of a mint, for `reconcile`; undefined if that is not known. */
  balances(mint: string, wallets: readonly string[]): WalletBalances[] | undefined;
  /** Whether a trade that began then could still land after now. */
  canStillLand(startedAtMs: number): boolean;
  /** A look at a token and at what a wallet holds of it, for exits; undefined if there is no market. */
  exitLook(mint: string, wallet: string): Promise<ExitLook> | ExitLook | undefined;
  /** What others have traded of a token, as far as it is remembered. Absent where no trades are seen. */
  past?(mint: string): TokenPast | undefined;
  /** Candles of this interval, or finer ones. */
  candles(mint: string, intervalMs: number): readonly Candle[];
  /** The latest trades of a token, newest last. */
  trades(mint: string, most: number): readonly MarketMove[];
  /** A page of all that was traded in the market after this one, for lists. Absent where there is no such stream. */
  stream?(after: string | number): Promise<InJson<MarketTrades>>;
  /** Which token is shown, and which wallet is to trade it. */
  show?(mint: string, wallet: string): void;
  /** The page has changed what may be traded: what is known of the rest stays. */
  offer?(offers: Offers): void;
  /** When the price of a token was read, where that is not now. */
  asOf?(mint: string): AsOf | undefined;
  /** Why there is no price of a token that can be used, as a sentence. */
  priceTrouble?(mint: string): string | undefined;
  /** Whether the chain has no curve of this mint. Absent where every listed token is there. */
  isMissing?(mint: string): boolean;
  /** The market's time, in milliseconds. */
  now(): number;
  /**
   * Calls `listener` whenever the market or a wallet has moved; returns a function that stops it. `isAwaited` says whether the chain is to
   * be looked at while nobody sees the page, too.
   */
  onTick(listener: () => void, isAwaited: () => boolean): () => void;
  /** Why it cannot trade now, as a sentence; undefined if it can. */
  readonly trouble?: string | undefined;
  /**
   * What a gateway knows of an intent; undefined if it cannot be asked now. Absent where there is no gateway. Asking only reads:
   * it never makes the gateway send.
   */
  intent?(intentId: string): Promise<GatewayIntent | undefined>;
  /**
   * Takes back a trade that waits for approval there. Resolves to whether it was: then nothing was sent, and nothing will be. Undefined if
   * nobody says so.
   */
  withdraw?(intentId: string): Promise<boolean | undefined>;
  /** Asks the gateway right before a trade is sent. Throws if it cannot take one now: the message says why. */
  ready?(trade: { readonly body: string }): Promise<Asked>;
  /** Such a trade may come soon. */
  warm?(operation: Operation): void;
  /** How long after the press a gateway may accept a trade, in milliseconds. */
  readonly momentMs?: number;
  /** How many base units a wallet holds at least, however its open buys end; undefined if that is not known. */
  surelyHeld(wallet: string, mint: string): bigint | undefined;
  /** Updates what the wallets hold from a trade's result, where nothing else reports it: what they held before is out of date. */
  applyTrade?(result: unknown, trade: OwnTrade): void;
  /** The same of a trade that another page has made, or this one before a reload, with its signature. */
  applyOther?(trade: OwnTrade, signature: string | null): void;
  /** Tells every listener that a wallet may have moved: a trade has ended. */
  moved(): void;
}
