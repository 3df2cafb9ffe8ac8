// The proof that nothing was sent, which an error carries to a client.

import { withOwn } from "../runtime.js";
import { UNSENT } from "../symbols.js";

/** Marks the error with the proof. Not enumerable, so that a printed error does not show it. */
export const unsent = (error: unknown): unknown =>
  Object.defineProperty(error as object, UNSENT, {
    __proto__: null,
    value: true,
    configurable: true,
  } as PropertyDescriptor);

/** An error with a code, like the runtime's own. */
export const failure = (code: string, message: string): Error => withOwn(new Error(message), "code", code);
