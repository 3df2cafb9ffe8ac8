// workerd (Cloudflare Workers) and Edge Light (Vercel's edge runtime) compile no bytes at run time: they import the module ready-made.
// With `?module` the bundlers of both take it so.

import module from "build:wasm?module";
import { start } from "./start.js";

start(module);

export * from "build:names";
