// The options of clients and calls, and what a client's journal, market, hooks and log are.

import type { FetchInit, FetchReply } from "../runtime.js";
import type { Reconciled } from "./reconciled.js";
import type {
  Code,
  Drift,
  ExitPosition,
  GuardMode,
  IntentOutcome,
  IntentState,
  Moved,
  NoPosition,
  Operation,
  OtherTrade,
  Seen,
  Settled,
  SlippageInput,
} from "../generated.js";

/** Options of a {@link TradeClient}. Unknown names are refused, and so are options that an object inherits. */
export interface ClientOptions extends SendOptions, CheckOptions, GuardOptions {
  /** Base URL of the service, without `/v1`: https, or http on loopback. May be left out only with the `fetch` of a sandbox. */
  baseURL?: string;
  /** API key: visible ASCII, at least 8 characters; or a function that returns it for each trade. Without it, no key is sent. */
  apiKey?: string | (() => string | Promise<string>);
  /** Header for the key. Default `x-api-key`. */
  apiKeyHeader?: string;
  /** Sends the key as `authorization: Bearer <key>` instead. */
  authorization?: "bearer";
  /** Allows a key in a page, where anyone who opens the page can read it. With a gateway of your own, a page needs no key.
   * Default false. */
  dangerouslyAllowBrowser?: boolean;
  /**
   * Whether `baseURL` is a gateway that forwards each intent once, such as one built on `launchpad-desk/gateway`. After an unknown
   * outcome, the client then asks again under the same intent id: for `askAgainWithinMs`, and once the gateway has confirmed that it has
   * the trade, until the deadline. Afterwards ask by `waitFor(intentId)`, which only reads: repeating the call makes the trade now, if the
   * gateway never got it. Twelve hours after it was sent, when a gateway may have forgotten it, that is refused (`intent_unknown`):
   * `acknowledge` ends it. The intent id is sent in `idempotency-key`. `apiKey` is the token that the gateway gave this caller; it is sent as
   * a bearer, from a page too, where whoever opens the page can read it. Never set this for a service, which would make the trade a second
   * time. Default false.
   */
  gateway?: boolean;
  /** Header for each trade's intent id, such as `idempotency-key`. Default: none. */
  intentHeader?: string;
  /**
   * The function that sends trades; it is called with `this` undefined. With the `fetch` of a `Sandbox` of
   * `launchpad-desk/sandbox`, the client trades in that sandbox and needs no `baseURL`. With any other it needs one.
   * Default: on Node a transport over `node:http` that sends once and can prove that nothing was sent, as `nodeFetch` of
   * `launchpad-desk/node` makes it; elsewhere the runtime's own `fetch`. With `fetch: globalThis.fetch`, or any other that
   * proves nothing, every failure after the call is `unknown`.
   */
  fetch?: (url: string, init: FetchInit) => Promise<FetchReply>;
  /** Records each trade before it is sent, and how it ended. If it cannot record a trade, the trade is not sent. Default: none, and a
   * restart forgets every trade. */
  journal?: Journal;
  /**
   * Where prices come from: a `Market` of `launchpad-desk/market`, or a `Sandbox`. Plans are priced by it, what the wallets hold is recorded
   * before each trade, and `settle` finds out how unknown trades ended. If it cannot report what the wallets hold, the trade is
   * sent anyway, with a warning in the log. What the service says of a trade is looked up by its signature, once that is final: the client does
   * so by itself, and `settle` does it at once. What the chain contradicts is corrected in the journal, the guards and `endedTrade`, is logged
   * as an error, and the hook `settled` gets it with `contradicts`. Default: none; plans in a sandbox are priced by that sandbox.
   */
  market?: ClientMarket;
  /**
   * How long after a trade was left without a known outcome, or a journal was opened, the market is asked how it ended, without a call of
   * `settle`, in milliseconds: somewhat more than the life of a blockhash, such as 90000. It is asked again, ever more seldom, while waiting may
   * settle a trade, until the client is freed. The hook `settled` and the log say what was proven. It keeps no process alive. Default: never.
   */
  settleAfterMs?: number;
  /**
   * Whether each landed trade whose plan, or limit on the price, had a quote of the market is compared with it (`drift`), for the hook `drift` and
   * the log. That happens once the trade is over, and takes four requests at most. Default: true, if the market has `drift`.
   */
  checkDrift?: boolean;
}

