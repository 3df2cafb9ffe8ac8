// Resends after an executed first try: by a runtime's own fetch after a 421, and by its replacements. Nobody sees the
// first try, so the failure of a later one proves nothing.

import { either, rejected, unknown } from "../outcomes.mjs";
import { reply } from "../replies.mjs";

/** Runtimes whose fetch tries again after a 421. */
const again = (fact) => ({ on: { "fetch of node": fact, browser: fact } });

/** Does so the first time. */
const first = (script, later) => (exchange) => (exchange.time === 1 ? script(exchange) : later(exchange));
const misdirected = (exchange) => exchange.end(reply(421, "{}"));
const answer421 = unknown("unexpected_status", { status: 421 });

const afterMisdirected = [
  {
    name: "executes, says 421, and listens no more",
    script: async (exchange) => (await exchange.stopListening(), misdirected(exchange)),
    expect: answer421,
    // A runtime may report its second try, which was refused, or the first.
    ...again({ expect: unknown(either("network_error", "unexpected_status")) }),
  },
  {
    name: "executes, says 421, and listens no more, to a client that may try again what was not sent",
    options: { retryNotSent: 3 },
    script: async (exchange) => (await exchange.stopListening(), misdirected(exchange)),
    expect: answer421,
    ...again({ expect: unknown(either("network_error", "unexpected_status")) }),
  },
  // Decided: a refusal is believed, though such a runtime may have sent before, since no reply shows whether it has.
  ...[
    [400, rejected("rejected_by_service", { status: 400 })],
    [401, rejected("unauthorized", { status: 401 })],
    [429, rejected("rate_limited", { status: 429 })],
  ].map(([status, expect]) => ({
    name: `executes, says 421, and then ${status}`,
    script: first(misdirected, (exchange) => exchange.end(reply(status, "{}"))),
    expect: answer421,
    ...again({ expect, posts: 2 }),
  })),
  {
    name: "executes, says 421, and closes at the second try",
    script: first(misdirected, (exchange) => exchange.end()),
    expect: answer421,
    ...again({ expect: unknown("network_error"), posts: 2 }),
  },
];

/** Replacements of a fetch: see preload/. The package's own transport does not use it. */
const TRIES_AGAIN = { only: ["tries again"] };
const lost = unknown("network_error");
const triedAgain = [
  {
    name: "executes, closes, and listens no more",
    script: async (exchange) => (await exchange.stopListening(), exchange.end()),
    ...TRIES_AGAIN,
    expect: lost,
  },
  {
    name: "executes, resets, and listens no more",
    script: async (exchange) => (await exchange.stopListening(), exchange.reset()),
    ...TRIES_AGAIN,
    expect: lost,
  },
  {
    name: "executes, closes, and listens no more, to a client that may try again what was not sent",
    options: { retryNotSent: 3 },
    script: async (exchange) => (await exchange.stopListening(), exchange.end()),
    ...TRIES_AGAIN,
    expect: lost,
  },
];

export const rows = [...afterMisdirected, ...triedAgain];
