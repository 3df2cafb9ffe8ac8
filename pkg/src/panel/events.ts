// The events that a panel sends to its page.

import type { Plan } from "launchpad-desk";

/**
 * The `detail` of each of the panel's events.
 *
 * @example
 * ```ts
 * import type { DeskEvents } from "launchpad-desk/panel";
 *
 * const onOutcome = ({ detail }: CustomEvent<DeskEvents["desk-outcome"]>) => console.log(detail.intentId, detail.status);
 * ```
 */
export interface DeskEvents {
  /** A plan was made. Its bytes are shown, and are the ones that would be sent. */
  "desk-plan": { readonly plan: Plan };
  /** A trade is about to be sent. It is stored already. */
  "desk-sent": { readonly intentId: string };
  /**
   * The outcome of a trade, and the trade or error itself. A trade that waits for approval (`awaiting_approval`) and one of unknown outcome
   * get another event once more is known, and so does one of which the chain shows that its answer was not true: then `found` is what was
   * found out, and `result` is null.
   */
  "desk-outcome": {
    readonly intentId: string;
    readonly status:
      | "landed"
      | "unconfirmed"
      | "failed"
      | "rejected"
      | "not_sent"
      | "unknown"
      | "awaiting_approval"
      | "in_flight";
    readonly found: "landed" | "did_not_land" | null;
    readonly result: unknown;
  };
  /**
   * Exits protect a position no longer: its curve is complete, so no rule sells any more (`completed`), or the wallet does not hold all of it any
   * more (`gone`). It is told once.
   */
  "desk-unprotected": {
    readonly mint: string;
    readonly wallet: string;
    readonly what: "completed" | "gone";
    /** Why, as a sentence. */
    readonly reason: string;
  };
}

/** The panel's events by name. They bubble, so `addEventListener` of every element knows them. */
export type DeskEventMap = { [E in keyof DeskEvents]: CustomEvent<DeskEvents[E]> };

/** What handles the events, with a prefix before each name: `on` in React and Svelte, `on:` in Solid. See {@link DeskEvents}. */
export type DeskHandlers<Prefix extends string> = {
  readonly [E in keyof DeskEventMap as `${Prefix}${E}`]?: (event: DeskEventMap[E]) => void;
};
