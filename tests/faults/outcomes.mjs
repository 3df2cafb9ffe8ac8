// What a row expects of each call, and whether that was seen.

const CLASSES = {
  not_sent: "TradeNotSentError",
  rejected: "TradeRejectedError",
  failed: "TradeFailedError",
  unknown: "TradeOutcomeUnknownError",
};

const error =
  (outcome) =>
  (code, more = {}) => ({
    settled: "error",
    outcome,
    code,
    class: CLASSES[outcome],
    name: CLASSES[outcome],
    retryable: false,
    ...more,
  });

/** No: nothing left the machine. */
export const notSent = error("not_sent");
/** No: the service refused. */
export const rejected = error("rejected");
/** Only the network fee: the transaction ran and failed. */
export const failed = error("failed");
/** It may have. */
export const unknown = error("unknown");

export const landed = (more = {}) => ({ settled: "trade", status: "landed", ...more });
export const unconfirmed = (more = {}) => ({ settled: "trade", status: "unconfirmed", ...more });

/** Any of these values, if it does not matter which. */
export const either = (...values) => ({
  admits: (value) => values.includes(value),
  toString: () => values.map(told).join(" or "),
});

/** Any of these outcomes, where a runtime does now one thing, now the other. */
export const oneOf = (...outcomes) => ({
  admits: (seen) => outcomes.some((outcome) => !differences(outcome, seen).length),
  toString: () => outcomes.map(told).join(" or "),
});

export const between = (least, most) => ({
  admits: (value) => value >= least && value <= most,
  toString: () => `${least} to ${most}`,
});

const told = (value) => (typeof value?.admits === "function" ? String(value) : (JSON.stringify(value) ?? "nothing"));

/**
 * Where `seen` differs from `expected`, field by field: sentences, none if all is well. A field that is expected to be
 * undefined must be absent; fields that are not named may be anything.
 */
export function differences(expected, seen, path = "") {
  if (typeof expected?.admits === "function")
    return expected.admits(seen) ? [] : [`${path} should be ${expected}, and is ${told(seen)}`];
  if (typeof expected === "object" && expected !== null && typeof seen === "object" && seen !== null) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, seen[name], path ? `${path}.${name}` : name),
    );
  }
  return Object.is(expected, seen) ? [] : [`${path || "it"} should be ${told(expected)}, and is ${told(seen)}`];
}
