// The module inside the JavaScript: for every host without a way of its own to import WebAssembly.
// It is instantiated here and now, so that an importer awaits nothing.

import { initSync } from "build:glue";
import { length, lzma } from "build:module";
import { decodeLzma } from "./lzma.js";

const bytes = Uint8Array.from(atob(lzma), (character) => character.charCodeAt(0));
initSync({ module: decodeLzma(bytes, length) });

export * from "build:names";
