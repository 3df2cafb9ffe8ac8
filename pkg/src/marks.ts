// What the package's functions and errors say of themselves, whichever copy of the package made them.

/** On the `fetch` of a sandbox, what answers it without the Fetch API's classes. A client needs no base URL with such a `fetch`. */
export const SANDBOX: unique symbol = Symbol.for("launchpad-desk.sandbox");

/** On the `fetch` of a sandbox: a function that says what the request in a body would do there, for the price of a plan. */
export const QUOTE: unique symbol = Symbol.for("launchpad-desk.quote");

/**
 * On an error that a transport rejects with: it is proven that nothing was sent. A client trusts this and calls the trade
 * `not_sent`. Without it, whatever a transport throws leaves the outcome unknown.
 */
export const UNSENT: unique symbol = Symbol.for("launchpad-desk.unsent");
