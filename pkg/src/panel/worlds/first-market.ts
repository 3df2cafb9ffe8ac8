// The market that a simulated panel begins with, if the page gives it none. It has a past, so that its charts are not empty, and launches for
// eight hours: interest in each token fades.

import type { MarketConfig, SandboxTokenConfig } from "../../generated.js";

/** The first tokens, each at another stage of its curve. */
export const TOKENS: SandboxTokenConfig[] = [
  {
    mint: "SimMoonRabbit111111111111111111111111111111",
    symbol: "RABBIT",
    name: "Moon Rabbit",
    character: "breakout",
    soldBps: 3_000,
  },
  { mint: "SimPaperBoat1111111111111111111111111111111", symbol: "BOAT", name: "Paper Boat", character: "runner" },
  {
    mint: "SimGrassHeron111111111111111111111111111111",
    symbol: "HERON",
    name: "Grass Heron",
    character: "breakout",
    soldBps: 7_000,
  },
  {
    mint: "SimTinTrumpet111111111111111111111111111111",
    symbol: "TRUMPET",
    name: "Tin Trumpet",
    character: "rug",
    soldBps: 5_000,
  },
  {
    mint: "SimWinterBear111111111111111111111111111111",
    symbol: "BEAR",
    name: "Winter Bear",
    character: "fading",
    soldBps: 1_200,
  },
];

/** A gentle market with small trades, from the beginning of time: the panel adds when that was. */
export const MARKET: MarketConfig = {
  alive: true,
  seed: 6,
  startMs: 0,
  maxMarketTrades: 6_000,
  maxLamports: 1_000_000_000,
  launchEveryMs: 60_000,
  maxTokens: 480,
};

/** How much market time has passed when a world begins. */
export const PAST_MS = 4 * 60_000;
