// The browsers of the tests of a process: one of each, since starting one costs as much as two tests.

import { after } from "node:test";
import { launchBrowser } from "../scripts/browsers.mjs";

const running = new Map();
after(() => Promise.all([...running.values()].map((browser) => browser.close())));

/** A fresh profile in the browser of this name, which is started if it does not run. It ends with the browser, or with the test `t`. */
export async function openProfile(name, t) {
  if (!running.get(name)?.connected) running.set(name, await launchBrowser(name));
  const profile = await running.get(name).createBrowserContext();
  t?.after(() => profile.close());
  return profile;
}
