// The market that a simulated panel begins with, if the page gives it none. It has a past, so that its charts are not empty.

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
