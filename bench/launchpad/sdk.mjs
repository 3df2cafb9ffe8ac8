// The peer: the launchpad's own SDK for JS, through `require`, since its ES module does not load in Node.

import { createRequire } from "node:module";
import { START, evenSpends } from "./amounts.mjs";

const require = createRequire(import.meta.url);
// One of its dependencies warns that it found no native binaries; it needs none here.
console.warn = () => {};
const { getBuyTokenAmountFromSolAmount } = require("@pump-fun/pump-sdk");
const { PublicKey } = require("@solana/web3.js");
const BN = require("bn.js");

const bn = (amount) => new BN(amount.toString());

export function oneBuy() {
  const someone = new PublicKey(new Uint8Array(32).fill(7));
  const global = { feeBasisPoints: bn(START.protocolBps), creatorFeeBasisPoints: bn(START.creatorBps) };
  const bondingCurve = {
    virtualTokenReserves: bn(START.virtualTokenReserves),
    virtualQuoteReserves: bn(START.virtualSolReserves),
    realTokenReserves: bn(START.realTokenReserves),
    creator: someone,
    quoteMint: PublicKey.default,
  };
  const mintSupply = bn(START.supply);
  const amounts = evenSpends(1024).map(bn);
  const buy = (amount) =>
    getBuyTokenAmountFromSolAmount({
      global,
      feeConfig: null,
      mintSupply,
      bondingCurve,
      amount,
      quoteMint: PublicKey.default,
    });
  let at = 0;
  return {
    run: () => buy(amounts[at++ & 1023]),
    answer: () => amounts.map((amount) => BigInt(buy(amount).toString())),
  };
}
