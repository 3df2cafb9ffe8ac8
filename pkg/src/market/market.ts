// A market: where prices come from. It posts the bodies that the core writes, and returns the replies.

import { linked } from "../abort.js";
import * as core from "build:market";
import { type Body, walletsOf } from "../body.js";
import { within } from "../bound.js";
import { callArgs, result } from "../crossing.js";
import { nameError } from "../errors.js";
import type {
  CurveReserves,
  ChainCurve,
  Commitment,
  CurveConfig,
  Drift,
  LaunchpadConfig,
  MarketErrorCode,
  Moved,
  Operation,
  OtherTrade,
  RequestOf,
  SandboxConfig,
  Seen,
  TradeQuote,
  WalletLook,
} from "../generated.js";
import {
  LOOK_EVERY_MS,
  MAX_AGE_MS,
  MOST_AT_ONCE,
  MOST_NODE_BYTES,
  MOST_REFUSAL_BYTES,
  NODE_TIMEOUT_MS,
  OWN_EVERY_MS,
  OWN_WITHIN_MS,
} from "../generated.js";
import type {
  BoughtPosition,
  BoughtTrade,
  NamedTrade,
  PricedPlan,
  SettledTrade,
  UnsettledTrade,
} from "../trade/options.js";
import { type NodeCall, networkCode, nodeCall } from "../node-url.js";
import { bodyOf } from "../reply.js";
import { boughtBy } from "../bought.js";
import { uncached } from "../runtime.js";
import { Since } from "../since.js";
import { type WatchOptions, pause, watched } from "../watching.js";
import { type ChainAccount, type ReadOrRefused, isBytes, readOrThrow } from "./accounts.js";

/**
 * A market that gives no answer: its source did not reply, refused, lags, or cannot be read.
 *
 * @example
 * ```js
 * import { Market, MarketError } from "launchpad-desk/market";
 *
 * const market = new Market({ accounts: () => Promise.reject(new Error("offline")) });
 * try {
 *   await market.look("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs");
 * } catch (error) {
 *   if (error instanceof MarketError) console.log(error.code); // unreachable
 * }
 * ```
 */
export class MarketError extends Error {
  /** Why it says nothing. */
  readonly code: MarketErrorCode;
  /** The HTTP status of the node's reply, if it was none of success. */
  readonly status?: number;

