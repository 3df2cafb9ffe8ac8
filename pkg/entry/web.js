// For those who want the module as a file of its own, streamed and compiled while it arrives.

import initAsync, { initSync as initFromModule } from "build:glue";

export async function init(source = new URL("./launchpad_desk_bg.wasm", import.meta.url)) {
  await initAsync({ module_or_path: source });
}

export function initSync(module) {
  initFromModule({ module });
}

export * from "build:names";
