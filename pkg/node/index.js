export { nodeFetch } from "./fetch.js";
export { fileJournal } from "./journal.js";
