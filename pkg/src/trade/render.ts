// Shows a person a trade, an error, or anything else that was caught; also after it has crossed JSON.

import * as core from "build:trade";
import type { View } from "../generated.js";
import { plainOf } from "./plain.js";

/** The most characters of a message that go to the core, which shows fewer. */
const MOST = 4_000;

/**
 * What to show a person for a trade, or for anything that was caught: title, status, whether it was simulated, facts, links.
 *
 * An error from elsewhere is shown as an unknown outcome. A trade or an error that crossed JSON or `postMessage` looks the same as
 * before.
 *
 * @example
 * ```js
 * import { TradeClient, view } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { title, lines } = view(await client.buy(request).catch((error) => error));
 * console.log(title, lines[0]); // Buy landed (simulated) { label: "Bought", value: "1763352.433103" }
 * ```
 */
export function view(tradeOrError: unknown): View {
  return core.view(...plainOf(tradeOrError, MOST)) as View;
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
  return core.renderText(...plainOf(tradeOrError, MOST));
}

/**
 * A trade or an error as an HTML fragment with all foreign text escaped: a `section` with the classes `trade trade-<status>`,
 * and `trade-simulated` for a sandbox's, which has a heading, a list of facts, and only links that are http or https.
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
  return core.renderHtml(...plainOf(tradeOrError, MOST));
}
