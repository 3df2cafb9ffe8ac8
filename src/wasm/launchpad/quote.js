// A quote as a plain object, built at one stroke: setting field after field from the module takes ten times as long.

const none = (value) => (value === "" ? null : value);

/** The object of `CurveQuote`. What is text comes in one text, a line for each; an absent price is an empty line. */
export function quoteObject(
  text,
  tokens,
  walletLamports,
  curveLamports,
  protocolFeeLamports,
  creatorFeeLamports,
  priceImpactBps,
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
    priceImpactBps,
    spotPriceBefore: none(lines[2]),
    spotPriceAfter: none(lines[3]),
    averagePrice: none(lines[4]),
    averagePriceWithFees: none(lines[5]),
    marketCapLamports: BigInt(lines[6]),
    marketCapAfterLamports: BigInt(lines[7]),
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
    netLamports: BigInt(lines[11]),
    worstNetLamports: BigInt(lines[12]),
    tokenDecimals,
    warnings: lines.slice(13),
  };
}
