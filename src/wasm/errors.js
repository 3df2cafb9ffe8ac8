// The error classes. A class that extends Error must be written in JS; its content comes from Rust.

const brand = Symbol.for("launchpad-desk.TradeError");

/** Not enumerable, so that a logger that walks an error does not print replies. */
const HIDDEN = ["evidence", "trade"];

export class TradeError extends Error {
  /** @param {object} fields What Rust knows of the failure; absent fields stay absent. */
  constructor({ message, ...fields }) {
    super(message);
    for (const [name, value] of Object.entries(fields)) {
      // Defined, not set: a prototype's field of that name may be read-only.
      const open = !HIDDEN.includes(name);
      Object.defineProperty(this, name, { value, enumerable: open, writable: open, configurable: open });
    }
  }

  get [brand]() {
    return true;
  }

  get retryable() {
    return false;
  }

  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }
}

export class TradeNotSentError extends TradeError {}
export class TradeRejectedError extends TradeError {}
export class TradeFailedError extends TradeError {}
export class TradeOutcomeUnknownError extends TradeError {}

// The name is on the prototype, as for the errors of the language, and survives minifiers.
for (const [name, type] of Object.entries({
  TradeError,
  TradeNotSentError,
  TradeRejectedError,
  TradeFailedError,
  TradeOutcomeUnknownError,
})) {
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
}

const byOutcome = {
  not_sent: TradeNotSentError,
  rejected: TradeRejectedError,
  failed: TradeFailedError,
  unknown: TradeOutcomeUnknownError,
};

export function tradeError(fields) {
  return new byOutcome[fields.outcome](fields);
}

/** Whether a value is one of these errors, of this copy of the package or of another, in this realm or not. */
export function isTradeError(value) {
  try {
    return typeof value === "object" && value?.[brand] === true;
  } catch {
    return false; // a proxy that throws, or is revoked
  }
}

const isOf = (outcome) => (value) => {
  try {
    return isTradeError(value) && value.outcome === outcome;
  } catch {
    return false;
  }
};

/** The same for each class. */
export const isTradeNotSentError = isOf("not_sent");
export const isTradeRejectedError = isOf("rejected");
export const isTradeFailedError = isOf("failed");
export const isTradeOutcomeUnknownError = isOf("unknown");
