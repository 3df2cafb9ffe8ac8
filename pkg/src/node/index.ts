// `launchpad-desk/node`: the transport over node:http, a journal and a record in files, a sandbox behind a port, and its state in a file.

export { nodeFetch } from "./fetch.js";
export type { NodeFetch, NodeFetchOptions } from "./fetch.js";
export { fileJournal } from "./journal.js";
export { fileRecord } from "./record.js";
export type { FileRecord } from "./record.js";
export { serve } from "./serve.js";
export type { ServeOptions, Served } from "./serve.js";
export { keepState } from "./state.js";
export type { KeptState } from "./state.js";
