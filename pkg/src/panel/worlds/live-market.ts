// The market of a live panel: looks at the chain, one after the other, through the gateway, which passes on only what reads. The node's
// URL has a key in it, so no page holds it.

import { isTradeError } from "launchpad-desk";
import type * as chains from "launchpad-desk/market";
import type { Curve, Look, LookCurve, Market, MarketOptions } from "launchpad-desk/market";
import { type Body, walletsOf } from "../../body.js";
import type { Candle, Operation, RequestOf, Side, TradeQuote } from "../../generated.js";
import { Since } from "../../since.js";
import { abs } from "../figures.js";
import { messages } from "../messages.js";
import { tokenView } from "./token-view.js";
import type { AsOf, Maths, MarketMove, OwnTrade, TokenPast, TokenView } from "./world.js";

/** How often the shown token is looked at, and in the same turn one of the others. */
const EVERY_MS = 2_000;
/** How long an answer of the gateway may take: longer than that, a look is of no use. */
const REPLY_MS = 3_000;
/** How long a look prices the shown token, and the others, whose turn comes less often. */
const FRESH_MS = 10_000;
const OTHERS_FRESH_MS = 60_000;
/** The most wallets in a look. */
const MOST_WALLETS = 24;
/** How many changes of a token's price are remembered. */
const REMEMBERED = 2_000;

/** What the wallets of a trade hold. */
type Noted = Awaited<ReturnType<Market["before"]>>;

interface Known {
  readonly look: Look;
  /** The last look that was read: of `look` an own trade may be a part that no look has shown. */
  readonly read: Look;
  readonly since: Since;
  readonly view: TokenView;
  /** Whether an own trade has come since, of which it is not known what it did: then it prices nothing. */
  readonly isBefore?: boolean;
}

/** A price that was seen, as a candle and as a trade: what was traded since the one before. The first is no trade. */
interface Seen extends Candle, MarketMove {
  /** The curve after it. */
  readonly curve: LookCurve;
}

/** What the page knows and a node cannot. */
export type Assumed = Pick<MarketOptions, "walletsShared">;

export interface LiveMarketHost {
  readonly assumed: Assumed;
  readonly maths: Maths;
  /** The tokens and the wallets that the page offers now. */
  mints(): readonly string[];
  wallets(): readonly string[];
  /** The names that the page gave its tokens. */
  named(view: TokenView): TokenView;
  looked(mint: string, look: Look | undefined): void;
  /** The wallets that each look at a token has: the chosen one, and those whose last trade of it no look has shown. */
  urgent(mint: string): readonly string[];
  /** A look with what is known of these wallets now; undefined if nothing is known of one of them. */
  sinceTold(look: Look, wallets: readonly string[]): Look | undefined;
}

export class LiveMarket {
  /** For a client: it notes what the wallets hold before a trade, and proves what became of one. */
  readonly market: Market;
  /** Begins to ask what the wallets of a trade hold, which is about to be sent. */
  readonly note: (trade: { body: string }) => void;
  readonly #chain: typeof chains;
  readonly #host: LiveMarketHost;
  readonly #known = new Map<string, Known>();
  readonly #seen = new Map<string, Seen[]>();
  #shown: string;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watched = false;
  /** Counts what makes looks out of date that are on their way. */
  #epoch = 0;
  /** Why the last look at the shown token failed. */
  #trouble: string | undefined;
  /** The mints of which no look has found a curve, and one has found none. */
  readonly #missing = new Set<string>();

  private constructor(
    chain: typeof chains,
    market: Market,
    note: (trade: { body: string }) => void,
    host: LiveMarketHost,
  ) {
    this.#chain = chain;
    this.note = note;
    this.market = market;
    this.#host = host;
    this.#shown = host.mints()[0] ?? "";
  }

