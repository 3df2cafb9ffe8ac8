// The module inside the JavaScript, as base64: for browsers and all other hosts that cannot import WebAssembly directly. It is
// instantiated synchronously, so importers need no `await`.

import { base64 } from "build:module";
import { start } from "./start.js";

const text = atob(base64);
const bytes = new Uint8Array(text.length);
for (let at = bytes.length; at-- > 0; ) bytes[at] = text.charCodeAt(at);
start(new WebAssembly.Module(bytes));

export * from "build:names";
