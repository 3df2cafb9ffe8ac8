// Checks that need no client: requests for a panel's form, bodies and replies for a worker at the edge.

import * as core from "build:trade";
import { callArgs, passBody, result } from "../crossing.js";
import { PATHS } from "../generated.js";
import type { BuiltCall, CheckResult, Operation, RequestOf, Trade, Warning } from "../generated.js";
import type { Reconciled } from "./reconciled.js";
import type { CheckOptions, TradeIntent, WalletBalances } from "./options.js";
import { read, textOf } from "../runtime.js";

/** What the wallets of an unresolved trade hold now, read at the commitment `finalized`, and what they held before it was sent. */
export type Observed = {
  /** What the wallets hold now: those that trade, and the fee payer. A wallet, or an amount of it, that is missing here or in
   * `before` was not read. */
  now: WalletBalances[];
  /** What they held before the trade was sent. Default: the intent's own `before`. */
  before?: WalletBalances[];
  /** Fraction digits of a whole token. Default 6. */
  tokenDecimals?: number;
  /** Whether the transaction could still land when the balances were read again: false from about 90 seconds after the
   * service built it. Default true: then unchanged balances prove nothing. */
  canStillLand?: boolean;
  /** Whether the wallets or the fee payer may have signed anything else between the two readings. Default true: then nothing is
   * proven. */
  walletsShared?: boolean;
};

/** A trade as it was sent: a result of `readCall` or `build`, or an intent. */
export type SentCall = {
  operation: Operation;
  /** The exact body. */
  body: string;
};

/** The longest body that is copied into the core, in characters or bytes. The core refuses a longer one by its length. */
const MOST = 1 << 24;

const textOrNone = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Checks a request, as a form does at each keystroke. Every bad field is reported with its path, a code and a sentence. A bad
 * request does not throw.
 *
 * @throws {TradeNotSentError} for an unknown operation, or options that cannot be used.
 *
 * @example
 * ```js
 * import { validate } from "launchpad-desk";
 *
 * const { errors } = validate("buy", { mint: "M", fromWallet: "W", amountInLamports: 0.5 });
 * console.log(errors[0].message); // amountInLamports must be a whole number
 * ```
 */
export function validate(operation: Operation, request: unknown, options?: CheckOptions): CheckResult {
  return result(core.validate(callArgs({ operation, request, options })), validate);
}

/**
 * Whether a request may be sent: whether `validate` finds no errors.
 *
 * @throws {TradeNotSentError} for an unknown operation, or options that cannot be used.
 *
 * @example
 * ```js
 * import { isValid } from "launchpad-desk";
 *
 * const requests = [{ mint: "M", fromWallet: "W", amountInLamports: 1_000_000_000 }, { mint: "M" }];
 * const sendable = requests.filter((request) => isValid("buy", request)); // the first one
 * ```
 */
export function isValid<O extends Operation>(
  operation: O,
  request: unknown,
  options?: CheckOptions,
): request is RequestOf[O] {
  return result(core.isValid(callArgs({ operation, request, options })), isValid);
}

/**
 * The operation that is served at a path such as `/v1/trade/buy`; `undefined` for other paths.
 *
 * @example
 * ```js
 * import { operationAt } from "launchpad-desk";
 *
 * operationAt("/v1/trade/bundle/buy"); // "bundleBuy"
 * ```
 */
export function operationAt(path: string): Operation | undefined {
  return typeof path === "string" ? (core.operationAt(path) as Operation | undefined) : undefined;
}

/**
 * Reads the JSON body of a request without loss, checks it, and writes it again with exactly the interface's fields. A gateway
 * forwards the result.
 *
 * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { readCall } from "launchpad-desk";
 *
 * const { path, body } = readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":"1000000000"}');
 * console.log(path); // /v1/trade/buy
 * ```
 */
export function readCall(operation: Operation, body: string, options?: CheckOptions): BuiltCall {
  const text = textOrNone(body);
  const copied = text !== undefined && text.length <= MOST ? text : "";
  return builtCall(
    operation,
    null,
    result(core.readCall(text?.length, callArgs({ operation, options }), passBody(copied)), readCall),
  );
}

/** A request as the core has written it. */
export type Written = [body: string, warnings: Warning[]];

