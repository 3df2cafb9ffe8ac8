// The errors that are thrown: a class for each outcome, so that every failure first answers whether money may have moved.

import type { Code, FieldError, NoPosition, Outcome, RefusalCode, Trade, Warning } from "./generated.js";

/** A failure as the core describes it. Without an `outcome` it is the launchpad's refusal of an order. */
export type FailureFields = { message: string; outcome?: Outcome } & Record<string, unknown>;

const BRAND = Symbol.for("launchpad-desk.TradeError");

/** These fields are not enumerable, so that a logger that walks an error does not print replies. */
const HIDDEN = ["evidence", "trade"];

/**
 * Why a trade did not land, or is not known to have landed. `outcome` answers the first question: may my money have moved?
 *
 * @example
 * ```js
 * import { TradeClient, TradeError } from "launchpad-desk";
 *
 * const client = new TradeClient({ baseURL: "https://service.example", maxLamportsPerTrade: 1_000_000_000 });
 * try {
 *   await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 2_000_000_000 });
 * } catch (error) {
 *   if (!(error instanceof TradeError)) throw error;
 *   console.log(error.outcome, error.code); // not_sent over_trade_limit
 * }
 * ```
 */
export class TradeError extends Error {
  /** May my money have moved? */
  declare readonly outcome: Outcome;
  /** The stable code. */
  declare readonly code: Code;
  /**
   * `true`: it comes from a sandbox, so no money moved. `false`: it is about a service, so treat it as real; a service that simulates
   * can say so only in an answer. Absent if no service is known, as in errors of `readCall` and errors about invalid options.
   */
  declare readonly simulated?: boolean;
  /** The path of the first bad field, for `invalid_request` and `invalid_options`. */
  declare readonly field?: string;
  /** Every bad field, for `invalid_request` and `invalid_options`. */
  declare readonly fields?: FieldError[];
  /** The HTTP status, if there was an answer. */
  declare readonly status?: number;
  /** What the service said, on one line of at most 300 characters. */
  declare readonly serviceMessage?: string;
  /** How long the service asks to wait, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** The signature of the transaction that a reply of unknown meaning is about, if it names one: look for it before anything else. */
  declare readonly signature?: string;
  /** The start of a reply that cannot be trusted, for investigation. Not enumerable, and not in `toJSON()`. */
  declare readonly evidence?: string;
  /** Warnings about the request, if there are any. */
  declare readonly warnings?: Warning[];
  /** The trade's id; absent if its request or its options could not be used. */
  declare readonly intentId?: string;

  protected constructor(described: object) {
    const { message, ...fields } = described as FailureFields;
    super(message);
    for (const [name, value] of Object.entries(fields)) {
      // Defined, not set: a prototype's field of that name may be read-only.
      const open = !HIDDEN.includes(name);
      Object.defineProperty(this, name, {
        __proto__: null,
        value,
        enumerable: open,
        writable: open,
        configurable: open,
      } as PropertyDescriptor);
    }
  }

  /** Always false: whether to send again is for a person or a reconciliation to decide. */
  get retryable(): false {
    return false;
  }

  /**
   * The error as plain data to log: no key, no raw reply. The service's own message is in it, with what that repeats of your
   * `defaultHeaders`. `readError` turns it back into an error.
   */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/**
 * The position of a buy is not known: `code` says what is missing.
 *
 * @example
 * ```js
 * import { PositionError, TradeClient } from "launchpad-desk";
 *
 * const client = new TradeClient({ baseURL: "https://service.example" });
 * try {
 *   await client.positionOf("signal-1");
 * } catch (error) {
 *   if (error instanceof PositionError) console.log(error.code, error.intentId); // no_market signal-1
 * }
 * ```
 */
export class PositionError extends Error {
  /** What is missing. */
  readonly code: NoPosition;
  /** The id of the buy. */
  readonly intentId: string;

  protected constructor(intentId: string, code: NoPosition, why: string) {
    super(`the position of ${intentId} is not known: ${why}`);
    [this.intentId, this.code] = [intentId, code];
  }
}
export const positionError = (...given: [intentId: string, code: NoPosition, why: string]): PositionError =>
  new (PositionError as unknown as new (...given: [string, string, string]) => PositionError)(...given);

/**
 * Nothing left this machine.
 *
 * @example
 * ```js
 * import { TradeNotSentError, readCall } from "launchpad-desk";
 *
 * try {
 *   readCall("buy", '{"mint":"M"}');
 * } catch (error) {
 *   if (error instanceof TradeNotSentError) console.log(error.fields?.map(({ field }) => field)); // [ "fromWallet", "amountInLamports" ]
 * }
 * ```
 */
export class TradeNotSentError extends TradeError {
  declare readonly outcome: "not_sent";
}

/**
 * The service refused the trade; it was not made.
 *
 * @example
 * ```js
 * import { TradeRejectedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 400, '{"message":"trading is closed"}');
 * } catch (error) {
 *   if (error instanceof TradeRejectedError) console.log(error.serviceMessage); // trading is closed
 * }
 * ```
 */
export class TradeRejectedError extends TradeError {
  declare readonly outcome: "rejected";
}

/**
 * The transaction ran and failed: nothing moved but the network fee.
 *
 * @example
 * ```js
 * import { TradeFailedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 200, '{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}');
 * } catch (error) {
 *   if (error instanceof TradeFailedError) console.log(error.trade.status); // failed
 * }
 * ```
 */
export class TradeFailedError extends TradeError {
  declare readonly outcome: "failed";
  /** What the reply says. Not enumerable; in `toJSON()` without `raw`. */
  declare readonly trade: Trade;

