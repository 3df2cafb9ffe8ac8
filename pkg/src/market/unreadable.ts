// The error of an account that is not read.

import type { AccountKind, AccountRefusalCode } from "../generated.js";

/**
 * An account that is not the expected one, so nothing is read from it.
 *
 * @example
 * ```js
 * import { AccountError, readFeeTiers } from "launchpad-desk/market";
 *
 * try {
 *   readFeeTiers(null); // what a node returns for an account that does not exist
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // fee_config missing
 * }
 * ```
 */
export class AccountError extends Error {
  /** Why it is not read. */
  readonly code: AccountRefusalCode;
  /** What it was to be. */
  readonly account: AccountKind;

  /** Only the package makes these errors. */
  protected constructor({
    message,
    code,
    account,
  }: {
    message: string;
    code: AccountRefusalCode;
    account: AccountKind;
  }) {
    super(message);
    this.code = code;
    this.account = account;
  }

  /** The error as plain data. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

// The name is on the prototype, as with JavaScript's own errors, and survives minifiers.
Object.defineProperty(AccountError, "name", { value: "AccountError", configurable: true });
Object.defineProperty(AccountError.prototype, "name", { value: "AccountError", configurable: true, writable: true });

/** What the core says of an account: what it read, or why it is refused. */
export type ReadOrRefused<T> =
  | { read: T; refused?: undefined }
  | { refused: { message: string; code: AccountRefusalCode; account: AccountKind } };

const { captureStackTrace } = Error as { captureStackTrace?(error: object, caller: Function): void };

/** What was read from an account. Otherwise its error is thrown, whose stack begins where `caller` was called. */
export function readOrThrow<T>(answered: ReadOrRefused<T>, caller: Function): T {
  if (!answered.refused) return answered.read;
  const error = new (AccountError as unknown as new (refused: object) => AccountError)(answered.refused);
  captureStackTrace?.(error, caller);
  throw error;
}
