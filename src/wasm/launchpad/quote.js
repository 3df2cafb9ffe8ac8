// A quote as a plain object, built at one stroke: setting field after field from the module takes ten times as long.

const none = (text) => (text === "" ? null : text);
const wide = (text, narrow) => (text === "" ? narrow : BigInt(text));

/**
 * The object of `CurveQuote`. What is text comes in one text, a line for each; an absent price is an empty line. So are
 * the four numbers that can pass 64 bits, where they do not and come as bigints.
 */
export function quoteObject(
  text,
  tokens,
  walletLamports,
  curveLamports,
  protocolFeeLamports,
  creatorFeeLamports,
  protocolFeeBps,
  creatorFeeBps,
  ratesFixed,
  priceImpactBps,
  spotMoveBps,
  minTokens,
  maxLamports,
  minLamports,
  worstTokens,
  worstWalletLamports,
  rentLamports,
  heldTokens,
  networkFeeLamports,
  ownNetworkFeeLamports,
  tokenDecimals,
  marketCapLamports,
  marketCapAfterLamports,
  netLamports,
  worstNetLamports,
) {
  const lines = text.split("\n");
  return {
    side: lines[0],
    tokens,
    tokenAmount: lines[1],
    walletLamports,
    curveLamports,
    protocolFeeLamports,
    creatorFeeLamports,
    protocolFeeBps,
    creatorFeeBps,
    ratesFixed,
    completion: lines[13],
    priceImpactBps,
    spotMoveBps,
    spotPriceBefore: none(lines[2]),
    spotPriceAfter: none(lines[3]),
    averagePrice: none(lines[4]),
    averagePriceWithFees: none(lines[5]),
    marketCapLamports: wide(lines[6], marketCapLamports),
    marketCapAfterLamports: wide(lines[7], marketCapAfterLamports),
    slippagePercent: lines[8],
    minTokens: minTokens ?? null,
    maxLamports: maxLamports ?? null,
    minLamports: minLamports ?? null,
    worstTokens,
    worstTokenAmount: lines[9],
    worstWalletLamports,
    tokenAccount: lines[10],
    rentLamports,
    heldTokens: heldTokens ?? null,
    networkFeeLamports,
    ownNetworkFeeLamports,
    netLamports: wide(lines[11], netLamports),
    worstNetLamports: wide(lines[12], worstNetLamports),
    tokenDecimals,
    warnings: lines.slice(14),
  };
}
