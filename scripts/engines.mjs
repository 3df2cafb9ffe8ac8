// What a bench runs on. An engine is `{ title, start(module, work, which), close() }`; `start` resolves to one side of a
// work of a bench module, `{ answer, sampleMs, time(calls), end() }`, in a process that has seen nothing else. `time`
// resolves to the milliseconds that so many calls took, `sampleMs` is the least worth reading off the engine's clock.

import { ensureBrowsers } from "./browsers.mjs";
import { openBrowser } from "./engines/browser.mjs";
import { BROWSERS } from "./engines/names.mjs";
import { openNode } from "./engines/node.mjs";

const OPEN = {
  node20: () => openNode(20),
  node24: () => openNode(24),
  chromium: (modules) => openBrowser("chromium", modules),
  firefox: (modules) => openBrowser("firefox", modules),
};

/** Makes sure that the browsers among these engines are there. */
export async function ensureEngines(names) {
  if (names.some((name) => BROWSERS.includes(name))) await ensureBrowsers();
}

/** Opens the engine of this name for these modules, paths below the root; who opens it closes it. */
export const openEngine = (name, modules) => OPEN[name](modules);
