// The module inside the JavaScript, as text: for Node, browsers and all other hosts that cannot import WebAssembly directly. It is
// instantiated synchronously, so importers need no `await`. scripts/embed.mjs writes the text and says why it is not base64.

import { length, order, symbols, text } from "build:module";
import { startFrom } from "./start.js";

const ALONE = 90;
const PER_FIRST = 83;

/** A function, with bytes for characters: engines run that twice as fast while it is still new to them. */
function decoded() {
  const places = new Uint8Array(128);
  for (let place = 0; place < symbols.length; place++) places[symbols.charCodeAt(place)] = place;
  const [codes, byPlace, bytes] = [new TextEncoder().encode(text), Uint8Array.from(order), new Uint8Array(length)];
  for (let from = 0, to = 0; to < length; to++) {
    const place = places[codes[from++]];
    bytes[to] = byPlace[place < ALONE ? place : ALONE + (place - ALONE) * PER_FIRST + places[codes[from++]]];
  }
  return bytes;
}
startFrom(decoded());

export * from "build:names";
