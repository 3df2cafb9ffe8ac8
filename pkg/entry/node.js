// The main entry for Node, Bun and Deno: the one-file import, whose clients send through the package's own transport if they get no `fetch`.

import { TradeClient } from "build:index";
import { TRANSPORT } from "../src/symbols.js";
import { nodeFetch } from "../src/node/fetch.js";
import { isNode } from "../src/node/runtime.js";

// Bun's and Deno's own fetch sends once, and their node:http cannot prove anything.
if (isNode) TradeClient[TRANSPORT](nodeFetch());

export * from "build:index";
