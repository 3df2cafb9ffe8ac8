// The simulated service, as a program has it. Its state is in the core; what needs JavaScript is in `world`.

import * as core from "build:sandbox";
import { callArgs, result } from "../crossing.js";
import type {
  AccountRow,
  CallRow,
  Candle,
  FaultConfig,
  MarketTrade,
  Moved,
  Operation,
  Replay,
  RequestOf,
  SandboxConfig,
  SandboxToken,
  SandboxTokenConfig,
  SandboxWallet,
  TradeQuote,
  TradeRow,
} from "../generated.js";
import type { Amount } from "../argument.js";
import { boughtBy } from "../bought.js";
import type { BoughtPosition, BoughtTrade } from "../trade/options.js";
import { type Body, walletsOf } from "../body.js";
import { disposable, freed, isA } from "../handle.js";
import { FOLLOW, PIECES } from "../symbols.js";
import { Curve, type CurveOptions } from "launchpad-desk/market";
import { type SandboxFetch, fetchShape } from "./fetch-shape.js";
import { type Looks, type WatchOptions, type WatchedBy, Bell, watched } from "../watching.js";
import { type SandboxLook, looksOf } from "./look.js";
import { LONGEST_RECORDING } from "./recording.js";
import { type Pieces, type Store, World } from "./world.js";

/** The function that a method of the sandbox was given, if any. */
function functionOrNone<F extends Function>(name: string, value: F | null, caller: Function): F | undefined {
  result(core.checkFunction(callArgs({ name, value })), caller);
  return value ?? undefined;
}

/**
 * A simulated launchpad that serves the six endpoints in-process.
 *
 * The same state, calls and time give the same bytes. `fetch` has the shape of the Fetch API, so a worker can use it as
 * `export default { fetch: sandbox.fetch }`, and so can the servers of Bun and Deno.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 };
 * const trade = await client.buy(request);
 * console.log(trade.status, sandbox.account.level); // landed 1
 * ```
 */
export class Sandbox {
  #world: World | undefined;
  #fetch: SandboxFetch | undefined;

  /**
   * Makes a sandbox. Without a config, it has two tokens and three funded wallets.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
   */
  constructor(config?: SandboxConfig) {
    // Only `restore` can pass the core's sandbox.
    const made: core.Sandbox = isA(config, core.Sandbox)
      ? config
      : result(core.makeSandbox(callArgs({ config }, undefined, LONGEST_RECORDING)), Sandbox);
    this.#world = new World(made);
  }

  /**
   * Makes a sandbox from a snapshot. The snapshot does not contain the config: pass it again.
   *
   * @throws {TradeNotSentError} `invalid_options`, if the snapshot or the config cannot be used.
   */
  static restore(snapshot: string, config?: SandboxConfig): Sandbox {
    // Anything but text is not a snapshot.
    return new Sandbox(
      result(
        core.restoreSandbox(
          callArgs({ config }, undefined, LONGEST_RECORDING),
          typeof snapshot === "string" ? snapshot : "",
        ),
        Sandbox.restore,
      ),
    );
  }

