// Dropping old attempts. All unsettled ones are kept, and the newest settled ones. Of the others only the positions they led to
// are kept, so the cost of what is held stays the same.

import type { PositionState } from "../../generated.js";
import { result } from "../../browser/promises.js";
import { type Attempt, MOST_SETTLED } from "./attempt.js";
import { isUncounted, receiptsOf } from "./receipts.js";
import type { Maths } from "../worlds/world.js";

export interface Past {
  readonly dropped: number;
  /** The positions they led to, by mint and wallet. */
  readonly positions: ReadonlyMap<string, PositionState>;
  /** Those of which a trade could not be counted. */
  readonly uncounted: ReadonlySet<string>;
}

export const keyOf = (wallet: string, mint: string): string => `${mint} ${wallet}`;

/** The key of one that could not be counted. */
const UNCOUNTED = "uncounted ";
export const uncountedIn = (keys: readonly string[]): ReadonlySet<string> =>
  new Set(keys.filter((key) => key.startsWith(UNCOUNTED)).map((key) => key.slice(UNCOUNTED.length)));

/** The key of the count. It has no space in it, as those of the positions have. */
const DROPPED = "dropped";

/** Drops the oldest settled attempts if there are too many, within a transaction; resolves to whether any were dropped. */
export async function dropOldest(maths: Maths, settled: IDBIndex, past: IDBObjectStore): Promise<boolean> {
  const surplus = (await result(settled.count())) - MOST_SETTLED;
  if (surplus <= 0) return false;
  const [oldest, dropped] = await Promise.all([
    result<Attempt[]>(settled.getAll(null, surplus)),
    result<number | undefined>(past.get(DROPPED)),
  ]);
  for (const attempt of oldest) {
    const receipts = receiptsOf(maths, attempt);
    if (isUncounted(attempt, receipts))
      for (const wallet of attempt.wallets) past.put(true, UNCOUNTED + keyOf(wallet, attempt.mint));
    for (const [wallet, receipt] of receipts) {
      const key = keyOf(wallet, attempt.mint);
      const position = new maths.Position(await result<PositionState | undefined>(past.get(key)));
      position.add(receipt);
      past.put(position.state, key);
      position.free();
    }
    settled.objectStore.delete(attempt.intentId);
  }
  past.put((dropped ?? 0) + oldest.length, DROPPED);
  return true;
}