  /** The market behind a gateway that has a node. */
  static async open(url: string, headers: Record<string, string>, host: LiveMarketHost): Promise<LiveMarket> {
    const chain = await import("launchpad-desk/market");
    const rpc = async (body: string): Promise<string> => {
      const reply = await fetch(url, {
        ...{ method: "POST", headers: { ...headers, "content-type": "application/json" }, body },
        ...{ redirect: "manual", credentials: "omit", signal: AbortSignal.timeout(REPLY_MS) },
      });
      if (!reply.ok) throw new Error(messages.live.answered(reply.status));
      return reply.text();
    };
    const noted = new Map<string, Promise<Noted>>();
    /** What a trade's wallets hold is asked at the press, beside what else it waits for. */
    class Ahead extends chain.Market {
      override before(trade: { body: string }): Promise<Noted> {
        const ahead = noted.get(trade.body);
        noted.delete(trade.body);
        return ahead ?? super.before(trade);
      }
    }
    const market = new Ahead({ rpc, maxAgeMs: FRESH_MS, ...host.assumed });
    const note = (trade: { body: string }): void => {
      noted.clear();
      const asked = market.before(trade);
      asked.catch(() => {});
      noted.set(trade.body, asked);
    };
    return new LiveMarket(chain, market, note, host);
  }

