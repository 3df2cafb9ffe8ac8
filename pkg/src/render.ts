// What a person sees of a trade, of an error, of anything that was caught.

import * as core from "build:desk";
import { type Flat, given } from "./crossing.js";
import type { View } from "./generated.js";
import { read, textOf } from "./runtime.js";

/** The most characters of a text that go to the core, which shows fewer. */
const MOST = 4_000;

/** How deep they are read. `transactionResult.results`, which can be anything of any size, is deeper. */
const DEPTH = 4;

/** The fields that a trade may have. */
const tradeOf = (value: unknown): object => ({
  operation: read(value, "operation"),
  result: read(value, "result"),
  exact: read(value, "exact"),
  explorer: read(value, "explorer"),
  launchpad: read(value, "launchpad"),
});

const shortOf = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, MOST) : value);

/** The exact results of a trade, which may be longer than what is made flat. */
const resultsOf = (value: unknown): string => textOf(read(read(value, "exact"), "results"));

/** What the core shows of a value, each field read on its own: it may be anything. */
function shown(value: unknown): [results: string, ...Flat] {
  const trade = read(value, "trade");
  const fields = {
    ...tradeOf(value),
    message: shortOf(read(value, "message")),
    outcome: read(value, "outcome"),
    code: read(value, "code"),
    fields: read(value, "fields"),
    status: read(value, "status"),
    serviceMessage: shortOf(read(value, "serviceMessage")),
    retryAfterMs: read(value, "retryAfterMs"),
  };
  return [resultsOf(value) || resultsOf(trade), ...given({ shown: fields, trade: tradeOf(trade) }, DEPTH)];
}

/**
 * What a person sees of a trade or of anything caught: title, status, facts, links.
 *
 * An error that is not this package's is shown as an unknown outcome.
 *
 * @example
 * ```js
 * import { TradeClient, view } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { title, lines } = view(await client.buy(request).catch((error) => error));
 * console.log(title, lines[0]); // Buy landed { label: "Bought", value: "1763352.433103" }
 * ```
 */
export function view(tradeOrError: unknown): View {
  return core.view(...shown(tradeOrError)) as View;
}

/**
 * A trade or an error as plain text, one fact per line.
 *
 * @example
 * ```js
 * import { renderText } from "launchpad-desk";
 *
 * console.log(renderText(new Error("socket closed"))); // Outcome unknown: the trade may have been made …
 * ```
 */
export function renderText(tradeOrError: unknown): string {
  return core.renderText(...shown(tradeOrError));
}

/**
 * A trade or an error as an HTML fragment, all foreign text escaped: a `section` of class
 * `trade trade-<status>` with a heading, a list of facts, and links that are http or https.
 *
 * @example
 * ```js
 * import { renderHtml } from "launchpad-desk";
 *
 * const html = renderHtml(new Error("<b>socket closed</b>"));
 * console.log(html.includes("&lt;b&gt;")); // true
 * ```
 */
export function renderHtml(tradeOrError: unknown): string {
  return core.renderHtml(...shown(tradeOrError));
}
