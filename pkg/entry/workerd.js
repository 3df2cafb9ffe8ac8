// workerd (Cloudflare Workers) compiles no bytes at run time; it imports the module ready-made.

import module from "build:wasm";
import { start } from "./start.js";

start(module);

export * from "build:names";
