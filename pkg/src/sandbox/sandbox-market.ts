// The market of a sandbox that is served, read under /_market/ by any program.

import { linked } from "../abort.js";
import type {
  MarketStart,
  MarketTokens,
  MarketTrade,
  MarketTrades,
  MarketView,
  MarketWallets,
  SandboxToken,
} from "../generated.js";
import type { InJson } from "../json.js";
import { type Looks, type WatchOptions, type WatchedBy, Bell, pause, watched } from "../watching.js";
import { Curve, type CurveOptions } from "launchpad-desk/market";
import { type SandboxLook, looksOf } from "./look.js";

/**
 * An event of a market.
 *
 * | `type` | |
 * |---|---|
 * | `start` | a stream begins: how many trades this reader has missed, and whether the market has begun anew |
 * | `token` | a token as it is now: each one at the start, then each that was launched or has moved |
 * | `trade` | a trade that was made |
 * | `time` | the market's time has passed |
 *
 * @see {@link SandboxMarket.events}
 */
export type MarketEvent = { id: string } & (
  | { type: "start"; data: InJson<MarketStart> }
  | { type: "token"; data: InJson<SandboxToken> }
  | { type: "trade"; data: InJson<MarketTrade> }
  | { type: "time"; data: { nowMs: number } }
);

/** Where a sandbox is served. See {@link SandboxMarket}. */
export interface SandboxMarketOptions {
  /** Its address, as `serve` and `launchpad-desk sandbox` print it. */
  baseURL: string;
  /** What carries the requests. Default: the runtime's `fetch`. */
  fetch?: (url: string, init: { headers: Record<string, string>; signal?: AbortSignal }) => Promise<Response>;
  /** How long an answer may take, in milliseconds. Default: 10000. */
  timeoutMs?: number;
}

/** How long a broken stream waits before it is opened again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * The market of a sandbox that is served elsewhere, read over HTTP: prices for `client.manage`, looks, trades and events. It sends
 * no key and changes nothing.
 *
 * @example
 * ```js
 * import { serve } from "launchpad-desk/node";
 * import { Sandbox, SandboxMarket } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const served = await serve(sandbox);
 * const market = new SandboxMarket({ baseURL: served.url });
 * const { curve } = await market.look(sandbox.tokens[0].mint);
 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
 * await served.close();
 * ```
 */
export class SandboxMarket {
  readonly #base: string;
  readonly #fetch: NonNullable<SandboxMarketOptions["fetch"]>;
  readonly #timeoutMs: number;

