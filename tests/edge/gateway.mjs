// The gateway in workerd, on a real socket, with callers whose tokens the tests know.

import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { startWorker } from "../../scripts/worker.mjs";

/** A key that JSON, URLs and HTML each spell differently. */
export const KEY = 'sk-edge/7f3a"9c\\';

export const RABBIT = "SimMoonRabbit111111111111111111111111111111";
export const ADA = "SimTraderAda1111111111111111111111111111111";
/** What a wallet's first buy of a token may take beside its amount, in lamports: the rent of two accounts, and a signature. */
export const OPENS = 2_865_040;
export const BUY = { mint: RABBIT, fromWallet: ADA, amountInLamports: 1_000_000_000 };
export const JSON_TYPE = { "content-type": "application/json" };

/** A service's reply to a buy that landed. */
export const landed = ({ mint, fromWallet }) => ({
  result: { mint, wallet: fromWallet, transactionResult: { success: true } },
  explorer: {},
  launchpad: {},
});
export const LANDED = landed(BUY);

export const tokenOf = (name) => `token-of-${name}-5f1c`;

/** A caller of the settings; a trader of the desk "alpha" unless `more` changes that. */
export const caller = (name, more = {}) => ({
  name,
  desk: "alpha",
  role: "trader",
  tokenSha256: createHash("sha256").update(tokenOf(name)).digest("hex"),
  ...more,
});
export const operator = (name, more = {}) => caller(name, { role: "operator", ...more });

/** A desk "alpha" with a trader "ada" and an operator "olga", unless `more` changes that. */
export const settingsOf = (more = {}) => ({
  desks: [{ name: "alpha" }],
  callers: [caller("ada"), operator("olga")],
  ...more,
});

/** A folder that goes away after the tests. */
export async function folder() {
  const path = await mkdtemp(join(tmpdir(), "gateway-"));
  // A gateway that still runs may write meanwhile.
  after(() => rm(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/** What `ask` gives for each, 48 at a time: on a busy machine workerd closes connections whose requests it cannot read in time. */
export async function inWaves(all, ask) {
  const answers = [];
  for (let from = 0; from < all.length; from += 48)
    answers.push(...(await Promise.all(all.slice(from, from + 48).map(ask))));
  return answers;
}

/**
 * Starts a gateway, and adds to it what its callers do.
 *
 * - `ask(path, init)`: a request as it is, with `as` the name of a caller, whose token goes with it
 * - `post(path, body, init)`: a POST of JSON, with `intent` its idempotency key
 * - `desk(as)`: what an operator sees; `order(path, body, as)`: what one orders
 */
export async function openGateway({ settings = settingsOf(), key = KEY, bindings = {}, ...more } = {}) {
  const worker = await startWorker({
    bindings: { SETTINGS: settings, ...(key && settings?.upstream && { API_KEY: key }), ...bindings },
    ...more,
  });
  const ask = (path, { as, headers = {}, ...init } = {}) =>
    fetch(new URL(path, worker.url), {
      redirect: "manual",
      // Workerd closes a connection that has rested for five seconds, perhaps while the next request is on its way.
      headers: { connection: "close", ...(as && { authorization: `Bearer ${tokenOf(as)}` }), ...headers },
      ...init,
    });
  const post = (path, body, { as = "ada", intent, headers = JSON_TYPE, ...init } = {}) =>
    ask(path, {
      method: "POST",
      as,
      headers: { ...headers, ...(intent && { "idempotency-key": intent }) },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      ...init,
    });
  const desk = async (as = "olga") => (await ask("/desk", { as, headers: { accept: "application/json" } })).json();
  const order = (path, body = {}, as = "olga") => post(`/desk/${path}`, body, { as });
  return { ...worker, ask, post, desk, order };
}

/** The same, closed after the test, or after the tests of the file. */
export async function gatewayFor(options) {
  const gateway = await openGateway(options);
  after(() => gateway.close());
  return gateway;
}