/** What a client asks of its market. See {@link TradeClient.settle}. */
export interface ClientMarket {
  /** The price of a plan with this body, whose slippage is in the unit of the client's service. */
  quoteBody(operation: Operation, body: string, slippageUnit: "percent" | "bps"): Promise<object>;
  /**
   * How many decimals a token has. Before a sell in base units a client asks this instead of a price: they never change, so no trade is waited
   * for. Without it `quoteBody` is asked.
   */
  decimalsOf?(mint: string): Promise<number>;
  /** What the wallets of a trade hold, at a finalized slot. */
  before(intent: { body: string }): Promise<WalletBalances[]>;
  /**
   * How a trade ended, beside the other trades of the client; `null` if not all of those are known. Trades that are sent while the node is asked
   * may have made what is found: once it has answered, `areAll` says whether those are still all. If not, no transaction proves anything, but the
   * one that the service has named. Of a trade that it has answered (`trade.answered`), it is `unknown` until the chain shows it.
   */
  settleTrade(
    trade: UnsettledTrade,
    others: readonly OtherTrade[] | null,
    areAll: () => boolean,
  ): Promise<SettledTrade>;
  /** Whether a transaction is final. */
  confirm(signature: string): Promise<Seen>;
  /** Called after each trade that was sent and may have a transaction: what was read before it decides nothing after it. */
  traded?(trade: { body: string }, signature: string | null): void;
  /** A landed trade against the price of its plan. `client.drift` needs it. */
  drift?(plan: PricedPlan, signature: string): Promise<Drift>;
  /** What the transaction that the service has named for a trade has moved; `null` if it is not shown, or not yet. */
  moved?(trade: NamedTrade): Promise<Moved | null>;
  /** The position that a buy has opened, from what its client knows and what it has `moved`. `client.positionOf` needs it. */
  bought?(trade: BoughtTrade): Promise<BoughtPosition>;
}

/** A trade whose transaction the service has named. */
export type NamedTrade = {
  readonly operation: Operation;
  /** The exact body. */
  readonly body: string;
  /** When it was admitted, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** The finalized slot at which its wallets were read before it was sent, if they were. */
  readonly beforeSlot?: bigint | null;
  readonly signature: string;
};

/** What a client and its journal know of the trade that may have opened a position. */
export type BoughtTrade = Partial<NamedTrade> & {
  readonly intentId: string;
  /** How far it is; `null` if only a journal could know. */
  readonly state: IntentState | null;
  /** How it ended, if that is remembered. */
  readonly outcome?: IntentOutcome;
  /** The wallet whose position it is; it may be left out if the trade bought for one wallet. */
  readonly wallet?: string;
};

/** The position that a trade has opened, or what is missing for it. */
export type BoughtPosition =
  | {
      /** The position: its amounts in base units and lamports. */
      readonly position: ExitPosition & { tokens: bigint; costLamports: bigint; rentLockedLamports: bigint };
      readonly missing?: undefined;
    }
  | {
      readonly position?: undefined;
      /** What is missing. */
      readonly missing: NoPosition;
      /** The same in words. */
      readonly message: string;
      /** Whether a moment later it may not be. */
      readonly mayPass: boolean;
    };

/** What a plan says of its trade and its price. */
export type PricedPlan = {
  readonly operation: Operation;
  /** The exact body. */
  readonly body: string;
  /** The quote of a market. */
  readonly price: unknown;
};

/** A trade of unknown outcome, as a journal and `client.pending()` have it. */
export type UnsettledTrade = Omit<TradeIntent, "before"> & {
  readonly before?: TradeIntent["before"] | null;
  /** What the service has said of it, and the signature that it named, of a trade that it has answered. */
  readonly answered?: { readonly outcome: IntentOutcome; readonly signature: string };
};

/** How a trade ended, and what moved. See {@link TradeClient.settle}. */
export interface SettledTrade extends Omit<Settled, "reconciled"> {
  /** What moved in each wallet, as `reconcile` says it: `receipt` and `attribution` of `launchpad-desk/market` take it. */
  reconciled: Reconciled;
  /** What the service had said of it, if the chain shows the opposite: `landed`, and it failed or never landed, or `failed`, and it landed. */
  contradicts?: IntentOutcome;
}

