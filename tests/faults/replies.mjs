// The bytes that the fault server answers with.

import { gzipSync } from "node:zlib";

const REASONS = {
  100: "Continue",
  101: "Switching Protocols",
  102: "Processing",
  103: "Early Hints",
  200: "OK",
  204: "No Content",
};

/** A status line and headers. A header that is null is left out; one that is a list is sent once for each. */
export function head(status, headers = {}) {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.from([`HTTP/1.1 ${status} ${REASONS[status] ?? "Whatever"}`, ...lines, "", ""].join("\r\n"), "latin1");
}

/**
 * A whole reply, which a page of any origin may read, and after which the connection closes unless `headers` say so.
 * A `body` of null has no content-length.
 */
export function reply(status, body, headers = {}) {
  const bytes = Buffer.from(body ?? "");
  const all = {
    "content-type": body ? "application/json" : null,
    "content-length": body === null ? null : bytes.length,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "retry-after",
    connection: "close",
    ...headers,
  };
  return Buffer.concat([head(status, all), bytes]);
}

/** For a connection that stays open for the next request. */
export const KEPT = { connection: "keep-alive" };

/** A body in chunks, with its end, or without. */
export const CHUNKED = { "content-length": null, "transfer-encoding": "chunked" };
export const chunk = (body) =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(body).toString(16)}\r\n`), Buffer.from(body), Buffer.from("\r\n")]);
export const LAST_CHUNK = Buffer.from("0\r\n\r\n");
export const inChunks = (...parts) => Buffer.concat([...parts.map(chunk), LAST_CHUNK]);

/** A body without a length: the end of the connection ends it. */
export const UNTIL_CLOSED = { "content-length": null };

export const GZIP = { "content-encoding": "gzip" };
export const gzipped = (body) => gzipSync(Buffer.from(body));

/**
 * The reply to a buy of the driver's, as the interface shows it; `change` may alter the object before it is written. It
 * names no wallet, because each call has its own.
 */
export function trade(change = () => {}) {
  const body = {
    result: {
      mint: "MoonRabbit",
      buyAmount: 34199203.120618,
      preTokenBalance: 0,
      postTokenBalance: 34199203.120618,
      signature: "5igna7ure",
      transactionResult: { success: true, signature: "5igna7ure", results: "ok" },
      tokenAccount: "7oken4ccoun7",
    },
    explorer: {
      mint: "https://explorer.example/token/M",
      wallet: "https://explorer.example/account/W",
      tx: "https://explorer.example/tx/S",
    },
    launchpad: { mint: "https://launchpad.example/coin/M" },
  };
  change(body);
  return JSON.stringify(body);
}

/** The same of a call among several: each trade has a signature of its own. */
export const tradeOf = ({ call }) =>
  trade(({ result }) => (result.signature = result.transactionResult.signature += call));

/** The smallest reply that says that a trade landed: for rows that try every byte of it. */
export const SMALL = '{"result":{"transactionResult":{"success":true}}}';

/** A row of a service that does this with each POST, and of what the caller must be told. */
export const plays = (name, script, expect, more = {}) => ({ name, script, expect, ...more });

/** The same of one that answers with these bytes. */
export const answers = (name, bytes, expect, more) => plays(name, (exchange) => exchange.end(bytes), expect, more);
