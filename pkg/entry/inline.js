// The module inside the JavaScript, as text: for browsers and all other hosts that cannot import WebAssembly directly. It is
// instantiated synchronously, so importers need no `await`. scripts/embed.mjs writes the text and says why it is not base64.

import { length, order, symbols, text } from "build:module";
import { startFrom } from "./start.js";

const ALONE = 90;
const PER_FIRST = 83;

const places = new Uint8Array(128);
for (let place = 0; place < symbols.length; place++) places[symbols.charCodeAt(place)] = place;
const bytes = new Uint8Array(length);
for (let from = 0, to = 0; to < length; to++) {
  const place = places[text.charCodeAt(from++)];
  bytes[to] = order[place < ALONE ? place : ALONE + (place - ALONE) * PER_FIRST + places[text.charCodeAt(from++)]];
}
startFrom(bytes);

export * from "build:names";
