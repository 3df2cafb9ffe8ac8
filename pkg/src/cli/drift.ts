// What a landed trade did, against the price of its plan. A profile with a node says so after each send and each `settle`.

import type { Plan } from "launchpad-desk";
import { type Drift, SHOWN_WITHIN_MS } from "../generated.js";
import type { Desk } from "./desk.js";

/** A landed trade against its quote, and the line that says so. */
export interface Compared {
  /** Null if the node did not say. */
  drift: Drift | null;
  line: string;
}

function lineOf({ causes, explained }: Drift): string {
  if (!explained)
    return `Against its quote: NOT EXPLAINED by any known rule (${causes.join(", ")}). Look before you trade on.`;
  return causes.length
    ? `Against its quote: not as quoted, because of ${causes.join(", ")}.`
    : "Against its quote: as quoted.";
}

/** Compares a landed trade with the price of its plan; undefined where there is nothing to compare: no node, no price, no signature. */
export async function compared(
  { client, market }: Desk,
  plan: Plan | undefined,
  signature: string | null,
  signal?: AbortSignal,
): Promise<Compared | undefined> {
  if (!market || !plan?.price || plan.price.refused || !signature) return undefined;
  try {
    // It may not be as final yet as the market asks.
    const drift = await client.drift(plan, signature, { withinMs: SHOWN_WITHIN_MS, ...(signal && { signal }) });
    return { drift, line: lineOf(drift) };
  } catch (error) {
    return { drift: null, line: `Against its quote: not known (${(error as Error).message}).` };
  }
}
