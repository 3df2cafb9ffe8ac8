// `launchpad-desk/journal`: journals for browsers and for tests. `launchpad-desk/node` has one in a file.

export { indexedDBJournal } from "./indexed-db.js";
export type { ClosableJournal, DeskJournal } from "./journal.js";
export { memoryJournal } from "./memory.js";
