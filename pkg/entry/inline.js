// The module inside the JavaScript: for every host without a way of its own to import WebAssembly.
// It is instantiated here and now, so that an importer awaits nothing.

import { initSync } from "build:glue";
import { deflated, length } from "build:module";
import { inflate } from "./inflate.js";

const bytes = Uint8Array.from(atob(deflated), (character) => character.charCodeAt(0));
initSync({ module: inflate(bytes, length) });

export * from "build:names";
