// What the chart shows: the market's candles without gaps, and a summary of them.

import type { Candle } from "../../generated.js";
import type { Bar } from "./canvas.js";
import { SOL_DECIMALS, brief, change, price } from "../figures.js";
import { messages } from "../messages.js";

/** How many bars are drawn at most. */
const MOST = 400;

/** Turns candles into bars; of an interval that is a multiple of theirs, too. Where nobody traded, the price stays the same. */
export function barsOf(candles: readonly Candle[], intervalMs: number, nowMs: number): Bar[] {
  const bars: Bar[] = [];
  let last: Bar | undefined;
  const still = (to: number): void => {
    if (!last) return;
    const { close } = last;
    for (let atMs = Math.max(last.atMs + intervalMs, to - MOST * intervalMs); atMs < to; atMs += intervalMs)
      bars.push({ atMs, open: close, high: close, low: close, close, volume: 0 });
  };
  for (const { startMs, open, high, low, close, lamports } of candles) {
    const atMs = startMs - (startMs % intervalMs);
    if (last?.atMs === atMs) {
      last.high = Math.max(last.high, Number(high));
      last.low = Math.min(last.low, Number(low));
      last.close = Number(close);
      last.volume += Number(lamports) / 10 ** SOL_DECIMALS;
      continue;
    }
    still(atMs);
    const from = last?.close ?? Number(open);
    const bar = {
      atMs,
      open: from,
      high: Math.max(from, Number(high)),
      low: Math.min(from, Number(low)),
      close: Number(close),
      volume: Number(lamports) / 10 ** SOL_DECIMALS,
    };
    bars.push((last = bar));
  }
  if (last) still(nowMs - (nowMs % intervalMs) + 1);
  return bars.slice(-MOST);
}

export interface Sum {
  from: number;
  to: number;
  low: number;
  high: number;
  volume: number;
  /** How the price changed, as a fraction. */
  change: number;
  ms: number;
}

export function sumOf(bars: readonly Bar[], intervalMs: number): Sum | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return undefined;
  return {
    from: first.open,
    to: last.close,
    low: Math.min(...bars.map(({ low }) => low)),
    high: Math.max(...bars.map(({ high }) => high)),
    volume: bars.reduce((all, { volume }) => all + volume, 0),
    change: first.open ? last.close / first.open - 1 : 0,
    ms: bars.length * intervalMs,
  };
}

/** SOL that were traded. */
export function solOf(volume: number): string {
  return brief(BigInt(Math.round(volume * 10 ** SOL_DECIMALS)), SOL_DECIMALS);
}

/** A change, unless it would read "0.0 %". */
export const shownChange = (by: number): string => (Math.abs(by) < 0.0005 ? "" : change(by));

export function wordsOfBar({ open, high, low, close, volume }: Bar): string {
  const by = open ? close / open - 1 : 0;
  return messages.chart.bar(
    [open, high, low, close].map((at) => price(at)),
    solOf(volume),
    shownChange(by),
  );
}