  /** Looks again and again, or no longer: only while somebody watches. */
  watch(watched: boolean): void {
    if (watched === this.#watched) return;
    this.#watched = watched;
    clearTimeout(this.#timer);
    // A turn that is still on its way would go on beside this one.
    if (watched) this.again();
  }

  /** Which token is shown: it is looked at most often. */
  show(mint: string): void {
    if (mint === this.#shown) return;
    this.#shown = mint;
    this.#trouble = undefined;
    this.again();
  }

  /** The page has changed its offers: the rest is forgotten, and what stays has its new names. */
  offered(): void {
    const mints = new Set(this.#host.mints());
    for (const seen of [this.#known, this.#seen])
      for (const mint of seen.keys()) if (!mints.has(mint)) seen.delete(mint);
    for (const [mint, known] of this.#known) this.#known.set(mint, { ...known, view: this.#host.named(known.view) });
  }

  /** An own trade of a token has ended, which no look has to show yet. Of one that landed, what it did is known with its reply. */
  traded(trade: OwnTrade, landed: { readonly exact: object } | undefined): void {
    const known = this.#known.get(trade.mint);
    if (known) {
      const look = landed && !known.isBefore ? this.#chain.lookWith(known.look, trade, landed) : null;
      if (look) this.#take(trade.mint, look, known);
      else this.#known.set(trade.mint, { ...known, isBefore: true });
    }
    this.again();
  }

  /** What was seen of a token is out of date: looks that are on their way do not count. */
  again(): void {
    this.#epoch++;
    if (!this.#watched) return;
    clearTimeout(this.#timer);
    void this.#go();
  }

  async #go(): Promise<void> {
    const epoch = this.#epoch;
    const turn = this.#turn++;
    const others = this.#host.mints().filter((mint) => mint !== this.#shown);
    const other = others[turn % (others.length || 1)];
    const looks = [this.#look(this.#shown, turn, epoch)];
    if (other !== undefined) looks.push(this.#look(other, Math.floor(turn / others.length), epoch));
    await Promise.all(looks);
    if (this.#watched && epoch === this.#epoch) this.#timer = setTimeout(() => void this.#go(), EVERY_MS);
  }

  /** The wallets of a look: all of them, or the urgent ones and the rest in turns. */
  #walletsIn(mint: string, turn: number): readonly string[] {
    const wallets = this.#host.wallets();
    if (wallets.length <= MOST_WALLETS) return wallets;
    const urgent = this.#host
      .urgent(mint)
      .filter((wallet) => wallets.includes(wallet))
      .slice(0, MOST_WALLETS - 1);
    const rest = wallets.filter((wallet) => !urgent.includes(wallet));
    const from = (turn * (MOST_WALLETS - urgent.length)) % rest.length;
    return [...urgent, ...rest.slice(from), ...rest.slice(0, from)].slice(0, MOST_WALLETS);
  }

  async #look(mint: string, turn: number, epoch: number): Promise<void> {
    let look: Look | undefined;
    let trouble: string | undefined;
    let isNothing = false;
    try {
      look = await this.market.look(mint, this.#walletsIn(mint, turn));
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
      // A curve that was seen once does not vanish: the node has gone back.
      isNothing = !this.#known.has(mint) && this.#isNothing(error);
      if (isNothing) trouble = messages.live.noToken;
    }
    if (look) this.#missing.delete(mint);
    if (epoch !== this.#epoch) return;
    if (isNothing) this.#missing.add(mint);
    if (mint === this.#shown) this.#trouble = trouble;
    if (look) this.#take(mint, look);
    this.#host.looked(mint, look);
  }

  /** Whether a look failed because no curve is there, or the mint is no address; nothing else says that. */
  #isNothing(error: unknown): boolean {
    return error instanceof this.#chain.AccountError
      ? error.account === "curve" && error.code === "missing"
      : isTradeError(error) && error.field === "mint";
  }

  isMissing(mint: string): boolean {
    return this.#missing.has(mint);
  }

  #take(mint: string, look: Look, last?: Known): void {
    const before = this.#known.get(mint);
    const curve = new this.#host.maths.Curve(look.curve);
    const { launchpad, reserves, spotPrice, marketCapLamports, complete } = curve;
    const token = { mint, symbol: "", name: "", decimals: launchpad.tokenDecimals };
    const known = { ...token, spotPrice, marketCapLamports, complete, ...reserves };
    const view = this.#host.named(tokenView(known, BigInt(launchpad.start.realTokenReserves)));
    curve.free();
    this.#known.set(mint, { look, read: last?.read ?? look, since: last?.since ?? new Since(), view });
    if (view.spotPrice !== null && !last) this.#note(mint, look, view.spotPrice, before?.read);
  }

  /** Notes a price, and what must have been traded since the look before: many trades may look like one. */
  #note(mint: string, { atMs, curve, chain: { reserves } }: Look, price: string, before: Look | undefined): void {
    const was = before?.chain.reserves;
    const tokens = was ? was.virtualTokenReserves - reserves.virtualTokenReserves : 0n;
    const lamports = was ? abs(reserves.virtualSolReserves - was.virtualSolReserves) : 0n;
    if (was && tokens === 0n && lamports === 0n) return;
    const seen = this.#seen.get(mint) ?? [];
    const number = (seen.at(-1)?.number ?? -1) + 1;
    const candle = { startMs: atMs, open: price, high: price, low: price, close: price, trades: Math.min(number, 1) };
    const side: Side = tokens < 0n ? "sell" : "buy";
    const move = { number, atMs, side, tokens: abs(tokens), lamports, price, wallet: "" };
    this.#seen.set(mint, [...seen, { ...candle, ...move, curve }].slice(-REMEMBERED));
  }

  /** A token as the last look had it, however old. */
  view(mint: string): TokenView | undefined {
    return this.#known.get(mint)?.view;
  }

  asOf(mint: string): AsOf | undefined {
    const known = this.#known.get(mint);
    return known && { slot: known.look.slot, ageMs: known.since.ageMs };
  }

  /** Why there is no price that can be used; undefined if there is one. */
  trouble(mint: string): string | undefined {
    if (this.#known.get(mint)?.isBefore) return messages.live.notShown;
    return mint === this.#shown && !this.#fresh(mint) ? this.#trouble : undefined;
  }

  /** What is known of a token, unless it is too old to trade by. */
  #fresh(mint: string): Known | undefined {
    const known = this.#known.get(mint);
    const most = mint === this.#shown ? FRESH_MS : OTHERS_FRESH_MS;
    return known && !known.isBefore && !known.look.stale && known.since.ageMs <= most ? known : undefined;
  }

  curve(mint: string): Curve | undefined {
    const known = this.#fresh(mint);
    return known && new this.#host.maths.Curve(known.look.curve);
  }

  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote | undefined {
    const known = this.#fresh(request.mint);
    const look = known && this.#host.sinceTold(known.look, walletsOf(request as unknown as Body));
    return look && this.#chain.quoteAt(look, operation, request);
  }

  /** The prices that were seen, as candles: one for each. */
  candles(mint: string): readonly Candle[] {
    return this.#seen.get(mint) ?? [];
  }

  /** What was traded between two looks, as one trade each, and the token before them. */
  past(mint: string): TokenPast | undefined {
    const [first, ...seen] = this.#seen.get(mint) ?? [];
    const trades = seen.flatMap(({ atMs, side, tokens }) => (tokens ? [{ atMs, mint, side, tokens }] : []));
    return first && trades.length ? { trades, start: first.curve } : undefined;
  }

  moves(mint: string, most: number): readonly MarketMove[] {
    return (this.#seen.get(mint) ?? []).filter(({ number }) => number > 0).slice(-most);
  }
}
