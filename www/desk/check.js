// Checks a request and quotes it.

import { isTradeError, validate } from "launchpad-desk";

/** The result of a keystroke: `{ problems, warnings, quote }`, with a quote only if nothing is wrong. */
export function check(sandbox, operation, request) {
  const { errors, warnings } = validate(operation, request);
  if (errors.length) return { problems: errors, warnings };
  try {
    return { problems: [], warnings, quote: sandbox.quote(operation, request) };
  } catch (error) {
    // Well formed, but not possible here: an amount finer than a base unit, for example.
    if (isTradeError(error) && error.fields) return { problems: error.fields, warnings };
    throw error;
  }
}
