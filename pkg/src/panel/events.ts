// What a page hears of a panel.

import type { Plan } from "launchpad-desk";

/**
 * What the panel's events have in their `detail`.
 *
 * @example
 * ```ts
 * import type { DeskEvents } from "launchpad-desk/panel";
 *
 * const onOutcome = ({ detail }: CustomEvent<DeskEvents["desk-outcome"]>) => console.log(detail.intentId, detail.fate);
 * ```
 */
export interface DeskEvents {
  /** A plan was made: its bytes are those that are shown, and that would go out. */
  "desk-plan": { readonly plan: Plan };
  /** A trade goes out now. It is kept already. */
  "desk-sent": { readonly intentId: string };
  /**
   * What became of it, and the trade or the error that says so. A trade that waits for approval (`waiting`) and one of unknown outcome
   * are told of again once more is known: `found` is what was found out without an answer, and `result` is null then.
   */
  "desk-outcome": {
    readonly intentId: string;
    readonly fate: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown" | "waiting" | "sending";
    readonly found: "landed" | "did_not_land" | null;
    readonly result: unknown;
  };
}
