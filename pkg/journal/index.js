export { indexedDBJournal } from "./indexed-db.js";
export { memoryJournal } from "./memory.js";
