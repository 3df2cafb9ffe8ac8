// Trades and errors as plain data, as they are after JSON or `postMessage`: flattened for the core, and turned back into errors.

import * as core from "build:trade";
import { failure, callArgs } from "../crossing.js";
import { type AnyTradeError, callOf, thrownAt } from "../errors.js";
import { fieldsOf, read, textOf } from "../runtime.js";

/** How deep they are read. `transactionResult.results`, which can be any value of any size, is deeper and read separately. */
const DEPTH = 4;

const AMOUNTS = ["buyAmount", "sellAmount", "preTokenBalance", "postTokenBalance"];

/** Absent if there is no `exact`, so that the figures are read from the result. */
const exactOf = (value: unknown): object | undefined => (value ? fieldsOf(value, AMOUNTS) : undefined);

const FIELDS = ["operation", "status", "result", "explorer", "launchpad"];

/** The fields that a trade may have. */
const tradeOf = (value: unknown): object => ({ ...fieldsOf(value, FIELDS), exact: exactOf(read(value, "exact")) });

/** The exact results of a trade, which may be longer than flattening allows. */
const resultsOf = (value: unknown): string => textOf(read(read(value, "exact"), "results"));

/** A trade or an error for the core. The value may be anything, so each field is read on its own; a message is cut to `most` characters. */
export function plainOf(value: unknown, most = Infinity): [results: string, given: ReturnType<typeof callArgs>] {
  const textAt = (name: string): unknown => {
    const text = read(value, name);
    return typeof text === "string" ? text.slice(0, most) : text;
  };
  const trade = read(value, "trade") ?? undefined;
  const plain = {
    ...tradeOf(value),
    ...fieldsOf(value, [
      "name",
      "outcome",
      "code",
      "fields",
      "retryAfterMs",
      "signature",
      "intentId",
      "warnings",
      "simulated",
    ]),
    message: textAt("message"),
    serviceMessage: textAt("serviceMessage"),
  };
  return [resultsOf(value) || resultsOf(trade), callArgs({ plain, trade: trade && tradeOf(trade) }, DEPTH)];
}

/**
 * Reads an error that crossed JSON or `postMessage`, from the result of its `toJSON()`. The error gets back its class, outcome,
 * code, intent id, status and fields; a failed one also its trade, without `raw`.
 *
 * Send `error.toJSON()`, not the error: `postMessage` keeps only the message of an error.
 *
 * @throws {TypeError} for anything that is not such an error, complete and consistent. This is not a `TradeError`, so that it
 * cannot be mistaken for an outcome: the trade's outcome is then unknown.
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
