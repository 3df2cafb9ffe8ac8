// The events that a panel sends to its page.

import type { Plan } from "launchpad-desk";

/**
 * The `detail` of each of the panel's events.
 *
 * @example
 * ```ts
 * import type { DeskEvents } from "launchpad-desk/panel";
 *
 * const onOutcome = ({ detail }: CustomEvent<DeskEvents["desk-outcome"]>) => console.log(detail.intentId, detail.fate);
 * ```
 */
export interface DeskEvents {
  /** A plan was made. Its bytes are shown, and are the ones that would be sent. */
  "desk-plan": { readonly plan: Plan };
  /** A trade is about to be sent. It is stored already. */
  "desk-sent": { readonly intentId: string };
  /**
   * The outcome of a trade, and the trade or error itself. A trade that waits for approval (`waiting`) and one of unknown outcome
   * get another event once more is known: then `found` is what was found out without an answer, and `result` is null.
   */
  "desk-outcome": {
    readonly intentId: string;
    readonly fate: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown" | "waiting" | "sending";
    readonly found: "landed" | "did_not_land" | null;
    readonly result: unknown;
  };
}