/** The whole call, with its URL if the client has a base URL. */
export const builtCall = (operation: Operation, baseURL: string | null, [body, warnings]: Written): BuiltCall => {
  const path = PATHS[operation];
  return { operation, method: "POST", url: baseURL === null ? null : baseURL + path, path, body, warnings };
};

/**
 * Reads a service's reply, with its body as text or bytes. Returns the trade if it landed, or if the reply does not say whether it
 * did. Pass the call that was sent, not only its operation, to check also that the reply is about the same mint and wallet.
 *
 * @throws {TradeRejectedError} {TradeFailedError} {TradeOutcomeUnknownError} as a client does.
 *
 * @example
 * ```js
 * import { readCall, readReply } from "launchpad-desk";
 *
 * const call = readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":1000000000}');
 * const reply = '{"result":{"mint":"M","wallet":"W","buyAmount":"34.5","transactionResult":{"success":true}}}';
 * const trade = readReply(call, 200, reply);
 * console.log(trade.status, trade.operation); // landed buy
 * ```
 */
export function readReply(
  sent: SentCall | Operation,
  status: number,
  body: string | Uint8Array,
  options?: CheckOptions,
): Trade {
  const isCall = typeof sent === "object" && sent !== null;
  const request = isCall ? textOf(read(sent, "body")) : undefined;
  const number = typeof status === "number" ? status : NaN;
  const content = typeof body === "string" ? body : bytesOf(body);
  const { length } = content;
  const operation = isCall ? read(sent, "operation") : sent;
  const call = callArgs({ operation, options, sent: request }, undefined, MOST);
  return result(core.readReply(number, length, call, passBody(length <= MOST ? content : "")), readReply);
}

const NOTHING = new Uint8Array();

/** Bytes from any realm; empty for anything else. */
function bytesOf(body: unknown): Uint8Array {
  try {
    // A subclass or a proxy may lie about what it holds.
    return ArrayBuffer.isView(body) && Object.prototype.toString.call(body) === "[object Uint8Array]"
      ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
      : NOTHING;
  } catch {
    return NOTHING; // transferred, or out of bounds
  }
}

/**
 * Removes a key from a text, however the key is spelled: plain, escaped as in JSON, percent-encoded, as HTML entities, and
 * any mix of these up to three levels deep. A key of 8 characters or more is also found in hexadecimal, and in base64 or base64url
 * wherever it stands in what was encoded, as in `Basic base64(user:key)`; not if white space or other signs divide them. A gateway
 * does this to a reply before anything else reads it. Without a key, or if the text does not contain it, the text is returned
 * unchanged.
 *
 * @throws {TradeNotSentError} `invalid_request`, if the text or the key is not text.
 *
 * @example
 * ```js
 * import { redact } from "launchpad-desk";
 *
 * redact('{"message":"bad key \\u0073ecre%74"}', "secret"); // {"message":"bad key [redacted]"}
 * ```
 */
export function redact(text: string, key: string | null | undefined): string {
  // The core cannot hold half of a surrogate pair, so an unchanged text is returned as it came.
  return result<string | null>(core.redact(textOrNone(text), textOrNone(key ?? "")), redact) ?? text;
}

/**
 * What balances prove about a trade whose outcome is unknown, for `acknowledge`. The intent comes from `pending()` or from a
 * journal. That it did not land is proven only by the tokens and the lamports of every wallet that trades, and the lamports of the
 * fee payer; a trade that might have changed nothing (a percentage that rounds to zero base units) is never disproven.
 *
 * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { readCall, reconcile } from "launchpad-desk";
 *
 * const call = readCall("sell", '{"mint":"M","fromWallet":"W","amountInToken":5}');
 * const { certainty, found } = reconcile(call, {
 *   before: [{ wallet: "W", tokens: 20_000_000n }], // base units
 *   now: [{ wallet: "W", tokens: 15_000_000n }],
 *   walletsShared: false,
 * });
 * console.log(certainty, found); // proven landed
 * ```
 */
export function reconcile(intent: Pick<TradeIntent, "operation" | "body" | "before">, observed: Observed): Reconciled {
  const body = textOf(read(intent, "body"));
  return result(
    core.reconcile(body, callArgs({ operation: read(intent, "operation"), before: read(intent, "before"), observed })),
    reconcile,
  );
}
