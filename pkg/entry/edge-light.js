// Edge Light (Vercel's edge runtime) compiles no bytes at run time; `?module` asks its bundlers for a ready-made module.

import module from "build:wasm?module";
import { start } from "./start.js";

start(module);

export * from "build:names";
