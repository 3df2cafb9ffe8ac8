// Symbols by which one copy of the package recognises the functions and errors of another.

/** On the `fetch` of a sandbox: the function that answers without the Fetch API's classes. With such a `fetch`, a client needs no base URL. */
export const SANDBOX: unique symbol = Symbol.for("launchpad-desk.sandbox");

/**
 * On the `fetch` of a sandbox: that function itself, and the same for a client, whose calls need neither a `Request` nor a `Response`:
 * Node takes as long to load these two as to run the whole package. A function that wraps it may have copied its marks, but not itself.
 */
export const PLAIN: unique symbol = Symbol.for("launchpad-desk.plain-fetch");

/** On the `fetch` of a sandbox: the function that says how much of a request's body its answer needs. */
export const BODY_LIMIT: unique symbol = Symbol.for("launchpad-desk.body-limit");

/** On a sandbox: its state in pieces, for a store. */
export const PIECES: unique symbol = Symbol.for("launchpad-desk.pieces");

/** On the `fetch` of a sandbox: a function that quotes what the request in a body would do, for the price of a plan. */
export const QUOTE: unique symbol = Symbol.for("launchpad-desk.quote");

/** On a client: takes how many decimals a token has, which exits have seen at a look, so that no order waits to ask for them. */
export const LEARNS: unique symbol = Symbol.for("launchpad-desk.decimals");

/** On the class of clients: sets what those without a `fetch` send by. The entry for Node calls it, in a file of its own. */
export const TRANSPORT: unique symbol = Symbol.for("launchpad-desk.transport");

/** What may have {@link LEARNS}. */
export interface Learning {
  [LEARNS]?(mint: string, decimals: number): void;
}

/** How a sandbox is followed: its launchpad's rules as JSON text, its clock, its rows, and what each call changes from then on. */
export interface Followed {
  launchpad(): string;
  now(): number;
  rows(): Iterable<string[]>;
  /** Calls `write` with the rows of each call once they are taken; returns what ends that. */
  follow(write: (rows: readonly string[], nowMs: number) => void): () => void;
}

/** On the `fetch` of a sandbox: how a chain follows it. */
export const FOLLOW: unique symbol = Symbol.for("launchpad-desk.follow");

/**
 * In what a client calls `fetch` with: a function that says whether the trade may still be sent. Trading may be stopped while a connection opens,
 * so a transport that knows when it writes asks this right before.
 */
export const MAY_SEND: unique symbol = Symbol.for("launchpad-desk.may-send");

/**
 * On an error that a transport rejects with: proof that nothing was sent. A client trusts it and reports the trade as `not_sent`.
 * Without it, the outcome is unknown, whatever the transport throws.
 */
export const UNSENT: unique symbol = Symbol.for("launchpad-desk.unsent");

/** On what a journal of this package throws: what a client may say of its failure. */
export const SAYS: unique symbol = Symbol.for("launchpad-desk.says");
