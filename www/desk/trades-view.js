// The trades so far, the newest first.

import { el } from "./el.js";
import { sol, tokens } from "./money.js";
import { OPERATIONS } from "./operations.js";

const SHOWN = 20;

function legText({ wallet, tokens: units, lamports, refundLamports }, side, world, token) {
  const trade = side === "buy" ? `bought ${tokens(units, token)} for ${sol(lamports)}` : `sold ${tokens(units, token)} for ${sol(lamports)}`;
  return `${world.label(wallet)} ${trade}${refundLamports > 0n ? "; token account closed" : ""}`;
}

function tradeView(trade, world) {
  const { label, side } = OPERATIONS.find(({ name }) => name === trade.operation);
  const token = world.token(trade.mint);
  const what = trade.success ? trade.legs.map((leg) => legText(leg, side, world, token)) : [trade.results];
  return el(
    "li",
    {},
    el("h3", {}, `${label} ${token.symbol}`, el("span", { class: trade.success ? "landed" : "failed" }, trade.success ? "landed" : "failed")),
    ...what.map((text) => el("p", {}, text)),
    el("p", { class: "small" }, `Network fee ${sol(trade.networkFeeLamports)}, paid by ${world.label(trade.feePayer)}`),
    el("p", { class: "small mono" }, trade.signature),
  );
}

/** The newest trades of the sandbox. */
export function tradesView(world) {
  const newest = world.trades.slice(-SHOWN).reverse();
  if (!newest.length) return [el("p", { class: "empty" }, "None yet.")];
  const earlier = world.account.transactions - newest.length;
  return [
    el("ol", { class: "trades" }, ...newest.map((trade) => tradeView(trade, world))),
    ...(earlier > 0 ? [el("p", { class: "small" }, `and ${earlier} before these`)] : []),
  ];
}
