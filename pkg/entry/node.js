// The module inside the JavaScript, deflated: for Node, Bun and Deno, whose own zlib inflates it at once.

import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { base64 } from "build:deflated";
import { initSync } from "build:glue";

initSync({ module: inflateRawSync(Buffer.from(base64, "base64")) });

export * from "build:names";
