// The main module's entry for Node: there, a client that is given no `fetch` sends by the package's own transport.

import { nodeFetch } from "../src/node/fetch.js";
import { isNode } from "../src/node/runtime.js";
import { sendBy } from "../src/runtime.js";

// Bun and Deno load this, too. Their own fetch sends once, and over their node:http nothing can be proven.
if (isNode) sendBy(nodeFetch());

export * from "./node.js";
