// What to do about a trade of unknown outcome: one sentence for each situation.

/** It may have been made. `what` finds out how it ended. */
export const settleBy = (what: string): string => `Never send it again: ${what} finds out how it ended.`;

/** The command that does. */
export const SETTLE = "`launchpad-desk settle`";

/** A gateway waits for a person, and may send it later. */
export const APPROVAL = `A person decides at the gateway. ${settleBy(SETTLE)}`;

/** Nothing proves how it ended. */
export const LOOK =
  "Look at the balances, and record what you found: `launchpad-desk settle INTENT landed`, or `did_not_land`.";

/** Nothing has proven it yet. */
export const UNPROVEN = `Never send it again: ${SETTLE} may prove later how it ended. ${LOOK}`;
