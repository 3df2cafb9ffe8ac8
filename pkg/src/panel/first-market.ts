// The market that a simulated panel begins with, if the page gives it none. It has a past, so that its charts are not empty: the build
// lets that pass and stores the state after it, and the panel loads that.

import type { Sandbox } from "launchpad-desk/launchpad";
import type { MarketConfig, SandboxTokenConfig } from "../generated.js";

/** The first tokens, each at another stage of its curve. */
export const TOKENS: SandboxTokenConfig[] = [
  { mint: "SimMoonRabbit111111111111111111111111111111", symbol: "RABBIT", name: "Moon Rabbit", character: "lively", soldBps: 3_000 },
  { mint: "SimPaperBoat1111111111111111111111111111111", symbol: "BOAT", name: "Paper Boat", character: "hyped" },
  { mint: "SimGrassHeron111111111111111111111111111111", symbol: "HERON", name: "Grass Heron", character: "lively", soldBps: 7_000 },
  { mint: "SimTinTrumpet111111111111111111111111111111", symbol: "TRUMPET", name: "Tin Trumpet", character: "doomed", soldBps: 5_000 },
  { mint: "SimWinterBear111111111111111111111111111111", symbol: "BEAR", name: "Winter Bear", character: "sleepy", soldBps: 1_200 },
];

/** A calm market, from the beginning of time: the panel adds when that was. It remembers trades for hours of chart. */
export const MARKET: MarketConfig = { alive: true, regime: "calm", seed: 3, startMs: 0, maxMarketTrades: 6_000, maxTokens: 60 };

/** How much market time has passed when a world begins. */
export const PAST_MS = 4 * 60_000;

/**
 * The rows of that market after its past, as a page loads them: half the bytes, compressed. The trades are columns, and of the curve's
 * reserves only the first of each token: every other is that before and what the trade moved.
 */
export interface StoredStart {
  /** All rows before the trades. */
  readonly state: readonly string[];
  readonly mints: readonly string[];
  readonly traders: readonly string[];
  readonly wallets: readonly string[];
  /** Of each mint, the reserves before its first trade, but the lamports of that trade are in them already. */
  readonly reserves: readonly Reserves[];
  /** Of each trade: the milliseconds since the trade before, who traded what, by its place in those lists, and whether it was a buy. */
  readonly afterMs: readonly number[];
  readonly mint: readonly number[];
  readonly trader: readonly number[];
  readonly wallet: readonly number[];
  readonly buys: readonly number[];
  /** The tokens that it moved, in base units; the lamports that went into the curve or out of it, and what was paid or received more. */
  readonly tokens: readonly number[];
  readonly curveLamports: readonly number[];
  readonly feeLamports: readonly number[];
}

interface Reserves {
  readonly virtualTokenReserves: number;
  readonly virtualSolReserves: number;
  readonly realTokenReserves: number;
  readonly realSolReserves: number;
}

/** A row of a trade, its fields in this order. */
interface TradeRow extends Reserves {
  readonly kind: "marketTrade";
  readonly number: number;
  readonly atMs: number;
  readonly mint: string;
  readonly side: "buy" | "sell";
  readonly trader: string;
  readonly wallet: string;
  readonly tokens: number;
  readonly lamports: number;
}

const traded = (before: Reserves, tokens: number, lamports: number): Reserves => ({
  virtualTokenReserves: before.virtualTokenReserves - tokens,
  virtualSolReserves: before.virtualSolReserves + lamports,
  realTokenReserves: before.realTokenReserves - tokens,
  realSolReserves: before.realSolReserves + lamports,
});

/** What is stored of the market that this build's own sandbox makes. */
export function storedStart(Launchpad: { Sandbox: typeof Sandbox }): StoredStart {
  const sandbox = new Launchpad.Sandbox({ tokens: TOKENS, market: MARKET });
  sandbox.advance(PAST_MS);
  const rows = sandbox.rows();
  const trades = rows.map((row): TradeRow => JSON.parse(row)).filter(({ kind }) => kind === "marketTrade");
  const each = <T>(of: (trade: TradeRow) => T): T[] => [...new Set(trades.map(of))];
  const [mints, traders, wallets] = [each(({ mint }) => mint), each(({ trader }) => trader), each(({ wallet }) => wallet)];
  const latest = new Map<string, Reserves>();
  const reserves = mints.map((mint) => {
    const first = trades.find((trade) => trade.mint === mint) as TradeRow;
    // A trade's fees are not in its row: the first counts as one that moved no lamports of the curve.
    const before = traded(first, first.side === "buy" ? -first.tokens : first.tokens, 0);
    latest.set(mint, before);
    return before;
  });
  const curveLamports = trades.map((trade) => {
    const before = latest.get(trade.mint) as Reserves;
    latest.set(trade.mint, trade);
    return Math.abs(trade.virtualSolReserves - before.virtualSolReserves);
  });
  const stored: StoredStart = {
    ...{ state: rows.slice(0, rows.length - trades.length), mints, traders, wallets, reserves, curveLamports },
    afterMs: trades.map(({ atMs }, at) => atMs - (trades[at - 1]?.atMs ?? 0)),
    mint: trades.map(({ mint }) => mints.indexOf(mint)),
    trader: trades.map(({ trader }) => traders.indexOf(trader)),
    wallet: trades.map(({ wallet }) => wallets.indexOf(wallet)),
    buys: trades.map(({ side }) => (side === "buy" ? 1 : 0)),
    tokens: trades.map(({ tokens }) => tokens),
    feeLamports: trades.map(({ lamports }, at) => lamports - (curveLamports[at] as number)),
  };
  if (rowsOf(stored).join() !== rows.join()) throw new Error("the rows of the market's start do not come back as they were stored");
  return stored;
}

/** The rows that were stored. */
export function rowsOf(stored: StoredStart): string[] {
  const latest = [...stored.reserves];
  let atMs = 0;
  const trades = stored.tokens.map((tokens, at) => {
    const of = (column: readonly number[]): number => column[at] as number;
    const [mint, buys] = [of(stored.mint), of(stored.buys) === 1];
    const [curve, fees] = [of(stored.curveLamports), of(stored.feeLamports)];
    const sign = buys ? 1 : -1;
    const reserves = traded(latest[mint] as Reserves, sign * tokens, sign * curve);
    latest[mint] = reserves;
    atMs += of(stored.afterMs);
    const [trader, wallet] = [stored.traders[of(stored.trader)] as string, stored.wallets[of(stored.wallet)] as string];
    const row: TradeRow = { kind: "marketTrade", number: at + 1, atMs, mint: stored.mints[mint] as string, side: buys ? "buy" : "sell", trader, wallet, tokens, lamports: curve + fees, ...reserves };
    return JSON.stringify(row);
  });
  return [...stored.state, ...trades];
}
