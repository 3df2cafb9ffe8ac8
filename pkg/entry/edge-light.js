// Edge Light (Vercel's edge runtime) compiles no bytes at run time; `?module` asks its bundlers for a ready-made module.

import { initSync } from "build:glue";
import module from "build:wasm?module";

initSync({ module });

export * from "build:names";
