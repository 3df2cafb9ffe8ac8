// The bench's worlds and trades; bench/sandbox.rs, the native side, makes the same ones.
//
// Every wallet buys a token and sells all of it, in turns with the others, so that the worlds stay the same however long it
// takes.

import { Sandbox } from "launchpad-desk/sandbox";

export const CALLS = 20_000;
/** 90 SOL each, so that the sum of all is still exact as a double. */
const LAMPORTS = 90_000_000_000;

const mint = (number) => `mint-${number}`;
const wallet = (number) => `wallet-${number}`;
const numbers = (count) => Array.from({ length: count }, (_, number) => number);

/** A sandbox of this many wallets and tokens. Made from a snapshot, because a config has room for only some 30,000 wallets. */
export function sandboxOf(wallets, tokens) {
  const config = { tokens: numbers(tokens).map((number) => ({ mint: mint(number), symbol: "mint" })), wallets: [] };
  const state = JSON.parse(new Sandbox(config).snapshot());
  state.wallets = numbers(wallets).map((number) => ({
    wallet: wallet(number),
    label: wallet(number),
    lamports: LAMPORTS,
    level: 0,
    opensVolumeAccount: false,
  }));
  state.world.grantedLamports = LAMPORTS * wallets;
  return Sandbox.restore(JSON.stringify(state), config);
}

/** The bodies of this many calls, as a client sends them; neighbours are for wallets far apart. */
export function callsOf(wallets, tokens) {
  const encoder = new TextEncoder();
  return numbers(CALLS).map((call) => {
    const pair = call >> 1;
    const [fromWallet, ofMint] = [wallet((pair * 7919) % wallets), mint(pair % tokens)];
    const amount = call % 2 ? `"percentage":100` : `"amountInLamports":10000000`;
    const body = `{"mint":"${ofMint}","fromWallet":"${fromWallet}",${amount},"feePayer":null,"slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null}`;
    return { path: call % 2 ? "/v1/trade/sell-by-percentage" : "/v1/trade/buy", body: encoder.encode(body) };
  });
}

/** A checksum over bytes, in 32 bits. */
export const checksum = (sum, bytes) => bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, sum);
