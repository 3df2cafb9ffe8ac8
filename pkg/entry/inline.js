// The module inside the JavaScript: for every host without a way of its own to import WebAssembly.
// It is instantiated here and now, so that an importer awaits nothing.

// First, so that the packed text begins the file: in the middle of it, it spoils gzip's view of both ends.
import { length, packed, streamsLength } from "build:module";
import { initSync } from "build:glue";
import { decodeLzma } from "./lzma.js";
import { joinStreams } from "./streams.js";

const text = atob(packed);
const bytes = new Uint8Array(text.length);
for (let at = bytes.length; at-- > 0; ) bytes[at] = text.charCodeAt(at);
initSync({ module: joinStreams(decodeLzma(bytes, streamsLength), length) });

export * from "build:names";
