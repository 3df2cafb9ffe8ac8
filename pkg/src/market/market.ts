// A market: what it reads of the chain, and what it finds out about trades.

import { linked } from "../abort.js";
import * as core from "build:market";
import { type Body, walletsOf } from "../body.js";
import { boughtBy } from "../bought.js";
import { callArgs, result } from "../crossing.js";
import type {
  Commitment,
  Drift,
  LaunchpadConfig,
  Moved,
  Operation,
  OtherTrade,
  RequestOf,
  Seen,
} from "../generated.js";
import { LOOK_EVERY_MS, MAX_AGE_MS, MOST_AT_ONCE, OWN_EVERY_MS, OWN_WITHIN_MS } from "../generated.js";
import { Since } from "../since.js";
import type {
  BoughtPosition,
  BoughtTrade,
  NamedTrade,
  PricedPlan,
  SettledTrade,
  UnsettledTrade,
} from "../trade/options.js";
import { type Looks, type WatchOptions, type WatchedBy, pause, watched } from "../watching.js";
import { type ChainAccount, isBytes } from "./accounts.js";
import { type Look, type MarketQuote, type ReadLook, ageOf, dated, quotedAt } from "./look.js";
import { type Answer, MarketError, failed, readIn } from "./market-error.js";
import { type AccountsOfSlot, Source } from "./source.js";
import { type AccountUpdate, AccountStream } from "./stream.js";

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

/** The most views whose addresses are kept. */
const MOST_VIEWS = 64;

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
  readonly #source: Source;
  readonly #options: Required<Pick<MarketOptions, "commitment" | "maxAgeMs" | "walletsShared">> & MarketOptions;
  readonly #views = new Map<string, core.View>();
  /** The newest slot that was read, by commitment, and how long ago it was first read. */
  readonly #newest = new Map<Commitment, { slot: number; since: Since }>();
  /** Whether the node answers calls, but no batches of them. */
  #refusesBatches = false;
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
    const { commitment = "confirmed", maxAgeMs = MAX_AGE_MS, walletsShared = true } = options;
    // A copy: what it names must not change while trades are in flight.
    const walletAddresses = options.walletAddresses && { ...options.walletAddresses };
    this.#source = new Source(options);
    if (walletAddresses) result(core.checkWallets(callArgs({ walletAddresses })), Market);
    this.#options = { ...options, commitment, maxAgeMs, walletsShared, ...(walletAddresses && { walletAddresses }) };
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
    if (!this.#source.hasHistory) return; // accounts do not say where a trade is
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
      await this.#source.ask(body).then(
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
    const reply = await this.#source.ask(this.#view(mint, wallets).body(commitment));
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

  /** The same for the exact body of a request, with its slippage in percent or in this unit: the price of a client's plan. */
  async quoteBody(operation: Operation, body: string, slippageUnit?: "percent" | "bps"): Promise<MarketQuote> {
    return this.#quoted(operation, { body, slippageUnit }, JSON.parse(body) as Body);
  }

  async #quoted(operation: Operation, asked: object, body: Body, given?: Look): Promise<MarketQuote> {
    const look = given ?? (await this.look(body.mint, walletsOf(body)));
    const { maxAgeMs } = this.#options;
    const ageMs = ageOf(look);
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
    const reply = await this.#source.ask(view.mintBody(this.#options.commitment));
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
  watch(mint: string, ...by: WatchedBy<Look, MarketWatchOptions>): Looks<Look> | (() => void) {
    const looks = (given: MarketWatchOptions): Looks<Look> =>
      given.follow ? this.#followed(mint, given.follow, given) : this.#watched(mint, given);
    return watched(looks, ...by);
  }

  async *#watched(mint: string, { everyMs = LOOK_EVERY_MS, wallets = [], signal }: WatchOptions): Looks<Look> {
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
  ): Looks<Look> {
    const { commitment, maxAgeMs } = this.#options;
    const view = this.#view(mint, wallets);
    const [follower, addresses] = [view.follow(), result<string[]>(view.addresses())];
    const stop = linked(signal);
    const stream = new AccountStream(follow(addresses, stop.signal));
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
    const node = { oneByOne: this.#refusesBatches, mostAccounts: this.#source.mostAccounts };
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
        for (const answer of await Promise.allSettled(bodies.map((body) => this.#source.replied(body)))) {
          if (answer.status === "fulfilled") settler.replied(answer.value.status, answer.value.bytes);
          else settler.giveUp(answer.reason.message);
        }
      }
      const { settled, shown } = result<{ settled: SettledTrade; shown: object | null }>(settler.settled(areAll()));
      this.#source.mostAccounts = settler.mostAccounts;
      if (settler.refusesBatches) this.#refusesBatches = true;
      if (settled.outcome === "unknown" && shown) this.#shown.set(intentId, shown);
      else this.#shown.delete(intentId);
      return settled;
    } finally {
      settler.free();
    }
  }

  #mustHaveHistory(): void {
    if (!this.#source.hasHistory)
      throw failed("no_history", "a market with only accounts has no transactions: pass rpc");
  }

  /** The node's reply about the transaction of this signature. */
  async #transaction(signature: string): Promise<Uint8Array> {
    this.#mustHaveHistory();
    return this.#source.ask(core.transactionBody(signature, this.#options.commitment));
  }

  /**
   * Checks a service's answer: whether the transaction of this signature is final, failed, or was not seen. A transaction that was not
   * seen may still land.
   *
   * @throws {MarketError} if the source says nothing.
   */
  async confirm(signature: string): Promise<Seen> {
    this.#mustHaveHistory();
    return readIn(
      result<Answer<Seen>>(core.readStatus(await this.#source.ask(core.statusBody(signature)))),
      this.confirm,
    );
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

const notShown = ({ slot }: Pick<Look, "slot">): MarketError =>
  failed(
    "not_shown",
    `the node does not show your last trade yet: what it says, of slot ${slot}, is from before that trade`,
  );
