// A browser, each side in a page of a profile of its own: browsers let no two profiles share a process, so the engine has
// seen nothing else.

import { launchBrowser } from "../browsers.mjs";
import { openSite } from "./site.mjs";

/** A sample of a page outlasts so many steps of its clock, and as long as any other. */
const STEPS = 40;
const SAMPLE_MS = 5;

/** Sets up a side in a page, which keeps it, and tells of it. */
async function openInPage(path, work, which) {
  const [{ default: works }, { clockGrain, openSide }] = await Promise.all([import(path), import("/scripts/engines/side.js")]);
  const { answer, time } = await openSide(works, work, which);
  globalThis.time = time;
  return { answer, grain: clockGrain(), isolated: crossOriginIsolated };
}

/**
 * @param {"chromium" | "firefox"} name
 * @param {string[]} modules the ones that will be asked for, as paths below the root
 */
export async function openBrowser(name, modules) {
  const site = await openSite(modules);
  let browser;
  const close = async () => {
    await browser?.close();
    await site.close();
  };
  try {
    browser = await launchBrowser(name, {
      // A page that is not in front is measured like one that is.
      extraPrefsFirefox: { "dom.ipc.processPriorityManager.enabled": false },
    });
    return {
      title: (await browser.version()).replace("/", " ").replace(/^./, (letter) => letter.toUpperCase()),
      async start(module, work, which) {
        const profile = await browser.createBrowserContext();
        try {
          const page = await profile.newPage();
          await page.goto(site.url);
          const { answer, grain, isolated } = await page.evaluate(openInPage, site.pathOf(module), work, which);
          if (!isolated) throw new Error(`${name} does not isolate the page, so its clock is too coarse`);
          return {
            answer,
            sampleMs: Math.max(SAMPLE_MS, STEPS * grain),
            time: (calls) => page.evaluate((calls) => globalThis.time(calls), calls),
            end: () => profile.close(),
          };
        } catch (error) {
          await profile.close();
          throw error;
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
