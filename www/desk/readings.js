// What a field's value comes to, said beside it.

import { grouped, sol, tokens } from "./money.js";
import { read } from "./request.js";
import { held } from "./world.js";

function holdings(control, world, token) {
  const wallet = world.wallet(control.value);
  return wallet ? `Holds ${sol(wallet.lamports)} and ${tokens(held(wallet, token.mint), token)}` : "";
}

const READINGS = {
  mint: (_control, _world, token) => `${grouped(token.spotPrice ?? "?")} lamports each; market cap ${token.marketCapLamports === null ? "?" : sol(token.marketCapLamports)}`,
  fromWallet: holdings,
  feePayer: holdings,
  amountInLamports(control) {
    const lamports = read(control);
    return /^\d+(\.\d+)?$/.test(lamports ?? "") ? `${grouped(lamports)} lamports` : "";
  },
};

/** The reading of a control whose last name in its path is known to have one; empty otherwise. */
export function reading(control, world, token) {
  const name = control.name.slice(control.name.lastIndexOf(".") + 1);
  return READINGS[name]?.(control, world, token) ?? "";
}
