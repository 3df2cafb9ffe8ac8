// Trades in the sandbox's module: a request's parts and bytes go in, a reply and the changes come out. No client, no Fetch API.

import { CALLS, callsOf, checksum, sandboxOf } from "./world.mjs";

/** `serve` answers requests by the same function. */
const ANSWER = Symbol.for("launchpad-desk.sandbox");
const HEADERS = [["content-type", "application/json"]];
const ANSWERED = 2_000;
const IN_A_RUN = 2_000;

function start(wallets, tokens) {
  const sandbox = sandboxOf(wallets, tokens);
  sandbox.useClock(() => 0);
  const calls = callsOf(wallets, tokens);
  const answer = sandbox.fetch[ANSWER];
  let next = 0;
  return () => {
    const { path, body } = calls[next++ % CALLS];
    return answer("POST", path, HEADERS, body);
  };
}

function run(trade) {
  let last;
  for (let call = 0; call < IN_A_RUN; call++) last = trade();
  return last;
}

/** Its answer is the bytes of its first replies. */
export function replies(wallets, tokens) {
  const trade = start(wallets, tokens);
  const answer = () => {
    let sum = 0;
    for (let call = 0; call < ANSWERED; call++) sum = checksum(sum, trade().body);
    return sum;
  };
  return { run: () => run(trade), answer };
}

/** Its answer is how many of its first trades landed, because worlds of two sizes have different names. */
export function landed(wallets, tokens) {
  const trade = start(wallets, tokens);
  const decoder = new TextDecoder();
  const answer = () =>
    Array.from({ length: ANSWERED }, () => decoder.decode(trade().body)).filter((body) =>
      body.includes('"success":true'),
    ).length;
  return { run: () => run(trade), answer };
}
