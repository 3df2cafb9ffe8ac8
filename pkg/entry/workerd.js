// workerd (Cloudflare Workers) compiles no bytes at run time; it imports the module ready-made.

import { initSync } from "build:glue";
import module from "build:wasm";

initSync({ module });

export * from "build:names";