  /** Only the package makes these errors. */
  protected constructor(code: MarketErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}
nameError("MarketError", MarketError);

const failed = (code: MarketErrorCode, message: string, status?: number): MarketError =>
  new (MarketError as unknown as new (code: string, message: string, status?: number) => MarketError)(
    code,
    message,
    status,
  );

/** What a node returns for `getMultipleAccounts`: one value for each address, all of one slot. */
export type AccountsOfSlot = {
  /** The slot in which all of them were read. */
  context: { slot: number };
  /** The accounts in the order of the addresses, as a node returns them with the encoding `base64`; `null` where there is none. */
  value: readonly (object | null)[];
};

/** Where a {@link Market} gets its accounts, and how it is used. Give `rpc` or `accounts`. */
export interface MarketOptions {
  /** Your node's JSON-RPC: its URL, or a function that posts a body to it and resolves to the reply's text. */
  rpc?: string | ((body: string) => Promise<string>);
  /** Headers of each call to the URL `rpc`, such as a token. A URL with a user and a password sends those as the header `authorization`. */
  headers?: Readonly<Record<string, string>>;
  /** Instead of `rpc`, a function that returns the accounts at these addresses. Such a market has prices, but cannot settle trades. */
  accounts?: (addresses: string[]) => Promise<AccountsOfSlot>;
  /** How final the data for prices must be. Balances recorded before a trade are always `finalized`. Default: `confirmed`. */
  commitment?: Commitment;
  /** The launchpad's rules that are not in accounts, such as the rent. Default: those of the day, `defaultLaunchpad(Date.now())`. */
  rules?: LaunchpadConfig;
  /** How long a look may be used for quotes, and how long the newest slot may stand still before looks are `stale`, in milliseconds.
   * Default: 10000. */
  maxAgeMs?: number;
  /** How long a reply of the node, or of your function, may take, in milliseconds. Default: 10000. */
  timeoutMs?: number;
  /** The most bytes of a reply that are read: a longer one is `unreadable_reply`. Default: 67108864. */
  maxReplyBytes?: number;
  /** Whether anybody but the client signs for its wallets, another client or another run without its journal among them. Then no trade is
   * proven to be `landed` or `failed`. Default: true. */
  walletsShared?: boolean;
  /** The longest time from the client's send until the service takes its blockhash, in milliseconds: the way there, which may take up to the
   * client's `timeoutMs`, its queue and its deadline. Without it, or if the service signs with durable nonces, no trade is ever proven to be `failed` or `did_not_land`. Default: unknown. */
  serviceHoldsMs?: number;
  /** The addresses of wallets that the service names by ids of its own: `{ "wallet-7": "EFKx…" }`. Requests, looks and answers keep the ids.
   * An address has one id, and there are at most 1024. Default: none, each id is its address. Of a wallet whose id is no address nothing is
   * known without one. */
  walletAddresses?: Readonly<Record<string, string>>;
}

/** When and how surely something was read: on each look, and on each quote that is made from one. */
export type AsOf = {
  /** The slot. */
  slot: number;
  /** The caller's clock when the reply had come, in milliseconds since 1970. */
  atMs: number;
  /** How sure the node was. */
  commitment: Commitment;
};

/**
 * The curve of a look: what `new Curve(…)` of `launchpad-desk/market` takes.
 *
 * @see {@link Market.look}
 */
export interface LookCurve {
  /** The rules. */
  launchpad: LaunchpadConfig;
  /** Where the curve stands. */
  curve: CurveConfig;
  /** The supply that the market cap counts, in base units. */
  supply: bigint;
  /** Whether somebody earns the creator's fee. */
  hasCreator: boolean;
  /** A creator rate of the token's own, in basis points, if it counts. */
  creatorBps: number | null;
  /** Whether trading has ended. */
  complete: boolean;
}

/**
 * A token, its rules and some wallets, all of one slot.
 *
 * @see {@link Market.look}
 */
export interface Look extends AsOf {
  /** Whether the newest slot that the market has read had not risen for longer than `maxAgeMs` when the reply came: the node stands still. A
   * first look is never stale, because nothing is known before it. */
  stale: boolean;
  /** The token. */
  mint: string;
  /** The curve and its rules: `new Curve(look.curve)`. */
  curve: LookCurve;
  /** The curve's account. */
  chain: ChainCurve;
  /** The program that the token belongs to. */
  tokenProgram: string;
  /** The supply that the mint says, in base units. */
  mintSupply: bigint;
  /** The wallets, in the order in which they were asked for. */
  wallets: WalletLook[];
  /** Ids of wallets that were asked for, too, but are no addresses and have none in `walletAddresses`: nothing is known of them. */
  unknownWallets: string[];
  /** The same as a sandbox's config: `new Sandbox(look.sandbox)` tries a trade before it is made. */
  sandbox: SandboxConfig;
}

/**
 * A quote, and the slot that it was made from.
 *
 * @see {@link Market.quote}
 */
export type MarketQuote = TradeQuote &
  AsOf & {
    /** The curve and the rules that it was made from: `market.drift` compares a landed trade with them. */
    curve: LookCurve;
  };

/**
 * What a stream of accounts says: an account as of a slot, or only that a slot has begun.
 *
 * @see {@link MarketWatchOptions}
 */
export interface AccountUpdate {
  /** The slot. */
  slot: number;
  /** Which account it is. Without it, the update says that this slot has begun, and nothing more. */
  address?: string;
  /** The account as a node tells of it, with the encoding `base64`; `null` if it is gone. */
  account?: Omit<ChainAccount, "address"> | null;
}

/**
 * How a market of the chain is watched: by a request for each look, or by your own stream of accounts.
 *
 * @example
 * ```ts
 * import { type AccountUpdate, Market } from "launchpad-desk/market";
 *
 * const market = new Market({ rpc: "https://rpc.example" });
 *
 * // Subscribes to these accounts, and to slots, until the signal: by your node's WebSocket, or a stream of your provider.
 * declare function subscribed(addresses: string[], signal: AbortSignal): AsyncIterable<AccountUpdate>;
 *
 * async function watched(mint: string, signal: AbortSignal) {
 *   for await (const look of market.watch(mint, { follow: subscribed, signal })) {
 *     if (!(look instanceof Error)) console.log(look.slot);
 *   }
 * }
 * ```
 */
export interface MarketWatchOptions extends WatchOptions {
  /**
   * Your stream of these accounts, in place of a request for each look. It is called once, and the stream must begin at that call: the accounts
   * are then read once by a request, and each look comes when its slot is over, at the first update of a later one. So pass the slots,
   * too, and subscribe at the commitment `processed`, by which a node tells them. The signal ends with the watch.
   */
  follow?: (addresses: string[], signal: AbortSignal) => AsyncIterable<AccountUpdate>;
}

const encoder = new TextEncoder();
/** The most views whose addresses are kept. */
const MOST_VIEWS = 64;

/** What the core says of a look. */
type ReadLook = Omit<Look, "atMs" | "commitment" | "stale">;
type Answer<R> = ReadOrRefused<R> | { failed: { message: string; code: MarketErrorCode }; refused?: undefined };

/** How long ago each look was read: its `atMs` does not tell once the clock was set back. A copy has only that. */
const readSince = new WeakMap<Look, Since>();

function dated(read: ReadLook, commitment: Commitment, stale: boolean): Look {
  const look = Object.freeze({ ...read, atMs: Date.now(), commitment, stale });
  readSince.set(look, new Since());
  return look;
}

function quotedAt(
  { slot, atMs, commitment, curve, sandbox, unknownWallets }: Look,
  operation: Operation,
  asked: object,
  caller: Function,
): MarketQuote {
  const quote = result<TradeQuote>(
    core.quote(callArgs({ operation, ...asked, market: sandbox, unknownWallets, nowMs: atMs }, 8)),
    caller,
  );
  return Object.assign(quote, { slot, atMs, commitment, curve });
}

/**
 * What a request would do at a look, at once, and however old the look is. {@link Market.quote} looks first, and refuses an old look.
 * As there, a slippage without a unit is percent.
 *
 * @param look - it must have the request's wallets.
 * @throws {TradeNotSentError} `invalid_request`.
 *
 * @example
 * ```ts
 * import { type Look, quoteAt } from "launchpad-desk/market";
 *
 * function tokensFor(look: Look, fromWallet: string) {
 *   const { legs } = quoteAt(look, "buy", { mint: look.mint, fromWallet, amountInLamports: 50_000_000 });
 *   return legs[0]?.tokenAmount;
 * }
 * ```
 */
export function quoteAt<O extends Operation>(look: Look, operation: O, request: RequestOf[O]): MarketQuote {
  return quotedAt(look, operation, { request }, quoteAt);
}

/**
 * A look as an own trade that landed leaves it, for who cannot wait until the node shows the trade: as it is, if it shows the trade already,
 * and otherwise with what the trade did on its curve. `null` if that is not known yet: of a bundle, or if the reply does not say what the
 * wallet held, or held something else than the look says. It is of the old slot, and a forecast: decide by {@link Market.look}.
 *
 * @param plan - what was sent.
 * @param trade - its reply.
 *
 * @example
 * ```ts
 * import type { Plan, TradeClient } from "launchpad-desk";
 * import { type Look, lookWith, quoteAt } from "launchpad-desk/market";
 *
 * async function worthAtOnce(client: TradeClient, look: Look, plan: Plan, fromWallet: string) {
 *   const now = lookWith(look, plan, await client.send(plan));
 *   return now && quoteAt(now, "sellByPercentage", { mint: look.mint, fromWallet, percentage: 100 }).legs[0]?.walletLamports;
 * }
 * ```
 */
export function lookWith(
  look: Look,
  { operation, body, slippageUnit }: Pick<PricedPlan, "operation" | "body"> & { slippageUnit?: "percent" | "bps" },
  { exact }: { exact: object },
): Look | null {
  const { preTokenBalance: before, postTokenBalance: after } = exact as Record<string, string | null | undefined>;
  const { sandbox, unknownWallets, atMs: nowMs } = look;
  const call = { operation, body, slippageUnit, before, after, market: sandbox, unknownWallets, nowMs };
  const now = result<Traded | null>(core.withTrade(callArgs(call, 8)), lookWith);
  if (!now) return null;
  const { curve, complete } = now;
  const tradedIn = (id: string) => now.wallets.find(({ wallet }) => wallet === id);
  return Object.freeze({
    ...look,
    curve: { ...look.curve, curve, complete },
    chain: { ...look.chain, reserves: curve, complete },
    wallets: look.wallets.map((known) => {
      const traded = tradedIn(known.wallet);
      if (!traded) return known;
      const { lamports, opensVolumeAccount, tokens, rentLamports } = traded;
      const { mint, wallet } = { ...look, ...known };
      const opened = { mint, wallet, isFrozen: false, delegate: null, delegatedTokens: 0n, closeAuthority: null };
      const held = known.holding ?? { ...opened, lamports: rentLamports ?? 0n };
      const holding = tokens === null ? null : { ...held, tokens };
      return { ...known, lamports, opensVolumeAccount, holding };
    }),
    sandbox: {
      ...sandbox,
      tokens: sandbox.tokens?.map((token) => ({ ...token, curve, complete })),
      wallets: sandbox.wallets?.map((known) => {
        const traded = tradedIn(known.wallet);
        if (!traded) return known;
        const { lamports, opensVolumeAccount, tokens, rentLamports } = traded;
        const [held] = known.holdings ?? [];
        const holding = { ...held, mint: look.mint, tokens: tokens ?? 0n, lamports: rentLamports ?? 0n };
        return { ...known, lamports, opensVolumeAccount, holdings: tokens === null ? [] : [holding] };
      }),
    },
  });
}

/** What the core says of a look with a trade. */
interface Traded {
  curve: CurveReserves;
  complete: boolean;
  wallets: {
    wallet: string;
    lamports: bigint;
    opensVolumeAccount: boolean;
    tokens: bigint | null;
    rentLamports: bigint | null;
  }[];
}

/**
 * Prices, holdings and proof, read from the chain through your own node. It signs nothing and holds no key.
 *
 * A client with `market` prices its plans by it, records what its wallets hold before each trade, and settles unknown trades with
 * `client.settle()`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Market } from "launchpad-desk/market";
 *
 * const market = new Market({ rpc: "https://rpc.example", walletsShared: false });
 * const client = new TradeClient({ baseURL: "https://service.example", market });
 * ```
 */
export class Market {
  readonly #post: (body: string) => Promise<string | Uint8Array | Refused>;
  readonly #hasHistory: boolean;
  readonly #options: Required<Pick<MarketOptions, "commitment" | "maxAgeMs" | "maxReplyBytes" | "walletsShared">> &
    MarketOptions;
  readonly #views = new Map<string, core.View>();
  /** The newest slot that was read, by commitment, and how long ago it was first read. */
  readonly #newest = new Map<Commitment, { slot: number; since: Since }>();
  /** Whether the node answers calls, but no batches of them. */
  #refusesBatches = false;
  /** The most accounts that it allows a call, if it has refused more. */
  #mostAccounts: number | undefined;
  /** The trades of a client that looks have to show, once there is one. */
  #own: core.OwnTrades | undefined;
  /** What the chain has shown of each unresolved trade after its send. */
  readonly #shown = new Map<string, object>();

