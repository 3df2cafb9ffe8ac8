// What is wrong with a request, and what it would do.

import { isTradeError, validate } from "launchpad-desk";

/** What a keystroke leads to: `{ problems, warnings, quote }`, the quote only where nothing is wrong. */
export function check(sandbox, operation, request) {
  const { errors, warnings } = validate(operation, request);
  if (errors.length) return { problems: errors, warnings };
  try {
    return { problems: [], warnings, quote: sandbox.quote(operation, request) };
  } catch (error) {
    // Well formed, yet not of this launchpad: a token too finely cut, for one.
    if (isTradeError(error) && error.fields) return { problems: error.fields, warnings };
    throw error;
  }
}
