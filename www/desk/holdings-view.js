// What the wallets hold, and their levels.

import { el, facts } from "./el.js";
import { SOL_DECIMALS, amount, sol } from "./money.js";

function walletView({ label, level, lamports, tokenAccounts }, world) {
  const holding = ({ mint, tokens }) => {
    const { symbol, decimals } = world.token(mint);
    return [symbol, amount(tokens, decimals)];
  };
  return el(
    "li",
    {},
    el("h3", {}, label, el("span", { class: "level" }, `level ${level}`)),
    facts([["SOL", amount(lamports, SOL_DECIMALS)], ...tokenAccounts.map(holding)]),
  );
}

/** The caller's account, then each wallet with its open token accounts. */
export const holdingsView = (world) => [
  facts([
    ["Account level", String(world.account.level)],
    ["Transactions", String(world.account.transactions)],
    ["Network fees paid", sol(world.account.networkFeesLamports)],
  ]),
  el("ul", { class: "wallets" }, ...world.wallets.map((wallet) => walletView(wallet, world))),
];
