// The proof that nothing was sent, as an error carries it to a client.

/**
 * On an error that a transport rejects with: it is proven that nothing was sent. A client trusts this and calls the trade
 * `not_sent`. Without it, whatever a transport throws leaves the outcome unknown.
 */
const UNSENT = Symbol.for("launchpad-desk.unsent");

/** Marks the error with the proof. Not enumerable, so that a printed error does not show it. */
export const unsent = (error: unknown): unknown => Object.defineProperty(error as object, UNSENT, { value: true, configurable: true });

/** An error with a code, like the runtime's own. */
export const failure = (code: string, message: string): Error =>
  Object.defineProperty(new Error(message), "code", { value: code, writable: true, enumerable: true, configurable: true });
