// The worlds that the bench trades in, and the trades: the native side, bench/sandbox.rs, makes the very same.
//
// Every wallet buys a token and sells all of it, in turns with the others, so that the worlds stay as they are for as long as it takes.

import { Sandbox } from "launchpad-desk/launchpad";

export const CALLS = 20_000;
/** 90 SOL each: all of them together are still exact as a double. */
const LAMPORTS = 90_000_000_000;

const mint = (number) => `mint-${number}`;
const wallet = (number) => `wallet-${number}`;
const numbers = (count) => Array.from({ length: count }, (_, number) => number);

/** A sandbox of so many wallets and tokens. A snapshot has room for all of them, a config for some 30,000 wallets. */
export function sandboxOf(wallets, tokens) {
  const config = { tokens: numbers(tokens).map((number) => ({ mint: mint(number), symbol: "mint" })), wallets: [] };
  const state = JSON.parse(new Sandbox(config).snapshot());
  state.wallets = numbers(wallets).map((number) => ({ wallet: wallet(number), label: wallet(number), lamports: LAMPORTS, level: 0 }));
  state.world.grantedLamports = LAMPORTS * wallets;
  return Sandbox.restore(JSON.stringify(state), config);
}

/** The bodies of so many calls, as a client sends them: wallets far apart from each other, one after the other. */
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
