// Trades and errors as plain data, as JSON and `postMessage` leave them: what the core gets of them, and errors made of it again.

import * as core from "build:desk";
import { failure, given } from "./crossing.js";
import { type AnyTradeError, callOf, thrownAt } from "./errors.js";
import { read, textOf } from "./runtime.js";

/** How deep they are read. `transactionResult.results`, which can be anything of any size, is deeper. */
const DEPTH = 4;

const AMOUNTS = ["buyAmount", "sellAmount", "preTokenBalance", "postTokenBalance"];

const fieldsOf = (value: unknown, names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, read(value, name)]));

/** Absent for what has none, so that the figures are read from the result. */
const exactOf = (value: unknown): object | undefined => (value ? fieldsOf(value, AMOUNTS) : undefined);

const FIELDS = ["operation", "status", "result", "explorer", "launchpad"];

/** The fields that a trade may have. */
const tradeOf = (value: unknown): object => ({ ...fieldsOf(value, FIELDS), exact: exactOf(read(value, "exact")) });

/** The exact results of a trade, which may be longer than what is made flat. */
const resultsOf = (value: unknown): string => textOf(read(read(value, "exact"), "results"));

/** What a trade or an error is to the core, each field read on its own: it may be anything. Of a message `most` characters. */
export function plainOf(value: unknown, most = Infinity): [results: string, given: ReturnType<typeof given>] {
  const textAt = (name: string): unknown => {
    const text = read(value, name);
    return typeof text === "string" ? text.slice(0, most) : text;
  };
  const trade = read(value, "trade") ?? undefined;
  const plain = {
    ...tradeOf(value),
    ...fieldsOf(value, ["name", "outcome", "code", "fields", "retryAfterMs", "intentId", "warnings", "simulated"]),
    message: textAt("message"),
    serviceMessage: textAt("serviceMessage"),
  };
  return [resultsOf(value) || resultsOf(trade), given({ plain, trade: trade && tradeOf(trade) }, DEPTH)];
}

/**
 * Reads an error that crossed JSON or `postMessage`: what `toJSON()` gives, as `JSON.parse` or a structured clone leaves it.
 * It has its class, outcome, code, intent id, status and fields again, and a failed one its trade, without `raw`.
 *
 * Send `error.toJSON()`: of an error itself, `postMessage` keeps the message alone.
 *
 * @throws {TypeError} for anything that is not such an error, whole and in agreement with itself. It is no `TradeError`, so
 * that nobody takes it for an outcome: what became of the trade is then unknown.
 *
 * @example
 * ```js
 * import { TradeOutcomeUnknownError, readError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   const again = readError(JSON.parse(JSON.stringify(error)));
 *   console.log(again instanceof TradeOutcomeUnknownError, again.code); // true service_error
 * }
 * ```
 */
export function readError(data: unknown): AnyTradeError {
  const call = callOf(readError);
  const answered: unknown = core.readError(...plainOf(data));
  if (typeof answered !== "string") return thrownAt(call, failure(answered)) as AnyTradeError;
  throw thrownAt(call, new TypeError(`not the JSON of a trade's error: ${answered}`));
}
