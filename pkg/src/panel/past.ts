// Old attempts. Those that are not settled are kept for ever; of the settled ones the newest, and of the others where they have
// brought the positions: what is held has cost the same as before.

import { Position } from "launchpad-desk/launchpad";
import type { PositionState } from "../generated.js";
import { result } from "../journal/promises.js";
import type { Attempt } from "./attempts.js";
import { keyOf, receiptsOf } from "./holdings.js";

/** How many settled attempts are kept: some megabytes, and more than anybody turns the pages of. */
const MOST_SETTLED = 1_000;

/** What is left of attempts that were dropped. */
export interface Past {
  /** How many there were. */
  readonly dropped: number;
  /** Where they have brought the positions, by mint and wallet. */
  readonly positions: ReadonlyMap<string, PositionState>;
}

/** The key of their count; those of positions have a space in them. */
const DROPPED = "dropped";

/**
 * Drops the oldest settled attempts beyond the newest, within a transaction; resolves to whether there were any.
 *
 * @param settled the index of the settled ones, by when they began
 * @param past what is left of the dropped ones
 */
export async function dropOldest(settled: IDBIndex, past: IDBObjectStore): Promise<boolean> {
  const surplus = (await result(settled.count())) - MOST_SETTLED;
  if (surplus <= 0) return false;
  const [oldest, dropped] = await Promise.all([result<Attempt[]>(settled.getAll(null, surplus)), result<number | undefined>(past.get(DROPPED))]);
  for (const attempt of oldest) {
    for (const [wallet, receipt] of receiptsOf(attempt)) {
      const key = keyOf(wallet, attempt.mint);
      const position = new Position(await result<PositionState | undefined>(past.get(key)));
      position.add(receipt);
      past.put(position.state, key);
      position.free();
    }
    settled.objectStore.delete(attempt.intentId);
  }
  past.put((dropped ?? 0) + oldest.length, DROPPED);
  return true;
}