/** How requests are read and checked, as by {@link validate}. Unknown names are refused. */
export interface CheckOptions {
  /** The service's unit of slippage. Default `percent`. */
  slippageUnit?: "percent" | "bps";
  /** `base58` checks that mints and wallet ids are 32 bytes in base58. Default `any`. */
  identifiers?: "any" | "base58";
  /** The most elements of a bundle. Default: no limit. */
  maxBundleSize?: number;
  /** The service's names for the two branded fields of its replies. Default `explorer` and `launchpad`. */
  replyNames?: { explorer?: string; launchpad?: string };
  /**
   * Whether the service may spend more on a buy than `amountInLamports`: `slippage` if it buys a number of tokens for at most the amount and
   * its slippage. Limits, plans and approvals then count that. Default `nothing`.
   */
  buysMayExceed?: "nothing" | "slippage";
  /** What a status other than success means at this service, if it differs from docs/codes.md. */
  statusPolicy?: Record<number, "rejected" | "unknown">;
  /**
   * Whether the service's word alone proves that a transaction failed. Default false. Services also report failure when a confirmation
   * took too long; so otherwise only the chain's own error in the reply proves it, and everything else is `unproven_failure`.
   */
  trustsFailure?: boolean;
  /**
   * Fraction digits of a whole token, for amounts that name their unit. Default 6, at most 18. A client with a market compares them with the
   * token's own before it sends an amount in base units.
   */
  tokenDecimals?: number;
  /** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
  maxReplyBytes?: number;
}

/** Limits that are checked before money may move. The first that is exceeded refuses the trade. See {@link TradeClient}. */
export interface GuardOptions {
  /**
   * The most lamports that one request may take, as `plan.counted` has it: by all its buys, with the rent of the accounts that they may open
   * and the network's fees; of a sell, what it bids for priority, `ceil(priorityUnitLimit · priorityUnitPrice / 10⁶)`. Default: no limit.
   */
  maxLamportsPerTrade?: number | bigint | string;
  /**
   * The most lamports that the trades of one day (UTC) may take, counted so; trades of unknown outcome count, and so do the network's fees of
   * one that failed. Sells count with their priority fees, and are never refused for it. Default: no limit.
   */
  maxLamportsPerDay?: number | bigint | string;
  /** The widest slippage that any leg may have. A leg without one counts as 0.5 %, which the service promises for bundles only: give a single
   * trade its own. Default: no limit. */
  maxSlippage?: SlippageInput;
  /**
   * The largest price impact of a buy, in basis points; of a bundle, of all its buys together. Buys then need a price, which the
   * client asks its market for, or which their plan has; one without a price is refused. Sells, exits among them, are not held up. Default: no limit.
   */
  maxImpactBps?: number;
  /**
   * The oldest price of a buy when it is sent, in milliseconds since it was read. Buys then need a price, as above; a plan's that
   * does not say when it was read is as old as the plan. Default: no limit.
   */
  maxPriceAgeMs?: number;
  /** The mints that may be traded. Default: all. */
  allowMints?: string[];
  /** The wallets that may trade and pay fees. Default: all. */
  allowWallets?: string[];
  /**
   * How often trades may be sent: `burst` of them at once, which are `perSecond`, rounded up, if it is left out. With `maxQueueMs` they wait for
   * their turn; without it they are refused. Each process begins with the whole `burst`. Default: no limit.
   */
  rateLimit?: { perSecond: number; burst?: number; maxQueueMs?: number };
  /** The most trades of one wallet in flight at once. Default 1. */
  inFlightPerWallet?: number;
  /**
   * How many unknown outcomes in a row stop all trades until `resume()`, or until each is acknowledged. With `stopsSells: false` they stop only
   * buys: a position can still be left. A trade that waits for approval is not one of them. Default: `{ unknowns: 3, stopsSells: true }`.
   */
  breaker?: { unknowns?: number; stopsSells?: boolean };
}

/** An admitted trade: its entry in the journal, and what its body says. See {@link TradeClient.pending}. */
export interface IntentDetails extends TradeIntent {
  /** Mint address of the token. */
  mint: string;
  /** The wallets that trade, in order, then the fee payer; each one appears once. */
  wallets: string[];
  /** The most lamports that it may take, as limits count them. */
  lamports: bigint;
  /** What the service has said of it, and the signature that it named: of a trade that was only accepted. */
  answered?: { outcome: IntentOutcome; signature: string };
}

/** The state of the guards. See {@link TradeClient.guards}. */
export interface GuardState {
  /** Whether all trades, only sells, or no trades are allowed. */
  mode: GuardMode;
  /** Whether too many unknown outcomes in a row have stopped all trades; only buys with `breaker: { stopsSells: false }`. */
  breakerOpen: boolean;
  /** Unknown outcomes in a row. */
  unknownsInARow: number;
  /** Lamports spent or reserved today (UTC). */
  lamportsToday: bigint;
  /** The limit of `lamportsToday`; `null` without one. */
  maxLamportsPerDay: bigint | null;
  /** Trades that may be sent at once; `null` without a rate limit. */
  burstLeft: number | null;
  inFlight: IntentDetails[];
  /** The unresolved trades, the oldest first. */
  unresolved: IntentDetails[];
}

/** Options that {@link TradeClient.withOptions} can change. Unknown names are refused. */
export interface SendOptions extends Pick<CheckOptions, "maxReplyBytes"> {
  /** Deadline over queue, send and body, in milliseconds. Default 30000, at most 2147483647. */
  timeoutMs?: number;
  /**
   * How often a trade is tried again if its transport proves that it was not sent. Default 0, at most 10. No other failure is ever
   * retried, and a runtime's own `fetch` proves nothing.
   */
  retryNotSent?: number;
  /**
   * How long a gateway (`gateway: true`) that has not confirmed the trade may be asked again, from the first send on, in
   * milliseconds. Asking repeats the request: if the first one never arrived, the repeated one makes the trade, at the price of
   * that moment. After this time the outcome is unknown. Default 5000, at most 2147483647; 0 never asks such a gateway again.
   */
  askAgainWithinMs?: number;
  /** Checks everything and sends nothing: each trade ends as `not_sent`, with the code `dry_run`. Default false. */
  dryRun?: boolean;
  /**
   * Headers of every request, besides the client's own. A `DeskRecord` of `launchpad-desk/record` keeps their values out of its lines, from 8
   * characters on.
   */
  defaultHeaders?: Record<string, string>;
  /** Called around each trade. */
  hooks?: Hooks;
  /** Gets a line for each step of a trade; `console` works. It never gets a key, a header or a body. */
  logger?: Logger;
  /** The lowest level that is logged. Default `info`. */
  logLevel?: "debug" | "info" | "warn" | "error";
}

/** Options of one call, such as {@link TradeClient.buy}. Unknown names are refused. */
export interface CallOptions {
  /** Aborts the call: `not_sent` before it is sent, `unknown` after. */
  signal?: AbortSignal;
  /** Deadline over queue, send and body, in milliseconds. Default: the client's. */
  timeoutMs?: number;
  /** The trade's id: at most 128 visible ASCII characters. Default: a generated one. */
  intentId?: string;
  /** What the trading wallets hold now. It is kept with the trade, in the journal too, so that `reconcile` can use it if the
   * outcome is unknown. If the hook `beforeSend` returns a `before`, that replaces it. A wallet that is not one of the trade, such
   * as a misspelled one, is refused. */
  before?: WalletBalances[];
}

/**
 * What one wallet holds at one moment, for {@link reconcile} or `before`. Leave out what you did not read: never write zero for a failed
 * reading, or for an account that was not found where one was expected. At least one of the two amounts must be there.
 */
export interface WalletBalances {
  wallet: string;
  /** Its tokens of the trade's mint, in base units; 0 says that it has no token account, or an empty one. Missing in `before` or
   * `now`, they prove nothing. A fee payer that does not trade needs none. */
  tokens?: number | bigint | string;
  /** Its lamports. If they are missing in `before` or `now` of a trading wallet or of the fee payer, a trade that did not land, a
   * buy that landed and a sell of everything are at most `likely`. */
  lamports?: number | bigint | string;
  /** The finalized slot in which both were read, the same for all wallets: `client.settle` needs it. A market notes it. */
  slot?: number | bigint | string;
}

/** A trade as a {@link Journal} and {@link Hooks} get it: everything that is sent except the key. */
export interface TradeIntent {
  intentId: string;
  operation: Operation;
  /** The exact body. */
  body: string;
  /** When it was admitted or, if it then waited for over five seconds, sent, in milliseconds since 1970. It counts for the day (UTC) of this time. */
  startedAtMs: number;
  /** What its wallets held before it was sent, if the caller said so; amounts as decimal text. */
  before?: { wallet: string; tokens?: string; lamports?: string; slot?: string }[];
  /** Whether it went to a gateway, which may send it much later: once a person has approved it. Then only that it landed can be proven from outside. */
  throughGateway?: true;
  /** What limits have counted for it: every client says so. */
  counted?: Counted;
  /** The signature that its service named while its outcome stayed unknown: no other trade has it. A journal keeps it from the settlement. */
  namedSignature?: string;
}

/**
 * The most lamports that a trade may take, as limits count it: what its buys spend, the rent of accounts that they may open, and the
 * network's fees. As decimal text, which JSON keeps exactly. See {@link TradeClient.plan}.
 */
export interface Counted {
  /** All of it. */
  readonly lamports: string;
  /** The part of it that a transaction pays even if it fails: for priority, and for its signatures. */
  readonly fees: string;
}

/** How a trade ended. See {@link Hooks}. */
export interface Settlement {
  /** How it ended; for `acknowledge`, what was found. */
  outcome: IntentOutcome;
  /** The error's code; `null` for a trade. */
  code: Code | null;
  /** The HTTP status; `null` without an answer. */
  status: number | null;
  /** The signature of its transaction, if the service or the chain has told it. */
  signature: string | null;
  /** Whether the chain proves it, so that no other transaction was made for it. Otherwise the service or a person said so. */
  proven: boolean;
}

/**
 * A trade that was sent and has ended: it landed, was accepted, failed, or did not land. A journal keeps
 * the latest, so that their transactions are not taken for those of other trades. See {@link Journal}.
 */
export interface EndedTrade extends TradeIntent {
  /** The finalized slot at which its wallets were read before it was sent, if they were. */
  readonly beforeSlot?: bigint;
  readonly outcome: IntentOutcome;
  /** The signature of its transaction, if it was reported. */
  readonly signature?: string;
  /** Whether the chain proves it. */
  readonly proven?: boolean;
}

/** What stops trading, or what has changed about it. It survives a restart in a {@link Journal} that keeps it. */
export interface Suspension {
  /** Which trades are allowed. */
  mode?: GuardMode;
  /** Whether the breaker is open. If it was closed, a person has checked: earlier trades no longer count as unknown. */
  breakerOpen?: boolean;
  /** How many outcomes in a row were unknown. Trades that end at the same moment may be recorded in any order: a journal keeps the highest
   * count since the last 0. */
  unknownsInARow?: number;
}

/** What a client restores from a {@link Journal} before its first trade, all read at the same moment. */
export interface Recalled {
  /** The unresolved trades: begun and never settled, or of unknown outcome. */
  pending: Iterable<TradeIntent>;
  /** The ids of trades that landed or were accepted: none of them is sent again. */
  landed: Iterable<string>;
  /** The lamports that buys among them have spent since `sinceMs`. They count towards the day's limit. */
  lamports: bigint;
  /** What stopped trading, with each trade that has no end counted as one more unknown outcome. Without a count, each unresolved
   * trade counts as unknown. */
  suspension?: Suspension;
  /** The latest trades that have ended and may have a transaction, from a day before the oldest unresolved one on; by slots where `before` has them,
   * because a clock may have been wrong. Without them, a
   * transaction may be that of a trade of an earlier run: for a day, `settle` calls no trade landed or failed. */
  ended?: Iterable<EndedTrade>;
}

/**
 * Records what is about to be sent, so that nothing that may have moved money is forgotten.
 *
 * Some trades are settled as `not_sent` and begun again before they are sent: one that has waited past midnight (UTC), since it counts
 * for the new day, or for over five seconds, since its time is when it is sent.
 *
 * @example
 * ```ts
 * import { TradeClient, type Journal, type TradeIntent } from "launchpad-desk";
 *
 * const [open, done] = [new Map<string, TradeIntent>(), new Map<string, TradeIntent>()]; // gone when the process ends: use fileJournal
 * const journal: Journal = {
 *   begin: (intent) => {
 *     if (open.has(intent.intentId) || done.has(intent.intentId)) throw new Error("it may have been sent");
 *     open.set(intent.intentId, intent);
 *   },
 *   settle: ({ intentId }, { outcome }) => {
 *     const intent = open.get(intentId);
 *     if (!intent || outcome === "unknown") return;
 *     open.delete(intentId);
 *     if (outcome === "landed" || outcome === "unconfirmed") done.set(intentId, intent);
 *   },
 *   pending: () => open.values(),
 *   landed: (sinceMs) => [...done.values()].filter(({ startedAtMs }) => startedAtMs >= sinceMs),
 * };
 * const client = new TradeClient({ baseURL: "https://service.example", journal });
 * ```
 */
export interface Journal {
  /** Awaited right before a trade is sent, after the hook. If it throws, the trade is not sent. It must throw for an id that is unresolved
   * or has landed, because another client of the same journal may have sent it. */
  begin(intent: TradeIntent): unknown;
  /** Awaited after a trade has ended. If it throws, the trade's outcome does not change. `suspension` is what the end has changed about what
   * stops trading: a journal that keeps it adds it in the same write. */
  settle(intent: TradeIntent, settlement: Settlement, suspension: Suspension): unknown;
  /** Records what `halt`, `reduce` or `resume` has changed, for `recall`. If it throws or is missing, the caller gets an error, and
   * the change holds only until a restart. */
  keepSuspension?(change: Suspension): unknown;
  /** The unresolved trades: begun and never settled, or of unknown outcome. Called once, before the first trade. */
  pending?(): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
  /** The trades that landed or were accepted and were admitted at `sinceMs` (a day ago) or later. All of them are needed: none is
   * sent again, and today's count towards the day's limit. */
  landed?(sinceMs: number): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
  /** Replaces `pending` and `landed` in a journal that keeps sums. Called once, before the first trade. */
  recall?(sinceMs: number): Recalled | Promise<Recalled>;
  /** What another program has said of all trading since, such as `launchpad-desk halt`: its `mode`, as the same object until somebody says
   * something else. Called right before each send, so it must not wait for anything. If it throws, or says anything without a known
   * `mode`, trading is halted, and the log says why. */
  outsideMode?(): Suspension | undefined;
}

/**
 * Called around each trade.
 *
 * @example
 * ```ts
 * import type { Hooks } from "launchpad-desk";
 *
 * const hooks: Hooks = {
 *   beforeSend: async ({ intentId, operation }) => {
 *     console.log("sending", operation, intentId);
 *     return { before: [{ wallet: "W", tokens: 0n, lamports: 5_000_000_000n }] }; // as a node of the network says
 *   },
 *   afterSettle: ({ intentId }, { outcome, status }) => console.log(outcome, status, intentId),
 * };
 * ```
 */
export interface Hooks {
  /** Awaited right before a trade is sent, after its market was asked what the wallets hold. If it throws, the trade is not sent. It may
   * return `{ before }`: what the trading wallets hold now. That is kept with the trade like the option `before`, and the journal has it
   * before the trade is sent. If it cannot be used, the trade is not sent. */
  beforeSend?(intent: TradeIntent): unknown;
  /** Awaited after a trade has ended. If it throws, nothing changes. */
  afterSettle?(intent: TradeIntent, settlement: Settlement): unknown;
  /** Called with what a landed trade did, against its quote: by `client.drift`, or by itself (`checkDrift`). If it throws, nothing changes. */
  drift?(intentId: string, drift: Drift): unknown;
  /** Called with each trade that the market has settled: by `client.settle`, or by itself (`settleAfterMs`). Also with each answered trade
   * whose end the chain shows otherwise: `contradicts` is what the service had said. If it throws, nothing changes. */
  settled?(intentId: string, settled: SettledTrade): unknown;
}

/** Where log lines of a {@link TradeClient} go. */
export interface Logger {
  /** Each step. */
  debug?(message: string, details: object): void;
  /** A trade that landed. */
  info?(message: string, details: object): void;
  /** A trade that was not made. */
  warn?(message: string, details: object): void;
  /** A trade of unknown outcome. */
  error?(message: string, details: object): void;
}