  get #open(): World {
    return this.#world ?? freed("Sandbox");
  }

  static {
    // For stores of this package; not among the types.
    Object.defineProperty(Sandbox.prototype, PIECES, {
      get(this: Sandbox): Pieces {
        const world = this.#open;
        return { rows: () => world.rows(), stored: () => world.stored() };
      },
    });
  }

  /** Answers a request as the service would. It is bound to its sandbox, so it can be passed on by itself. */
  get fetch(): SandboxFetch {
    const world = this.#open;
    return (this.#fetch ??= Object.defineProperty(
      fetchShape(
        (method, path, headers, body) => world.answer(method, path, headers, body),
        (method, path, headers) => world.bodyLimit(method, path, headers),
        (operation: Operation, body: string) => world.quote({ operation, body }),
      ),
      FOLLOW,
      { value: world.followed() },
    ));
  }

  /**
   * What a request would do if it were sent now. Nothing changes.
   *
   * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
   */
  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote {
    return this.#open.quote({ operation, request }, this.quote);
  }

  /**
   * The curve of one of its tokens as it is now, with the launchpad's rules. It is a copy: later trades in the sandbox do not move
   * it, and it does not move the sandbox.
   *
   * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token.
   */
  curve(mint: string): Curve {
    const asked = callArgs({ mint });
    return new Curve(result<CurveOptions>(this.#open.core.curve(asked), this.curve));
  }

  /**
   * A token's curve, what these wallets hold, and the market's time, as a `Market` of `launchpad-desk/market` has them: what
   * `client.manage` sees its prices by.
   *
   * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token.
   */
  look(mint: string, wallets: readonly string[] = []): SandboxLook {
    const curve = this.curve(mint);
    const all = this.wallets;
    const asked = wallets.flatMap((id) => all.find(({ wallet }) => wallet === id) ?? []);
    const holding = ({ tokenAccounts }: SandboxWallet) =>
      tokenAccounts.find((account) => account.mint === mint) ?? null;
    return {
      curve,
      wallets: asked.map((one) => ({
        wallet: one.wallet,
        lamports: one.lamports,
        holding: holding(one),
        opensVolumeAccount: one.opensVolumeAccount,
      })),
      atMs: this.nowMs,
    };
  }

  /** What a request with this body would do now. With this, `before` and `confirm`, a sandbox can be the option `market` of a client. */
  async quoteBody(operation: Operation, body: string): Promise<TradeQuote> {
    return this.#open.quote({ operation, body }, this.quoteBody);
  }

  /** What the wallets of a trade hold now, as a `Market` says it. The slot is the number of transactions so far. */
  async before(trade: { body: string }): Promise<{ wallet: string; tokens: bigint; lamports: bigint; slot: number }[]> {
    const asked = JSON.parse(trade.body) as Body;
    const [names, slot] = [walletsOf(asked), this.account.transactions];
    const held = ({ tokenAccounts }: SandboxWallet) =>
      tokenAccounts.find(({ mint }) => mint === asked.mint)?.tokens ?? 0n;
    return this.wallets
      .filter(({ wallet }) => names.includes(wallet))
      .map((own) => ({ wallet: own.wallet, lamports: own.lamports, tokens: held(own), slot }));
  }

  /**
   * A sandbox keeps no evidence: a `LocalChain` around it does, and settles by that.
   *
   * @throws {Error} always, with the code `no_history`.
   */
  async settleTrade(): Promise<never> {
    throw Object.assign(new Error("a sandbox keeps no evidence: settle by a local chain around it"), {
      code: "no_history",
    });
  }

  /** Whether the transaction of this signature has landed or failed; `not_seen` if it has neither. */
  async confirm(signature: string): Promise<"finalized" | "failed" | "not_seen"> {
    const trade = this.trades.find((trade) => trade.signature === signature);
    if (!trade) return "not_seen";
    return trade.success ? "finalized" : "failed";
  }

  /** What the transaction of this signature has moved in the wallets of its trade; `null` if the sandbox does not have it. */
  async moved({ signature }: { signature: string }): Promise<Moved | null> {
    return result(this.#open.core.moved(typeof signature === "string" ? signature : ""));
  }

  /**
   * The position that a buy has opened, or what is missing for it: what `client.positionOf` asks. It has no time: the sandbox's market has one
   * of its own.
   */
  async bought(trade: BoughtTrade): Promise<BoughtPosition> {
    return boughtBy(core.positionOf, trade, (named) => this.moved(named));
  }

  /**
   * Looks at a token now, and again whenever it or one of the wallets has moved. What goes wrong is passed as an error, and does not end
   * it. With a function in second place, each look is passed to it, until the returned function is called. A `Market` of
   * `launchpad-desk/market` and a `SandboxMarket` have the same.
   */
  watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
  watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
  watch(mint: string, ...by: WatchedBy<SandboxLook>): Looks<SandboxLook> | (() => void) {
    return watched((given: WatchOptions) => this.#watched(mint, given), ...by);
  }

  async *#watched(mint: string, { everyMs = 0, wallets = [], signal }: WatchOptions): Looks<SandboxLook> {
    const { watchers } = this.#open;
    const bell = new Bell();
    const watch = (): void => bell.ring();
    watchers.add(watch);
    try {
      yield* looksOf(() => this.look(mint, wallets), { bell, failed: [], everyMs, signal });
    } finally {
      watchers.delete(watch);
    }
  }

  /**
   * Lets this many milliseconds of the market's time pass: in a market that lives, rivals trade and tokens are launched; in one
   * that replays, recorded trades are made. At most 100,000 steps of `stepMs` at once.
   *
   * @throws {TradeNotSentError} `invalid_request`, for anything but a whole number of milliseconds, or for more than may pass at
   * once; or what the store of `onChanges` throws. Then nothing has moved.
   */
  advance(ms: number): void {
    const asked = callArgs({ ms });
    this.#open.move((core) => core.advance(asked), this.advance);
  }

  /**
   * Gives lamports to a wallet, and creates the wallet if there is none with that id.
   *
   * @param label - the name that a page shows for it from now on.
   * @throws {TradeNotSentError} `invalid_request`, for an id that no request can name, or if all lamports together are over 64 bits;
   * or what the store of `onChanges` throws. Then nothing has changed.
   */
  fund(wallet: string, lamports: Amount, label?: string): void {
    const asked = callArgs({ wallet, lamports, label });
    this.#open.move((core) => core.fund(asked), this.fund);
  }

  /**
   * Launches a token, with the same settings as `tokens` in a config.
   *
   * @throws {TradeNotSentError} `invalid_request`, with every bad setting in `fields`, or for a mint that already exists; or
   * what the store of `onChanges` throws. Then nothing has changed.
   */
  launch(token: SandboxTokenConfig): void {
    const asked = callArgs(token as unknown as Record<string, unknown>);
    this.#open.move((core) => core.launch(asked), this.launch);
  }

  /**
   * Replaces the faults; the script begins with the next request. `{}` removes them.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
   * const request = { mint: "SimMoonRabbit111111111111111111111111111111", fromWallet: "SimTraderAda1111111111111111111111111111111", amountInLamports: 5_000_000 };
   * const error = await new TradeClient({ fetch: sandbox.fetch }).buy(request).catch((error) => error);
   * console.log(error.outcome, sandbox.trades.length); // unknown 1
   * ```
   *
   * @throws {TradeNotSentError} `invalid_request`, with every bad setting in `fields`; or what the store of `onChanges` throws.
   * Then nothing has changed.
   */
  setFaults(faults: FaultConfig): void {
    const asked = callArgs(faults as Record<string, unknown>);
    this.#open.move((core) => core.setFaults(asked), this.setFaults);
  }

  /**
   * Resets everything to the start: trades, funds, launches, the market's time, faults. The clock of `useClock` and the store of
   * `onChanges` stay.
   *
   * @throws what the store of `onChanges` throws. Then nothing has changed.
   */
  reset(): void {
    this.#open.move((core) => core.reset(), this.reset);
  }

  /**
   * Applies rows that `onChanges` received from a sandbox with the same config: in their order, and all rows of each call. They are
   * not passed to `onChanges` again.
   *
   * @example
   * ```ts
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const log: string[] = [];
   * const sandbox = new Sandbox();
   * sandbox.onChanges((changes) => log.push(...changes.map(({ row }) => row)));
   * sandbox.fund(sandbox.wallets[0].wallet, 5n);
   *
   * const again = new Sandbox(); // after a restart
   * again.apply(log);
   * console.log(again.snapshot() === sandbox.snapshot()); // true
   * ```
   *
   * @throws {TradeNotSentError} `invalid_options`, if a row cannot be read, contradicts another, or is missing. Then nothing is
   * applied.
   */
  apply(rows: readonly string[]): void {
    this.#open.apply(rows, this.apply);
  }

  /** The whole state as rows for `apply`, to replace a long log. */
  rows(): string[] {
    return [...this.#open.rows()].flat();
  }

  /**
   * The settings that decide the results of its calls, each as JSON text under its path, with a checksum of the wallets and tokens
   * that it begins with. Rows may be applied to a sandbox with the same origin. It contains no key.
   *
   * @throws {TradeNotSentError} `invalid_request`, for a restored sandbox whose settings contradict each other.
   */
  get origin(): Record<string, string> {
    return result(this.#open.core.origin());
  }

  /**
   * Takes the time from `now`, in milliseconds, instead of the system's clock, so that trades have the same time in every run.
   * `null` restores the system's clock. If `now` throws or does not return a time, the request fails, and nothing changes.
   *
   * @throws {TradeNotSentError} `invalid_options`, if it is not a function.
   */
  useClock(now: (() => number) | null): void {
    this.#open.clock = functionOrNone("useClock", now, this.useClock);
  }

  /**
   * Calls `store` with what each request changes, before the change is made and before the reply is given. If `store` throws, nothing
   * has changed and the request fails with the thrown error, so store and sandbox never differ. Each change is a row as JSON text,
   * with its own key.
   *
   * A store that writes the rows of several calls together may pass a promise to `later`, which it gets if the call is a request. The
   * answers wait for the promise. If it rejects, they all fail with its reason; the sandbox has changed already, so the store must then
   * throw for every further call.
   *
   * Otherwise the store must be synchronous. It must neither change nor free its sandbox, which is still in the state before. `null` removes
   * the store. `keepState` of `launchpad-desk/node` is such a store, in a file; `keepStateInIndexedDB` of `launchpad-desk/browser`
   * is one for pages.
   *
   * @throws {TradeNotSentError} `invalid_options`, if it is not a function.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const rows = new Map();
   * const sandbox = new Sandbox();
   * sandbox.onChanges((changes) => changes.forEach(({ key, row }) => rows.set(key, row)));
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
   * console.log(rows.size); // 7
   * ```
   */
  onChanges(store: Store | null): void {
    this.#open.keepBy(functionOrNone("onChanges", store, this.onChanges));
  }

  /** The whole state as JSON text, for `Sandbox.restore`. */
  snapshot(): string {
    return this.#open.core.snapshot();
  }

  /** The caller's account: its level, its transactions and the network fees it paid, in lamports. */
  get account(): AccountRow {
    return result(this.#open.core.account());
  }

  /** The wallets and what they hold. In JSON, lamports and base units are text, with all digits. */
  get wallets(): SandboxWallet[] {
    return result(this.#open.core.wallets());
  }

  /** The tokens and their curves. In JSON, lamports and base units are text. */
  get tokens(): SandboxToken[] {
    return result(this.#open.core.tokens());
  }

  /** The market's time, in milliseconds: it passes with `advance`, and by `inFlightMs` with each request. */
  get nowMs(): number {
    return this.#open.core.nowMs();
  }

  /** The newest trades of the market, your own and others', oldest first. In JSON, lamports and base units are text. */
  get marketTrades(): MarketTrade[] {
    return result(this.#open.core.marketTrades());
  }

  /**
   * How far the replay of the recording is: how many of its trades were made, how many were skipped and why, how many are left, and
   * which of those are of mints that the sandbox has no token of now.
   */
  get replay(): Replay {
    return result(this.#open.core.replay());
  }

  /**
   * At most `most` of the newest trades of one token, your own and others', oldest first. In JSON,
   * lamports and base units are text.
   *
   * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token, or `most` is not a whole number above zero.
   */
  newestTrades(mint: string, most: number): MarketTrade[] {
    const asked = callArgs({ mint, most });
    return result(this.#open.core.newestTrades(asked), this.newestTrades);
  }

  /**
   * The candles of a token, each of `intervalMs` milliseconds, oldest first, from the trades that the tape keeps. An interval
   * without trades has no candle. In JSON, lamports and base units are text.
   *
   * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token, or the interval is not a whole number above
   * zero.
   */
  candles(mint: string, intervalMs: number): Candle[] {
    const asked = callArgs({ mint, intervalMs });
    return result(this.#open.core.candles(asked), this.candles);
  }

  /** The newest calls and how each really ended, oldest first. `maxCalls` sets how many are kept. */
  get calls(): CallRow[] {
    return result(this.#open.core.calls());
  }

  /** The same calls as text, one line of JSON for each. */
  callsNdjson(): string {
    return this.#open.core.callsNdjson();
  }

  /** The newest transactions, landed and failed, oldest first. */
  get trades(): TradeRow[] {
    return result(this.#open.core.trades());
  }

  /**
   * Frees its memory: now, or if its `fetch` was taken, once that is no longer referenced, since it works on. Using the sandbox
   * afterwards throws; freeing it again does nothing.
   */
  free(): void {
    if (!this.#fetch) this.#world?.free();
    this.#world = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Sandbox);

/**
 * What a request would do in a given market: its curves, its wallets and what they hold, in the form of a sandbox's config.
 *
 * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { quote } from "launchpad-desk/sandbox";
 *
 * const market = {
 *   tokens: [{ mint: "M", soldBps: 1_000 }], // a tenth of the curve's tokens is sold already
 *   wallets: [{ wallet: "ada", lamports: 5_000_000_000n, holdings: [{ mint: "M", tokens: 1_000_000_000_000n }] }],
 * };
 * const { legs, refused } = quote("sellByPercentage", { mint: "M", fromWallet: "ada", percentage: 50 }, market);
 * console.log(legs[0].tokenAmount, legs[0].walletLamports, refused); // 500000 16088211n null
 * ```
 */
export function quote<O extends Operation>(operation: O, request: RequestOf[O], market: SandboxConfig): TradeQuote {
  return result(core.quote(callArgs({ operation, request, market })), quote);
}