  /**
   * Makes a market. Nothing is read yet.
   *
   * @throws {TypeError} without `rpc` and `accounts`, with both, or with `headers` and no URL; {TradeNotSentError} `invalid_options`, if a value
   * of `walletAddresses` is no address, or that of another id.
   */
  constructor(options: MarketOptions) {
    const {
      rpc,
      headers,
      accounts,
      commitment = "confirmed",
      maxAgeMs = MAX_AGE_MS,
      walletsShared = true,
      timeoutMs = NODE_TIMEOUT_MS,
      maxReplyBytes = MOST_NODE_BYTES,
    } = options;
    // A copy: what it names must not change while trades are in flight.
    const walletAddresses = options.walletAddresses && { ...options.walletAddresses };
    if ((rpc === undefined) === (accounts === undefined)) throw new TypeError("a market takes either rpc or accounts");
    if (walletAddresses) result(core.checkWallets(callArgs({ walletAddresses })), Market);
    this.#options = {
      ...options,
      commitment,
      maxAgeMs,
      maxReplyBytes,
      walletsShared,
      ...(walletAddresses && { walletAddresses }),
    };
    this.#hasHistory = rpc !== undefined;
    const late = (): never => {
      throw silent(`within ${timeoutMs} ms`);
    };
    if (headers !== undefined && typeof rpc !== "string") throw new TypeError("headers are of a URL: pass it as rpc");
    if (accounts) this.#post = async (body) => replyOf(await within(timeoutMs, accounts(addressesIn(body)), late));
    else if (typeof rpc === "function") this.#post = async (body) => within(timeoutMs, rpc(body), late);
    else {
      const call = nodeCall(rpc as string, headers);
      this.#post = (body) => posted(call, body, timeoutMs, maxReplyBytes);
    }
  }

