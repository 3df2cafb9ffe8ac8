// The main entry for Node: a client without a `fetch` sends through the package's own transport.

import { nodeFetch } from "../src/node/fetch.js";
import { isNode } from "../src/node/runtime.js";
import { sendBy } from "../src/runtime.js";

// Bun and Deno load this, too. Their own fetch sends once, and their node:http cannot prove anything.
if (isNode) sendBy(nodeFetch());

export * from "./node.js";
