// Edge Light (Vercel's edge runtime) compiles no bytes at run time; `?module` asks its bundlers for a ready-made module.

import { initSync } from "build:glue";
import module from "./launchpad_desk_bg.wasm?module";

initSync({ module });

export * from "build:names";
