// The proof that nothing was sent, as an error carries it to a client.

/**
 * On what a transport rejects with: nothing was sent, and that is proven. A client takes its word for it, and calls the
 * trade `not_sent`. Without it, whatever a transport throws leaves the outcome unknown.
 */
const UNSENT = Symbol.for("launchpad-desk.unsent");

/** The error, with the proof on it. Not enumerable: printed, an error shows what it is about. */
export const unsent = (error) => Object.defineProperty(error, UNSENT, { value: true, configurable: true });

/** An error with a code, as the runtime's own have one. */
export const failure = (code, message) => Object.defineProperty(new Error(message), "code", { value: code, writable: true, enumerable: true, configurable: true });
