import type { DeskJournal } from "./journal.js";
import { Intents, recordOf, suspensionOf } from "./state.js";

/**
 * A journal that lasts as long as its page or process.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { memoryJournal } from "launchpad-desk/browser";
 *
 * const client = new TradeClient({ baseURL: "https://service.example", journal: memoryJournal() });
 * ```
 */
export function memoryJournal(): DeskJournal {
  const intents = new Intents();
  return {
    async begin(intent) {
      intents.begin(recordOf(intent));
    },
    async settle({ intentId }, ending, suspension = {}) {
      intents.settle(intentId, ending, suspensionOf(suspension));
    },
    async keepSuspension(change) {
      intents.keepSuspension(suspensionOf(change));
    },
    async pending() {
      return intents.pending();
    },
    async landed(sinceMs) {
      return intents.landed(sinceMs).map(recordOf);
    },
    async recall(sinceMs) {
      return intents.recall(sinceMs);
    },
  };
}
