// What the wallets hold, and the levels that buying has earned.

import { el } from "./el.js";
import { sol, tokens } from "./money.js";

const line = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

const walletView = ({ label, level, lamports, tokenAccounts }, world) =>
  el(
    "li",
    {},
    el("h3", {}, label, el("span", { class: "level" }, `level ${level}`)),
    el(
      "dl",
      { class: "facts" },
      line("SOL", sol(lamports)),
      ...tokenAccounts.map(({ mint, tokens: units }) => line(world.token(mint).symbol, tokens(units, world.token(mint)))),
    ),
  );

/** The caller's account, then each wallet with its open token accounts. */
export const holdingsView = (world) => [
  el("p", { class: "account" }, `Account level ${world.account.level}; ${world.account.transactions} transactions, ${sol(world.account.networkFeesLamports)} in network fees`),
  el("ul", { class: "wallets" }, ...world.wallets.map((wallet) => walletView(wallet, world))),
];
