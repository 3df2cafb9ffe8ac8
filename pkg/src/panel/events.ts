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
  /** What became of it, and the trade or the error that says so. */
  "desk-outcome": {
    readonly intentId: string;
    readonly fate: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown" | "sending";
    readonly result: unknown;
  };
}
