// The module as a file of its own, which is compiled while it downloads.

import { refuse, start } from "./start.js";

refuse("launchpad-desk/web is not ready: call init() first, and wait for it");

let started = false;
/** The call of {@link init} that is in flight. */
let starting;

function startOnce(module) {
  if (!started) start(module);
  started = true;
}

/** The class of a value, from any realm. */
const kindOf = (value) => Object.prototype.toString.call(value).slice("[object ".length, -1);

const compileNow = (source) => (kindOf(source) === "WebAssembly.Module" ? source : new WebAssembly.Module(source));

async function compile(source) {
  let found = await source;
  if (["String", "URL", "Request"].includes(kindOf(found))) found = await fetch(found);
  if (kindOf(found) === "WebAssembly.Module") return found;
  if (kindOf(found) !== "Response") return WebAssembly.compile(found);
  if (!found.ok) throw new Error(`the WebAssembly module was answered with status ${found.status}`);
  // Streaming compilation refuses any other content type.
  const streams = found.headers.get("content-type")?.toLowerCase() === "application/wasm";
  return streams ? WebAssembly.compileStreaming(found) : WebAssembly.compile(await found.arrayBuffer());
}

export async function init(source = new URL("./launchpad_desk_bg.wasm", import.meta.url)) {
  if (started) return;
  starting ??= compile(source)
    .then(startOnce)
    .finally(() => (starting = undefined));
  await starting;
}

export function initSync(module) {
  if (!started) startOnce(compileNow(module));
}

export * from "build:names";
