// `launchpad-desk/browser`: journals for browsers and for tests, and a sandbox's state in a browser. `launchpad-desk/node` has the
// same in files.

export { indexedDBJournal } from "./indexed-db.js";
export type { ClosableJournal, DeskJournal } from "./journal.js";
export { memoryJournal } from "./memory.js";
export { type StateInIndexedDB, keepStateInIndexedDB } from "./sandbox-state.js";
