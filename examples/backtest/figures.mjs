// The exact results of a backtest: whole lamports, and the bot's books compared with what really happened.

import { audit } from "launchpad-desk/launchpad";

/** @param {Awaited<ReturnType<typeof import("./bot.mjs").backtest>>} result */
export function figuresOf({ sandbox, books, points }) {
  const [wallet] = sandbox.wallets;
  const sums = { bought: 0n, sold: 0n, curveFees: 0n, networkFees: 0n, rent: 0n };
  for (const { operation, networkFeeLamports, legs } of sandbox.trades) {
    sums.networkFees += networkFeeLamports;
    for (const leg of legs) {
      sums[operation === "buy" ? "bought" : "sold"] += leg.lamports;
      sums.curveFees += leg.protocolFeeLamports + leg.creatorFeeLamports;
      sums.rent += leg.rentLamports - leg.refundLamports;
    }
  }
  const landed = sandbox.trades.filter(({ success }) => success).length;
  const { findings, open, right } = audit(books, sandbox.calls);
  return {
    ...sums,
    ...{ marketTrades: points[points.length - 1].at, ownTrades: sandbox.trades.length, landed, failed: sandbox.trades.length - landed },
    ...{ pnl: wallet.lamports - points[0].equity, unsold: wallet.tokenAccounts.length, fall: deepestFall(points) },
    ...{ right, wrong: findings.length + open.length },
  };
}

/** The largest loss from a high to a low after it. @param {import("./bot.mjs").Point[]} points */
function deepestFall(points) {
  let fall = { from: points[0], to: points[0], lamports: 0n, percent: "0.0" };
  let high = points[0];
  for (const point of points) {
    if (point.equity > high.equity) high = point;
    const lamports = high.equity - point.equity;
    if (lamports > fall.lamports) fall = { from: high, to: point, lamports, percent: (Number((lamports * 10_000n) / high.equity) / 100).toFixed(1) };
  }
  return fall;
}

/** Exact SOL, to the lamport. @param {bigint} lamports */
export function sol(lamports) {
  const digits = `${lamports < 0n ? -lamports : lamports}`.padStart(10, "0");
  return `${lamports < 0n ? "-" : ""}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** @param {ReturnType<typeof figuresOf>} figures */
export function table({ fall, ...figures }) {
  const count = (/** @type {number} */ value) => value.toLocaleString("en");
  const rows = [
    ["market trades", count(figures.marketTrades)],
    ["own trades", count(figures.ownTrades)],
    ["  landed", count(figures.landed)],
    ["  failed", count(figures.failed)],
    ["bought for, SOL", sol(figures.bought)],
    ["sold for, SOL", sol(figures.sold)],
    ["  curve fees in both", sol(figures.curveFees)],
    ["network fees, SOL", sol(figures.networkFees)],
    ["rent not back yet, SOL", sol(figures.rent)],
    ["PnL, SOL", sol(figures.pnl)],
    ["deepest fall, SOL", sol(fall.lamports)],
    ["deepest fall, %", fall.percent],
    ["tokens left unsold", count(figures.unsold)],
    ["books right / wrong", `${count(figures.right)} / ${count(figures.wrong)}`],
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  return rows.map(([name, value]) => `${name.padEnd(24)}${value.padStart(width)}`).join("\n");
}
