// Our side: one sweep, in one crossing.

import { TradeClient } from "launchpad-desk";
import { Curve, Exits } from "launchpad-desk/market";
import { Sandbox, sweep } from "launchpad-desk/sandbox";
import { LAMPORTS, SPEND, answerOf, columns, grid as gridOf, roughly } from "./work.mjs";

const thousandths = (value) => `${value / 1_000}x`;

function swept(trades, count) {
  const tape = columns(trades);
  const { stops, targets } = gridOf(count);
  const grid = {
    takeProfit: targets.map((at) => [{ at: thousandths(at), sell: "100%" }]),
    stopLoss: stops.map(thousandths),
  };
  const options = {
    tape,
    lamports: LAMPORTS,
    entry: { lamports: SPEND, everyMs: 0 },
    exits: { slippage: { percent: 100 } },
    grid,
  };
  return () => sweep(options).plans.map(({ profitLamports }) => profitLamports);
}

export function some(trades, count) {
  const run = swept(trades, count);
  return { run, answer: () => answerOf(run()) };
}

export function someRoughly(trades, count) {
  const run = swept(trades, count);
  return { run, answer: () => roughly(run()) };
}

/** A look of `manage` at a position that nothing is to be done about. */
export function ticking() {
  const curve = new Curve();
  const tokens = curve.moveByBuy(SPEND);
  const client = new TradeClient({ fetch: new Sandbox().fetch });
  const exits = new Exits({
    takeProfit: [{ at: "2x", sell: "50%" }],
    stopLoss: "0.5x",
    trailing: { by: "30%", from: "1.5x" },
  });
  const position = { id: "p", mint: "M", wallet: "W", tokens, costLamports: SPEND, openedAtMs: 0 };
  const managed = exits.manage(client, position, { look: () => ({ curve, atMs: 1 }) });
  return { run: () => managed.tick(), answer: async () => (await managed.tick()).length };
}
