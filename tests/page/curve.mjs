// What the sandbox's default launchpad answers, written anew from the design's formulas in BigInt: an oracle
// that shares no code with the core.

const P = 95n;
const C = 30n;
const ceilDiv = (a, b) => (a + b - 1n) / b;
const fee = (x, bps) => ceilDiv(x * bps, 10_000n);

export const RENT = (165n + 128n) * 5080n;
export const NETWORK_FEE = 5_000n;

/** The curve of a new token. */
export const freshCurve = () => ({ vt: 1_073_000_000_000_000n, vs: 30_000_000_000n });

/** Buys for `spend` lamports: moves the curve and returns the tokens and what is paid. */
export function buy(curve, spend) {
  let net = (spend * 10_000n) / (10_000n + P + C);
  const excess = net + fee(net, P) + fee(net, C) - spend;
  if (excess > 0n) net -= excess;
  const tokens = ((net - 1n) * curve.vt) / (curve.vs + net - 1n);
  curve.vt -= tokens;
  curve.vs += net;
  return { tokens, paid: net + fee(net, P) + fee(net, C) };
}

/** Sells `tokens` base units: moves the curve and returns the lamports received. */
export function sell(curve, tokens) {
  const gross = (tokens * curve.vs) / (curve.vt + tokens);
  curve.vt += tokens;
  curve.vs -= gross;
  return gross - fee(gross, P) - fee(gross, C);
}

/** What is left at worst at a slippage in basis points. */
export const atWorst = (expected, bps) => (expected * (10_000n - bps)) / 10_000n;
