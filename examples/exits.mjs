// Runs an exit plan over a recorded tape: what is sold, why, and for how much. `cargo run --example exits` prints the same.
//
//   node examples/exits.mjs

import { readFileSync } from "node:fs";
import { lamportsToSol } from "launchpad-desk";
import { Curve, Exits } from "launchpad-desk/market";
import { recording } from "launchpad-desk/sandbox";

const rows = readFileSync(new URL("exits/tape.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1);
const tape = recording(`mint,atMs,side,lamports,tokens\n${rows.map((row) => `M,${row}`).join("\n")}`);

const exits = new Exits({
  takeProfit: [
    { at: "1.4x", sell: "40%" },
    { at: "2.2x", sell: "30%" },
  ],
  stopLoss: "0.7x",
  trailing: { by: "35%", from: "1.5x" },
});

const curve = new Curve();
const tokens = curve.moveByBuy(1_000_000_000n);
const open = exits.open({
  id: "tape",
  mint: "M",
  wallet: "W",
  tokens,
  costLamports: 1_000_005_000n,
  rentLockedLamports: 1_488_440n,
});

let received = 0n;
for (const { atMs, side, lamports, tokens } of tape) {
  if (side === "buy") curve.moveByBuy(lamports ?? 0n);
  else curve.moveBySell(tokens ?? 0n);
  const ordered = open.next(curve, { atMs });
  if (!ordered) continue;
  const { intentId, reason, tokens: amount, multiple } = ordered.order;
  const brought = curve.moveBySell(amount); // our own sells move the price, too
  open.settled(intentId, "landed", { atMs });
  received += brought;
  console.log(`${atMs} ms: ${reason} at ${multiple} sells ${amount} for ${brought} lamports (${intentId})`);
}
console.log(`received ${lamportsToSol(received)} SOL; ${open.isOver ? "nothing" : open.state.tokens} left`);
