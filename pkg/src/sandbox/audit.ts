// Outcomes that a request can ask for, and the audit of a bot's books against what really happened.

import * as core from "build:sandbox";
import { result } from "../crossing.js";
import type { Audit, BookEntry, CallRow, OutcomeRow } from "../generated.js";

/**
 * The header in which a request to a sandbox asks for an outcome.
 *
 * @example
 * ```js
 * import { OUTCOME_HEADER, Sandbox } from "launchpad-desk/sandbox";
 *
 * const headers = { "content-type": "application/json", [OUTCOME_HEADER]: "rejected-429" };
 * const reply = await new Sandbox().fetch("http://sandbox/v1/trade/buy", { method: "POST", headers, body: "{}" });
 * console.log(reply.status, reply.headers.get("retry-after")); // 429 1
 * ```
 */
export const OUTCOME_HEADER = "x-sandbox-outcome";

/**
 * The prefix of an outcome's name in `feePayer`, for clients that can only set fields.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { OUTCOME_PREFIX, Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const request = { mint, fromWallet: wallet, amountInLamports: 5_000_000, feePayer: `${OUTCOME_PREFIX}executed-no-answer` };
 * const { outcome } = await new TradeClient({ fetch: sandbox.fetch }).buy(request).catch((error) => error);
 * console.log(outcome); // unknown
 * ```
 */
export const OUTCOME_PREFIX = "sandbox-outcome-";

/**
 * Every outcome that a request to a sandbox can ask for, and the `feePayer` that asks for it.
 *
 * @example
 * ```js
 * import { sandboxOutcomes } from "launchpad-desk/sandbox";
 *
 * for (const { outcome, feePayer, meaning } of sandboxOutcomes()) console.log(outcome, feePayer, meaning);
 * ```
 */
export function sandboxOutcomes(): OutcomeRow[] {
  return result(core.sandboxOutcomes());
}

/** What an audit compares, as JSON text; `undefined` if it cannot be written. */
function booksOf(entries: readonly BookEntry[], calls: readonly CallRow[] | string): string | undefined {
  try {
    // A journal's intent has more fields than the audit needs.
    const asked = entries.map(({ intentId, operation, body, outcome }) => ({ intentId, operation, body, outcome }));
    const lines = typeof calls === "string" ? `[${calls.trim().replace(/\n/g, ",")}]` : JSON.stringify(calls);
    return `{"entries":${JSON.stringify(asked)},"calls":${lines}}`;
  } catch {
    return undefined;
  }
}

/**
 * Reports every trade that a bot's books are wrong about.
 *
 * @param entries - the books: every intent that was begun, with the outcome it was settled with, or null if it never was. Other fields of an
 * entry are ignored.
 * @param calls - `calls` of the sandbox, or the text of `callsNdjson()` or of `/_sandbox/calls`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, audit } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox({ maxCalls: 1_000 });
 * const books = new Map();
 * const client = new TradeClient({
 *   fetch: sandbox.fetch,
 *   journal: {
 *     begin: async (intent) => void books.set(intent.intentId, { ...intent, outcome: null }),
 *     settle: async ({ intentId }, { outcome }) => void (books.get(intentId).outcome = outcome),
 *   },
 * });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * await client.buy({ mint, fromWallet: wallet, amountInLamports: 5_000_000 });
 * const { findings, right } = audit([...books.values()], sandbox.calls);
 * console.log(findings.length, right); // 0 1
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options` or `invalid_request`, if an entry or a call cannot be read.
 */
export function audit(entries: readonly BookEntry[], calls: readonly CallRow[] | string): Audit {
  return result(core.audit(booksOf(entries, calls)), audit);
}
