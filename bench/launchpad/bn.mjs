// The peer: the launchpad's rules with bn.js, as most bots of its chain are written.

import BN from "bn.js";
import { SOME, START, checksum, smallSpends, spends } from "./amounts.mjs";

const bn = (amount) => new BN(amount.toString());
const [P, C, BPS, ROUND_UP, ONE] = [START.protocolBps, START.creatorBps, 10_000n, 9_999n, 1n].map(bn);
const WHOLE = BPS.add(P).add(C);
const fee = (lamports, bps) => lamports.mul(bps).add(ROUND_UP).div(BPS);

const curveOf = (start) =>
  Object.fromEntries(
    ["virtualTokenReserves", "virtualSolReserves", "realTokenReserves", "realSolReserves", "supply"].map((name) => [
      name,
      bn(start[name]),
    ]),
  );

/** The part of a spend that reaches the curve, and its two fees. */
function split(spend) {
  let net = spend.mul(BPS).div(WHOLE);
  if (net.isZero()) throw new Error("the spend is used up by its own fees");
  const [protocol, creator] = [fee(net, P), fee(net, C)];
  const total = net.add(protocol).add(creator);
  if (total.gt(spend)) net = net.sub(total.sub(spend));
  return { net, protocol, creator };
}

function tokensFor(curve, net) {
  const counted = net.sub(ONE);
  const tokens = counted.mul(curve.virtualTokenReserves).div(curve.virtualSolReserves.add(counted));
  if (tokens.isZero()) throw new Error("fewer tokens than the minimum");
  if (tokens.gt(curve.realTokenReserves)) throw new Error("the curve has fewer tokens left than this buys");
  return tokens;
}

export function oneBuy() {
  const amounts = spends(1024).map(bn);
  const curve = curveOf(START);
  let at = 0;
  const buy = (amount) => tokensFor(curve, split(amount).net);
  return {
    run: () => buy(amounts[at++ & 1023]),
    answer: () => amounts.map((amount) => BigInt(buy(amount).toString())),
  };
}

export function sequence() {
  const amounts = smallSpends(SOME).map(bn);
  const run = () => {
    let curve = curveOf(START);
    return amounts.map((amount) => {
      const { net } = split(amount);
      const tokens = tokensFor(curve, net);
      curve = {
        virtualTokenReserves: curve.virtualTokenReserves.sub(tokens),
        virtualSolReserves: curve.virtualSolReserves.add(net),
        realTokenReserves: curve.realTokenReserves.sub(tokens),
      };
      return tokens;
    });
  };
  return { run, answer: () => checksum(run().map((tokens) => BigInt(tokens.toString()))) };
}

/** A whole number of units as plain decimal text, without trailing zeros. */
function decimal(units, decimals) {
  const digits = units.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return fraction ? `${whole}.${fraction}` : whole;
}

const NANO = bn(10n ** 15n);
const price = (lamports, tokens) => decimal(lamports.mul(NANO).div(tokens), 9);

export function wholeQuote() {
  const curve = curveOf(START);
  const [million, kept, networkFee, rent] = [1_000_000n, 990_000n, 5_000n, 1_488_440n].map(bn);
  const [highImpact, signature, balance] = [500n, 5_000n, 5_000_000_000n].map(bn);
  const amounts = spends(1024).map(bn);
  const quote = (spend) => {
    const { net, protocol, creator } = split(spend);
    const tokens = tokensFor(curve, net);
    const wallet = net.add(protocol).add(creator);
    const paid = BN.min(wallet, spend);
    const after = {
      vt: curve.virtualTokenReserves.sub(tokens),
      vs: curve.virtualSolReserves.add(net),
      rt: curve.realTokenReserves.sub(tokens),
    };
    const atSpot = tokens.mul(curve.virtualSolReserves);
    const off = net.mul(curve.virtualTokenReserves).sub(atSpot).abs().mul(BPS);
    const impact = off.add(atSpot).sub(ONE).div(atSpot);
    const floor = BN.max(tokens.mul(kept).div(million), ONE);
    const netCost = paid.add(rent).add(networkFee).neg();
    const worst = spend.add(rent).add(networkFee);
    const warnings = [];
    const moved = after.vs.mul(curve.virtualTokenReserves);
    const still = after.vt.mul(curve.virtualSolReserves);
    const spotMove = moved.sub(still).mul(BPS).add(still).sub(ONE).div(still);
    const left = curve.virtualTokenReserves.sub(tokens);
    const unrounded = tokens.mul(BPS).add(left).sub(ONE).div(left);
    if (impact.gt(highImpact) && unrounded.gte(highImpact)) warnings.push("high_impact");
    if (net.lt(signature)) warnings.push("unit_suspicion");
    if (after.rt.isZero()) warnings.push("completes_curve");
    if (worst.gt(balance)) warnings.push("insufficient_lamports");
    return {
      side: "buy",
      tokens,
      tokenAmount: decimal(tokens, 6),
      walletLamports: paid,
      curveLamports: net,
      protocolFeeLamports: protocol,
      creatorFeeLamports: creator,
      protocolFeeBps: 95,
      creatorFeeBps: 30,
      ratesFixed: true,
      completion: "reject",
      priceImpactBps: impact.toNumber(),
      spotMoveBps: spotMove.toNumber(),
      spotPriceBefore: price(curve.virtualSolReserves, curve.virtualTokenReserves),
      spotPriceAfter: price(after.vs, after.vt),
      averagePrice: price(net, tokens),
      averagePriceWithFees: price(paid, tokens),
      marketCapLamports: curve.virtualSolReserves.mul(curve.supply).div(curve.virtualTokenReserves),
      marketCapAfterLamports: after.vs.mul(curve.supply).div(after.vt),
      slippagePercent: "1",
      minTokens: floor,
      maxLamports: null,
      minLamports: null,
      worstTokens: floor,
      worstTokenAmount: decimal(floor, 6),
      worstWalletLamports: spend,
      tokenAccount: "opens",
      rentLamports: rent,
      volumeRentLamports: ZERO,
      heldTokens: ZERO,
      networkFeeLamports: networkFee,
      ownNetworkFeeLamports: networkFee,
      netLamports: netCost,
      worstNetLamports: worst.neg(),
      tokenDecimals: 6,
      warnings,
    };
  };
  let at = 0;
  const plain = (quote) =>
    Object.fromEntries(
      Object.entries(quote).map(([name, value]) => [name, BN.isBN(value) ? BigInt(value.toString()) : value]),
    );
  return { run: () => quote(amounts[at++ & 1023]), answer: () => amounts.map((amount) => plain(quote(amount))) };
}

const ZERO = bn(0n);
