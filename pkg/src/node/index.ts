// `launchpad-desk/node`: the transport over node:http, and a journal in a file.

export { nodeFetch } from "./fetch.js";
export type { NodeFetch, NodeFetchInit, NodeFetchOptions } from "./fetch.js";
export { fileJournal } from "./journal.js";
export type { NodeReply } from "./reply.js";
