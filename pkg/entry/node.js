// The module inside the JavaScript, deflated: for Node, Bun and Deno, which inflate it synchronously with their own zlib.

import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { base64 } from "build:deflated";
import { startFrom } from "./start.js";

startFrom(inflateRawSync(Buffer.from(base64, "base64")));

export * from "build:names";