  /** The same, with the trade; without its raw reply, and without fields that the error itself has. */
  override toJSON(): object & { trade: Omit<Trade, "raw" | "warnings" | "intentId" | "simulated"> } {
    const { operation, status, result, explorer, launchpad, exact } = this.trade;
    return Object.assign(super.toJSON(), { trade: { operation, status, result, explorer, launchpad, exact } });
  }
}

/**
 * The trade may have been made. Never send it again: settle it, by `client.settle` or `reconcile`.
 *
 * @example
 * ```js
 * import { TradeOutcomeUnknownError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   if (error instanceof TradeOutcomeUnknownError) console.log(error.code); // service_error
 * }
 * ```
 */
export class TradeOutcomeUnknownError extends TradeError {
  declare readonly outcome: "unknown";
}

/** Any error that a trade may end with. See {@link isTradeError}. */
export type AnyTradeError = TradeNotSentError | TradeRejectedError | TradeFailedError | TradeOutcomeUnknownError;

/**
 * The launchpad would refuse this trade, or no trade reaches what is asked for.
 *
 * @example
 * ```js
 * import { Curve, RefusalError } from "launchpad-desk/market";
 *
 * try {
 *   new Curve().sellExactIn(1_000_000_000_000n); // nobody has bought yet
 * } catch (error) {
 *   if (error instanceof RefusalError) console.log(error.code); // fees_or_reserves_exceeded
 * }
 * ```
 */
export class RefusalError extends Error {
  /** The stable code: `not_enough_tokens_on_curve`, `out_of_reach`, … */
  declare readonly code: RefusalCode;
  /** Which leg of a bundle is refused, from 0; absent if the trade or the bundle as a whole is refused. */
  declare readonly leg?: number;

  protected constructor(described: object) {
    const { message, ...fields } = described as FailureFields;
    super(message);
    Object.assign(this, fields);
  }

  /** The error as plain data. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/** Names a class of errors. The name is on the prototype too, as with JavaScript's own errors, and survives minifiers. */
export function nameError(name: string, type: Function): void {
  Object.defineProperty(type, "name", { value: name, configurable: true });
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
}

const CLASSES = {
  PositionError,
  TradeError,
  TradeNotSentError,
  TradeRejectedError,
  TradeFailedError,
  TradeOutcomeUnknownError,
  RefusalError,
};

for (const [name, type] of Object.entries(CLASSES)) nameError(name, type);

Object.defineProperty(TradeError.prototype, BRAND, { value: true });

const byOutcome = {
  not_sent: TradeNotSentError,
  rejected: TradeRejectedError,
  failed: TradeFailedError,
  unknown: TradeOutcomeUnknownError,
};

export const { captureStackTrace } = Error as { captureStackTrace?(error: object, caller: Function): void };

/** Makes the error that the core describes. Its stack begins where `caller`, a function of the package, was called. */
export function errorOf(fields: FailureFields, caller?: Function): Error {
  const type = (fields.outcome ? byOutcome[fields.outcome] : RefusalError) as unknown as new (
    described: FailureFields,
  ) => Error;
  const error = new type(fields);
  if (caller) captureStackTrace?.(error, caller);
  return error;
}

/** The error of everything that was made with an instance of the module that has failed. */
export const moduleFailed = (): Error =>
  errorOf({
    code: "module_failed",
    outcome: "not_sent",
    message: "not sent: the WebAssembly module failed, and what was made with it is lost: make it again",
  });

/** The stack where `caller`, a function of the package, was called: for an error that is made after a wait. */
export function callOf(caller: Function): { readonly stack?: string } {
  const call = {};
  captureStackTrace?.(call, caller);
  return call;
}

/** It is in no stack: what is captured up to it has no place. Node would print the place of an uncaught error, a line of minified code. */
const nowhere = (): void => {};

/** The error with a stack that begins at a call, if the engine supports that. */
export function thrownAt({ stack }: { readonly stack?: string }, error: Error): Error {
  if (!stack) return error;
  const [, ...frames] = stack.split("\n");
  const value = [`${error.name}: ${error.message}`, ...frames].join("\n");
  captureStackTrace?.(error, nowhere);
  return Object.defineProperty(error, "stack", {
    __proto__: null,
    value,
    writable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/**
 * Whether a value is one of these errors, from this or another copy of the package, and from any realm.
 *
 * @example
 * ```js
 * import { isTradeError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   if (!isTradeError(error)) throw error;
 *   if (error.outcome === "unknown") console.log(error.code); // service_error
 * }
 * ```
 */
export function isTradeError(value: unknown): value is AnyTradeError {
  try {
    return typeof value === "object" && (value as Record<symbol, unknown> | null)?.[BRAND] === true;
  } catch {
    return false; // a proxy that throws, or is revoked
  }
}
