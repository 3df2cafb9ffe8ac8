import { Intents, recordOf } from "./state.js";

/** A journal that lasts as long as its page or process, for tests. See index.d.ts. */
export function memoryJournal() {
  const intents = new Intents();
  return {
    async begin(intent) {
      intents.begin(recordOf(intent));
    },
    async settle({ intentId }, { outcome }) {
      intents.settle(intentId, outcome);
    },
    async pending() {
      return intents.pending();
    },
    async landed(sinceMs) {
      return intents.landed(sinceMs);
    },
    async recall(sinceMs) {
      return intents.recall(sinceMs);
    },
  };
}