  /**
   * Makes a market. Nothing is read yet.
   *
   * @throws {TypeError} if `baseURL` is not a URL.
   */
  constructor({
    baseURL,
    fetch = (url, init) => globalThis.fetch(url, init),
    timeoutMs = 10_000,
  }: SandboxMarketOptions) {
    this.#base = `${new URL(baseURL).href.replace(/\/$/, "")}/_market/`;
    [this.#fetch, this.#timeoutMs] = [fetch, timeoutMs];
  }

  async #get<T>(
    path: string,
    query: Record<string, string | number | undefined>,
    wallets: readonly string[] = [],
  ): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
    const asked = new URLSearchParams([...given, ...wallets.map((wallet) => ["wallet", wallet])] as [string, string][]);
    const response = await this.#fetch(`${this.#base}${path}?${asked}`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
    if (response.status !== 200) throw await refusal(response);
    return (await response.json()) as T;
  }

  /**
   * A token's curve and what these wallets hold, at one moment.
   *
   * @param wallets - at most 32.
   * @throws {Error} with the service's reason, if there is no such token or no answer.
   */
  async look(mint: string, wallets: readonly string[] = []): Promise<SandboxLook> {
    const view = await this.#get<InJson<MarketView>>(`looks/${encodeURIComponent(mint)}`, {}, wallets);
    const holding = (held: InJson<MarketView>["wallets"][number]["holding"]) =>
      held && { ...held, tokens: BigInt(held.tokens), lamports: BigInt(held.lamports) };
    return {
      curve: new Curve(view.curve as CurveOptions),
      wallets: view.wallets.map(({ wallet, lamports, holding: held, opensVolumeAccount }) => ({
        wallet,
        lamports: BigInt(lamports),
        holding: holding(held),
        opensVolumeAccount,
      })),
      atMs: view.atMs,
    };
  }

  /**
   * A page of its trades, oldest first.
   *
   * @param options - `after`: `next` of the page before, or a trade's number, without which the newest trades come; `mint`: one token's
   * trades; `limit`: how many, at most 1000, 100 by default.
   * @throws {Error} with the service's reason.
   *
   * @example
   * ```js
   * import { Sandbox, SandboxMarket } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox({ market: { alive: true } });
   * sandbox.advance(60_000);
   * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
   * const page = await market.trades({ after: 0, limit: 5 });
   * console.log(page.trades.length, page.missed, page.more); // 5 0 true
   * ```
   */
  trades({ after, mint, limit }: { after?: string | number; mint?: string; limit?: number } = {}): Promise<
    InJson<MarketTrades>
  > {
    return this.#get("trades", { after, mint, limit });
  }

  /**
   * A page of its tokens, in the order in which they were launched.
   *
   * @param options - `after`: `next` of the page before; `limit`: how many, at most 1000, 100 by default.
   * @throws {Error} with the service's reason.
   */
  tokens({ after, limit }: { after?: string; limit?: number } = {}): Promise<InJson<MarketTokens>> {
    return this.#get("tokens", { after, limit });
  }

  /**
   * A page of its wallets and what they hold.
   *
   * @param options - `after`: `next` of the page before; `limit`: how many, at most 1000, 100 by default.
   * @throws {Error} with the service's reason.
   */
  wallets({ after, limit }: { after?: string; limit?: number } = {}): Promise<InJson<MarketWallets>> {
    return this.#get("wallets", { after, limit });
  }

  /**
   * Its events as they happen. A stream that breaks is opened again where it stopped; its `start` says what was missed, if anything was.
   * What went wrong is passed as an error, and does not end it.
   *
   * @param options - `mint`: one token's events; `after`: the `id` of the last event that you have; `signal` ends it.
   *
   * @example
   * ```js
   * import { Sandbox, SandboxMarket } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox({ market: { alive: true } });
   * sandbox.advance(60_000);
   * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
   * for await (const event of market.events({ after: "0" })) {
   *   if (event instanceof Error || event.type !== "trade") continue;
   *   console.log(event.id.split("-")[0]); // 1
   *   break;
   * }
   * ```
   */
  async *events({ mint, after, signal }: { mint?: string; after?: string; signal?: AbortSignal } = {}): AsyncGenerator<
    MarketEvent | Error,
    void,
    undefined
  > {
    const query = new URLSearchParams(mint === undefined ? {} : { mint });
    let last = after;
    while (!signal?.aborted) {
      const stream = linked(signal);
      try {
        const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
        const response = await this.#fetch(`${this.#base}events?${query}`, { headers, signal: stream.signal });
        if (response.status !== 200 || !response.body) throw await refusal(response);
        for await (const event of eventsOf(response.body, last)) {
          if (signal?.aborted) return;
          last = event.id;
          yield event;
        }
        throw new Error("the stream of events has ended");
      } catch (error) {
        if (signal?.aborted) return;
        yield error as Error;
      } finally {
        stream.end();
      }
      await pause(RETRY_MS, signal);
    }
  }

  /**
   * Looks at a token now, and again whenever it has moved. What went wrong is passed as an error, and does not end it. With a function
   * in second place, each look is passed to it, until the returned function is called.
   */
  watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
  watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
  watch(mint: string, ...by: WatchedBy<SandboxLook>): Looks<SandboxLook> | (() => void) {
    return watched((given: WatchOptions) => this.#watched(mint, given), ...by);
  }

  async *#watched(mint: string, { everyMs = 0, wallets = [], signal: given }: WatchOptions): Looks<SandboxLook> {
    const bell = new Bell();
    const failed: Error[] = [];
    const { signal, end } = linked(given);
    // What a wallet holds of one token moves with that token, but its lamports move with all of them.
    const about = wallets.length ? {} : { mint };
    const following = (async () => {
      for await (const event of this.events({ ...about, signal })) {
        if (event instanceof Error) failed.push(event);
        else if (event.type === "time") continue;
        bell.ring();
      }
    })();
    try {
      yield* looksOf(() => this.look(mint, wallets), { bell, failed, everyMs, signal });
    } finally {
      end();
      await following;
    }
  }
}

/** Why the service did not answer as asked. */
async function refusal(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => ({}))) as { detail?: unknown };
  return new Error(typeof body?.detail === "string" ? body.detail : `the sandbox answered ${response.status}`);
}

/** The events in a stream of bytes. Ours have a single line of data. */
async function* eventsOf(body: ReadableStream<Uint8Array>, last = ""): AsyncGenerator<MarketEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let id = last;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const pieces = text.split("\n\n");
      text = pieces.pop() as string;
      for (const piece of pieces) {
        const fields = new Map(
          piece
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
        );
        id = fields.get("id") ?? id;
        const data = fields.get("data");
        if (data !== undefined) yield { id, type: fields.get("event"), data: JSON.parse(data) } as MarketEvent;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
