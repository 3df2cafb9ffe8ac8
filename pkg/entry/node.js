// The same for Node and those who follow it (Bun, Deno), whose own decoder is there at once and at native speed.

import { brotliDecompressSync } from "node:zlib";
import { initSync } from "build:glue";
import { brotli } from "build:module";

initSync({ module: brotliDecompressSync(Buffer.from(brotli, "base64")) });

export * from "build:names";