  /** The reply to a body, as bytes: in one call, or in as many as the node needs that allows few accounts a call. */
  async #asked(body: string): Promise<Uint8Array> {
    const asking = core.asking(body, this.#mostAccounts);
    let refused: number | undefined;
    try {
      for (let bodies = asking.bodies(); bodies.length; bodies = asking.bodies()) {
        for (const { status, bytes } of await Promise.all(bodies.map((one) => this.#replied(one)))) {
          asking.replied(status, bytes);
          refused = status === 200 ? undefined : status;
        }
      }
      this.#mostAccounts = asking.mostAccounts ?? this.#mostAccounts;
      const reply = asking.reply();
      if (reply) return reply;
      const { message, code } = result<{ failed: { message: string; code: MarketErrorCode } }>(asking.failed()).failed;
      throw failed(code, message, refused);
    } finally {
      asking.free();
    }
  }

  /** The same, whatever its HTTP status; 200 where nobody says it. */
  async #replied(body: string): Promise<Refused> {
    const { maxReplyBytes } = this.#options;
    try {
      const reply = await this.#post(body);
      if (typeof reply === "object" && "status" in reply) return reply;
      if (reply.length > maxReplyBytes) throw tooLong(maxReplyBytes);
      return { status: 200, bytes: typeof reply === "string" ? encoder.encode(reply) : reply };
    } catch (thrown) {
      // Only a reason of our own or a code: a URL of a node often has a key in it.
      throw thrown instanceof MarketError ? thrown : silent(networkCode(thrown));
    }
  }

  #view(mint: string, wallets: readonly string[]): core.View {
    const name = JSON.stringify([mint, ...wallets]);
    const known = this.#views.get(name);
    if (known) return known;
    const { rules, walletAddresses } = this.#options;
    const made = result<core.View>(
      core.viewOf(callArgs({ mint, wallets: wallets.map((wallet) => ({ wallet })), rules, walletAddresses })),
      this.look,
    );
    for (const [oldest, view] of this.#views) {
      if (this.#views.size < MOST_VIEWS) break;
      this.#views.delete(oldest);
      view.free();
    }
    this.#views.set(name, made);
    return made;
  }

  /**
   * Reads a token's curve and rules, and what these wallets hold: one request, one slot.
   *
   * @param wallets - at most 24: addresses, or ids of `walletAddresses`. Those that are neither are in `unknownWallets`.
   * @throws {AccountError} if an account is missing or not as expected, {MarketError} if the source does not answer, is behind
   * an earlier reply, or does not show the client's last trade within some seconds (`not_shown`).
   *
   * @example
   * ```ts
   * import { Curve, Market } from "launchpad-desk/market";
   *
   * const market = new Market({ rpc: "https://rpc.example" });
   * async function priceOf(mint: string) {
   *   const look = await market.look(mint);
   *   return { slot: look.slot, price: new Curve(look.curve).spotPrice };
   * }
   * ```
   */
  look(mint: string, wallets: readonly string[] = []): Promise<Look> {
    return this.#lookOfNow(mint, wallets);
  }

  /** A look that shows the own trades. */
  async #lookOfNow(mint: string, wallets: readonly string[], signal?: AbortSignal): Promise<Look> {
    const begun = new Since();
    for (;;) {
      const { commitment } = this.#options;
      const read = await this.#read<ReadLook>(mint, wallets, commitment, (view, reply) => view.read(reply, Date.now()));
      const look = this.#dated(read, commitment);
      // One of a node that stands still decides nothing anyway.
      if (look.stale || (await this.#showsOwn(look))) return look;
      if (signal?.aborted || begun.ageMs >= OWN_WITHIN_MS) throw notShown(look);
      await pause(OWN_EVERY_MS, signal);
    }
  }

  /**
   * Takes note of an own trade: a look from before it decides nothing any more. For some seconds, looks and quotes of its token and its wallets
   * wait until the node shows it, and otherwise are `not_shown`. A client with this market calls this after each of its trades. A market with
   * only accounts cannot tell.
   *
   * @param signature - of its transaction, if its service named one.
   */
  traded({ body }: { body: string }, signature?: string | null): void {
    if (!this.#hasHistory) return; // accounts do not say where a trade is
    const { mint, ...asked } = JSON.parse(body) as Body;
    this.#own ??= new core.OwnTrades(this.#options.commitment);
    this.#own.traded([mint, ...walletsOf({ mint, ...asked } as Body)].join(" "), signature ?? undefined);
  }

  /** Whether a look shows the own trades of its token and its wallets. */
  async #showsOwn({ mint, wallets, slot }: Pick<Look, "mint" | "wallets" | "slot">): Promise<boolean> {
    const own = this.#own;
    if (!own) return true;
    const names = [mint, ...wallets.map(({ wallet }) => wallet)].join(" ");
    const body = own.body(names);
    // A node that does not say where a trade is leaves it unknown: it is waited for.
    if (body !== undefined)
      await this.#asked(body).then(
        (reply) => own.found(body, reply),
        () => false,
      );
    return own.shows(names, slot);
  }

  #dated(look: ReadLook, commitment: Commitment): Look {
    return dated(look, commitment, (this.#newest.get(commitment)?.since.ageMs ?? 0) > this.#options.maxAgeMs);
  }

  #standsStill({ slot }: Pick<Look, "slot">): MarketError {
    return failed("stale", `the node has had no slot after ${slot} for over ${this.#options.maxAgeMs} ms`);
  }

  async #read<R extends { slot: number }>(
    mint: string,
    wallets: readonly string[],
    commitment: Commitment,
    of: (view: core.View, reply: Uint8Array) => unknown,
  ): Promise<R> {
    // Of two that are in flight, the later one may be answered first.
    const known = this.#newest.get(commitment)?.slot ?? 0;
    const reply = await this.#asked(this.#view(mint, wallets).body(commitment));
    const checkSlot = (slot = known): void => {
      if (slot < known) throw failed("went_back", `the node answered for slot ${slot}, after slot ${known}`);
    };
    const answered = result<Answer<R>>(of(this.#view(mint, wallets), reply));
    // A node that lags may not have the account yet.
    if (answered.refused) checkSlot(core.slotOf(reply));
    const read = readIn(answered, this.look);
    checkSlot(read.slot);
    const newest = this.#newest.get(commitment)?.slot ?? -1;
    if (read.slot > newest) this.#newest.set(commitment, { slot: read.slot, since: new Since() });
    return read;
  }

  /**
   * What a request would do now, with the slot that it was made from. It is a forecast: the service makes its own quote, later. A slippage
   * without a unit is percent: if the service counts otherwise, give it as `{ bps }` or `{ percent }`, or take the price of a client's plan.
   *
   * @param look - a look to use instead of a new one; it must have the request's wallets.
   * @throws {TradeNotSentError} `invalid_request`; {MarketError} `stale`, for a look older than `maxAgeMs`, a copy of one that is as far
   * ahead of the clock, or one of a node that stands still; and as `look`.
   *
   * @example
   * ```ts
   * import { Market } from "launchpad-desk/market";
   *
   * const market = new Market({ rpc: "https://rpc.example" });
   * async function quoted(mint: string, fromWallet: string) {
   *   const { legs, slot, refused } = await market.quote("buy", { mint, fromWallet, amountInLamports: 50_000_000 });
   *   return refused ? refused.code : `${legs[0]?.tokenAmount} at slot ${slot}`;
   * }
   * ```
   */
  async quote<O extends Operation>(operation: O, request: RequestOf[O], look?: Look): Promise<MarketQuote> {
    return this.#quoted(operation, { request }, request as unknown as Body, look);
  }

  /**
   * The same for the exact body of a request: the price of a client's plan.
   *
   * @param slippageUnit - the unit in which the body has the slippage. Default: `percent`.
   */
  async quoteBody(operation: Operation, body: string, slippageUnit?: "percent" | "bps"): Promise<MarketQuote> {
    return this.#quoted(operation, { body, slippageUnit }, JSON.parse(body) as Body);
  }

  async #quoted(operation: Operation, asked: object, body: Body, given?: Look): Promise<MarketQuote> {
    const look = given ?? (await this.look(body.mint, walletsOf(body)));
    const { maxAgeMs } = this.#options;
    const ageMs = Math.round(readSince.get(look)?.ageMs ?? Date.now() - look.atMs);
    if (ageMs > maxAgeMs) throw failed("stale", `the look is ${ageMs} ms old, over ${maxAgeMs}`);
    if (ageMs < -maxAgeMs) throw failed("stale", `the look's time is ${-ageMs} ms ahead of this clock`);
    if (look.stale) throw this.#standsStill(look);
    if (given && !(await this.#showsOwn(look))) throw notShown(look);
    return quotedAt(look, operation, asked, this.quote);
  }

  /**
   * How many decimals a token has. They never change, so no trade is waited for, and a node that lags may say it: a client asks this before a
   * sell in base units.
   *
   * @throws {AccountError} if there is no such token; {MarketError} if the source does not answer.
   */
  async decimalsOf(mint: string): Promise<number> {
    const view = this.#view(mint, []);
    const reply = await this.#asked(view.mintBody(this.#options.commitment));
    return readIn(result<Answer<number>>(this.#view(mint, []).decimals(reply)), this.look);
  }

  /**
   * What the wallets of a trade hold, at a finalized slot: a client records it before it sends. A wallet that the chain does not have
   * holds nothing. Of a token that is not finalized yet, they hold none. A wallet whose address is not known is left out.
   *
   * @throws {MarketError} `no_address`, if that of no wallet is known; and as `look`.
   */
  async before({
    body,
  }: {
    body: string;
  }): Promise<{ wallet: string; tokens: bigint; lamports?: bigint; slot: number }[]> {
    const asked = JSON.parse(body) as Body;
    const unknown = this.#view(asked.mint, walletsOf(asked)).unknown();
    if (unknown !== undefined) throw failed("no_address", unknown);
    const { wallets, slot } = await this.#read<Pick<Look, "wallets" | "slot">>(
      asked.mint,
      walletsOf(asked),
      "finalized",
      (view, reply) => view.readWallets(reply),
    );
    return wallets.map(({ wallet, lamports, holding }) => ({
      wallet,
      tokens: holding?.tokens ?? 0n,
      lamports: lamports ?? 0n,
      slot,
    }));
  }

  /**
   * Looks again and again, or follows your own stream of accounts. A failed look does not end it: its error is passed instead. A node or a
   * stream whose slots have not risen for `maxAgeMs` is `stale`, once; a stream that ends is `unreachable`, and so ends the watch. Slots only rise. With a function in second place,
   * each look is passed to it, until the returned function is called. A `Sandbox` and a `SandboxMarket` of `launchpad-desk/sandbox`
   * have the same.
   *
   * @param options - `everyMs`: how often, 2000 by default; `wallets`; `follow`: your stream; `signal` ends it.
   *
   * @example
   * ```ts
   * import { Market } from "launchpad-desk/market";
   *
   * const market = new Market({ rpc: "https://rpc.example" });
   * async function watched(mint: string, signal: AbortSignal) {
   *   for await (const look of market.watch(mint, { everyMs: 1_000, signal })) {
   *     if (look instanceof Error) console.log(look.message);
   *     else console.log(look.slot);
   *   }
   * }
   * ```
   */
  watch(mint: string, options?: MarketWatchOptions): AsyncGenerator<Look | Error, void, undefined>;
  watch(mint: string, on: (look: Look | Error) => void, options?: MarketWatchOptions): () => void;
  watch(
    mint: string,
    first?: MarketWatchOptions | ((look: Look | Error) => void),
    options?: MarketWatchOptions,
  ): AsyncGenerator<Look | Error, void, undefined> | (() => void) {
    return watched(
      (given: MarketWatchOptions) =>
        given.follow ? this.#followed(mint, given.follow, given) : this.#watched(mint, given),
      first,
      options,
    );
  }

  async *#watched(
    mint: string,
    { everyMs = LOOK_EVERY_MS, wallets = [], signal }: WatchOptions,
  ): AsyncGenerator<Look | Error, void, undefined> {
    let [last, isStale] = [-1, false];
    while (!signal?.aborted) {
      const begun = new Since();
      let look: Look | Error;
      try {
        look = await this.#lookOfNow(mint, wallets, signal);
      } catch (error) {
        look = error as Error;
      }
      if (signal?.aborted) return;
      if (look instanceof Error) yield look;
      else if (look.slot > last) {
        [last, isStale] = [look.slot, false];
        yield look;
      } else if (look.stale && !isStale) {
        isStale = true;
        yield this.#standsStill(look);
      }
      await pause(everyMs - begun.ageMs, signal);
    }
  }

  async *#followed(
    mint: string,
    follow: NonNullable<MarketWatchOptions["follow"]>,
    { everyMs = LOOK_EVERY_MS, wallets = [], signal }: WatchOptions,
  ): AsyncGenerator<Look | Error, void, undefined> {
    const { commitment, maxAgeMs } = this.#options;
    const view = this.#view(mint, wallets);
    const [follower, addresses] = [view.follow(), result<string[]>(view.addresses())];
    const stop = linked(signal);
    const stream = new Stream(follow(addresses, stop.signal));
    let [newest, risen, isStale] = [-1, new Since(), false];
    try {
      // The stream has begun: no update between the first look and the rest is lost.
      while (newest < 0 && !stop.signal.aborted) {
        let look: Look | Error;
        try {
          look = this.#dated(
            await this.#read<ReadLook>(mint, wallets, commitment, (_view, reply) => follower.begin(reply, Date.now())),
            commitment,
          );
          [newest, risen] = [look.slot, new Since()];
        } catch (error) {
          look = error as Error;
        }
        if (stop.signal.aborted) return;
        if (look instanceof Error || (await this.#showsOwn(look))) yield look;
        if (newest < 0) await pause(everyMs, stop.signal);
      }
      while (!stop.signal.aborted) {
        const update = await stream.next(isStale ? undefined : maxAgeMs - risen.ageMs, stop.signal);
        if (stop.signal.aborted) return;
        if (update === "ended") return yield failed("unreachable", "the stream of accounts has ended");
        if (update !== "silent" && update.slot > newest) [newest, risen, isStale] = [update.slot, new Since(), false];
        const look = update === "silent" ? null : taken(follower, update);
        // A look that comes by the stream comes with a newer slot.
        if (look instanceof Error) yield look;
        else if (look && (await this.#showsOwn(look))) yield dated(look, commitment, false);
        if (!isStale && risen.ageMs >= maxAgeMs) {
          isStale = true;
          yield failed("stale", `the stream of accounts has had no new slot for ${maxAgeMs} ms`);
        }
      }
    } finally {
      stop.end();
      stream.end();
      follower.free();
    }
  }

  /**
   * Finds out how a trade of unknown outcome ended, from what its wallets held before, every transaction of theirs since, and what
   * they hold now, all finalized. Without proof it is `unknown`, with the reason.
   *
   * `client.settle()` asks this for each unresolved trade, and records the answer.
   *
   * @param others - the other trades of the client that share a wallet with it, so that no transaction of theirs is taken for this
   * trade's. If they are not given, the wallets count as shared.
   * @param areAll - whether those are still all, once the node has answered. If not, no transaction proves anything. Default: they are.
   * @throws {MarketError} `no_history`, if the market has only accounts.
   */
  async settleTrade(
    trade: UnsettledTrade,
    others: readonly OtherTrade[] | null = null,
    areAll: () => boolean = () => true,
  ): Promise<SettledTrade> {
    this.#mustHaveHistory();
    const { serviceHoldsMs, walletsShared, rules, walletAddresses } = this.#options;
    const { intentId, operation, body, startedAtMs, before, throughGateway, answered } = trade;
    // When a gateway has sent it, only the gateway knows: it proves what did not land.
    const heldMs = throughGateway ? undefined : serviceHoldsMs;
    const node = { oneByOne: this.#refusesBatches, mostAccounts: this.#mostAccounts };
    const call = {
      intent: { operation, body, startedAtMs, before },
      others,
      shown: this.#shown.get(intentId),
      heldMs,
      walletsShared,
      ...node,
      rules,
      walletAddresses,
      answered,
    };
    const settler = result<core.TradeSettler>(core.settler(callArgs(call)), this.settleTrade);
    try {
      for (let bodies = settler.nextBodies(MOST_AT_ONCE); bodies.length; bodies = settler.nextBodies(MOST_AT_ONCE)) {
        for (const answer of await Promise.allSettled(bodies.map((body) => this.#replied(body)))) {
          if (answer.status === "fulfilled") settler.replied(answer.value.status, answer.value.bytes);
          else settler.giveUp(answer.reason.message);
        }
      }
      const { settled, shown } = result<{ settled: SettledTrade; shown: object | null }>(settler.settled(areAll()));
      this.#mostAccounts = settler.mostAccounts;
      if (settler.refusesBatches) this.#refusesBatches = true;
      if (settled.outcome === "unknown" && shown) this.#shown.set(intentId, shown);
      else this.#shown.delete(intentId);
      return settled;
    } finally {
      settler.free();
    }
  }

  #mustHaveHistory(): void {
    if (!this.#hasHistory) throw failed("no_history", "a market with only accounts has no transactions: pass rpc");
  }

  /** The node's reply about the transaction of this signature. */
  async #transaction(signature: string): Promise<Uint8Array> {
    this.#mustHaveHistory();
    return this.#asked(core.transactionBody(signature, this.#options.commitment));
  }

  /**
   * Checks a service's answer: whether the transaction of this signature is final, failed, or was not seen. A transaction that was not
   * seen may still land.
   *
   * @throws {MarketError} if the source says nothing.
   */
  async confirm(signature: string): Promise<Seen> {
    this.#mustHaveHistory();
    return readIn(result<Answer<Seen>>(core.readStatus(await this.#asked(core.statusBody(signature)))), this.confirm);
  }

  /**
   * Compares a landed trade with the price of its plan: what each wallet paid and got, against the quote, and which rule moved in
   * between. What is not `explained` means that the rules in use are no longer the launchpad's.
   *
   * `client.drift(plan, signature)` asks this, and tells the hooks and the log.
   *
   * @throws {TradeNotSentError} `invalid_options`, if the price is not a market's; {MarketError} `no_transaction`; `no_address`, if that of a wallet is not known; and as `confirm`.
   */
  async drift({ operation, body, price }: PricedPlan, signature: string): Promise<Drift> {
    const reply = await this.#transaction(signature);
    const { walletAddresses } = this.#options;
    const found = core.driftOf(callArgs({ operation, body, price, walletAddresses }), reply);
    return readIn(result<Answer<Drift>>(found, this.drift), this.drift);
  }

  /**
   * What the transaction that the service has named for a trade has moved in the trade's wallets: base units, lamports, rent; `null` if
   * the node does not show it, at this market's commitment.
   *
   * @throws {MarketError} `no_address`, if that of a wallet is not known; and as `confirm`.
   */
  async moved({ operation, body, startedAtMs, beforeSlot, signature }: NamedTrade): Promise<Moved | null> {
    const reply = await this.#transaction(signature);
    const { walletAddresses } = this.#options;
    const found = core.movedOf(callArgs({ operation, body, startedAtMs, beforeSlot, walletAddresses }), reply);
    return readIn(result<Answer<Moved | null>>(found, this.moved), this.moved);
  }

  /**
   * The position that a buy has opened, or what is missing for it: what `client.positionOf` asks.
   *
   * @throws {MarketError} as `moved`.
   */
  async bought(trade: BoughtTrade): Promise<BoughtPosition> {
    return boughtBy(core.positionOf, trade, (named) => this.moved(named));
  }
}

/** The look that an update completes, if it does, or why it gives none. */
function taken(follower: core.Follower, { slot, address, account }: AccountUpdate): ReadLook | Error | null {
  const { owner, lamports, data } = account ?? ({} as Partial<ChainAccount>);
  const hasBytes = isBytes(data);
  const args = callArgs({ slot, address, account: account && { owner, lamports, data: hasBytes ? undefined : data } });
  try {
    const found = follower.take(args, hasBytes, hasBytes ? data : new Uint8Array(), Date.now());
    return readIn(result<Answer<ReadLook | null>>(found, taken), taken);
  } catch (error) {
    return error as Error;
  }
}

/** A stream of accounts, of which one update at a time is awaited. It begins when this is made. */
class Stream {
  readonly #updates: AsyncIterator<AccountUpdate>;
  #next: Promise<AccountUpdate | "ended">;

  constructor(updates: AsyncIterable<AccountUpdate>) {
    this.#updates = updates[Symbol.asyncIterator]();
    this.#next = this.#asked();
  }

  async #asked(): Promise<AccountUpdate | "ended"> {
    try {
      const { done, value } = await this.#updates.next();
      return done ? "ended" : value;
    } catch {
      // Not the reason: a URL of a node often has a key in it.
      return "ended";
    }
  }

  /** The next update, unless it takes longer. */
  async next(withinMs: number | undefined, signal: AbortSignal): Promise<AccountUpdate | "ended" | "silent"> {
    const wait = linked(signal);
    const isOver = pause(withinMs ?? Infinity, wait.signal).then(() => "silent" as const);
    const first = await Promise.race([this.#next, isOver]);
    wait.end();
    if (first !== "silent" && first !== "ended") this.#next = this.#asked();
    return first;
  }

  end(): void {
    // It may be a generator that waits for its source: it ends by its signal, and nobody waits for that.
    void this.#updates.return?.().catch(() => {});
  }
}

/** What the core has read, or why nothing, as an error whose stack begins at the caller. */
function readIn<R>(answered: Answer<R>, caller: Function): R {
  if ("failed" in answered) throw failed(answered.failed.code, answered.failed.message);
  return readOrThrow(answered, caller);
}

/** The addresses that a body asks for. */
function addressesIn(body: string): string[] {
  const { params } = JSON.parse(body) as { params: [string[]] };
  return params[0];
}

/** A reply with these accounts, as a node gives it. */
const replyOf = (accounts: AccountsOfSlot): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result: accounts });

const notShown = ({ slot }: Pick<Look, "slot">): MarketError =>
  failed(
    "not_shown",
    `the node does not show your last trade yet: what it says, of slot ${slot}, is from before that trade`,
  );
const silent = (why = ""): MarketError =>
  failed("unreachable", `the market's source gave no reply${why && ` (${why})`}`);
const tooLong = (most: number): MarketError =>
  failed("unreadable_reply", `the reply is longer than ${most} bytes (maxReplyBytes)`);

/** A reply with its HTTP status, which may be none of success. */
interface Refused {
  readonly status: number;
  readonly bytes: Uint8Array;
}

function posted(call: NodeCall, body: string, timeoutMs: number, most: number): Promise<Uint8Array | Refused> {
  const stop = new AbortController();
  // The abort alone does not end it: on Node 20 a request may lose its signal to garbage collection.
  return within(timeoutMs, answered(call, body, most, stop), () => {
    stop.abort();
    throw silent(`within ${timeoutMs} ms`);
  });
}

async function answered(
  { url, headers }: NodeCall,
  body: string,
  most: number,
  stop: AbortController,
): Promise<Uint8Array | Refused> {
  let isRead = false;
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "error",
      ...uncached(fetch),
      signal: stop.signal,
    });
    const { status } = reply;
    const isAnswer = reply.ok;
    const [kind, read] = await bodyOf(reply, isAnswer ? most : Math.min(most, MOST_REFUSAL_BYTES), { stop: 0 });
    isRead = kind === "body";
    if (!isAnswer) return { status, bytes: isRead ? (read as Uint8Array) : new Uint8Array() };
    if (isRead) return read as Uint8Array;
    throw kind === "tooLarge" ? tooLong(most) : silent();
  } finally {
    if (!isRead) stop.abort(); // what is not read is not sent either
  }
}
