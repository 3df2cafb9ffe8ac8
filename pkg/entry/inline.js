// The module inside the JavaScript, as base64: for browsers and every other host that cannot import WebAssembly by itself.
// It is instantiated at once, so that an importer awaits nothing.

import { base64 } from "build:module";
import { start } from "./start.js";

const text = atob(base64);
const bytes = new Uint8Array(text.length);
for (let at = bytes.length; at-- > 0; ) bytes[at] = text.charCodeAt(at);
start(new WebAssembly.Module(bytes));

export * from "build:names";
