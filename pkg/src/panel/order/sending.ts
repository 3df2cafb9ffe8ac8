// A press of a send button, until its request goes out.

import type { Since } from "../../since.js";

export interface Sending {
  /** When the button was pressed. */
  readonly press: Since;
  /** Stops it: before its request goes out nothing is sent, after that nobody waits for the answer. Its reason is shown. */
  readonly stop: AbortController;
  /** Whether the order would still bring what was promised, on the current market. */
  isKept(): boolean;
  /** Called once it is an attempt, before its request goes out. */
  begun(): void;
}

/** The order would no longer bring what was promised. Nothing was stored or sent. */
export class Moved extends Error {}
