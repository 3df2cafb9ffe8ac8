// The error of a market that gives no answer, and what the core says of a reply.

import { nameError } from "../errors.js";
import type { MarketErrorCode } from "../generated.js";
import { type ReadOrRefused, readOrThrow } from "./accounts.js";

/**
 * A market that gives no answer: its source did not reply, refused, lags, or cannot be read.
 *
 * @example
 * ```js
 * import { Market, MarketError } from "launchpad-desk/market";
 *
 * const market = new Market({ accounts: () => Promise.reject(new Error("offline")) });
 * try {
 *   await market.look("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs");
 * } catch (error) {
 *   if (error instanceof MarketError) console.log(error.code); // unreachable
 * }
 * ```
 */
export class MarketError extends Error {
  /** Why it says nothing. */
  readonly code: MarketErrorCode;
  /** The HTTP status of the node's reply, if it was none of success. */
  readonly status?: number;

  protected constructor(code: MarketErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}
nameError("MarketError", MarketError);

export const failed = (code: MarketErrorCode, message: string, status?: number): MarketError =>
  new (MarketError as unknown as new (code: string, message: string, status?: number) => MarketError)(
    code,
    message,
    status,
  );

/** What the core says of a reply: what it read, why the account is refused, or why the market says nothing. */
export type Answer<R> = ReadOrRefused<R> | { failed: { message: string; code: MarketErrorCode }; refused?: undefined };

/** What the core has read, or why nothing, as an error whose stack begins at the caller. */
export function readIn<R>(answered: Answer<R>, caller: Function): R {
  if ("failed" in answered) throw failed(answered.failed.code, answered.failed.message);
  return readOrThrow(answered, caller);
}
