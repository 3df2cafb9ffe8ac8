// The browsers that the tests drive, and the driver of Chromium: finding them, installing them on Debian, starting them.

import { findProgram } from "./program.mjs";
import { ensureDebian } from "./setup.mjs";

/** How long a browser or a page may take for anything: a busy machine starts one in half a minute. Only a failure waits so long. */
const PATIENCE_MS = 600_000;

/**
 * The names that each may have on PATH, after that of Debian's package. Chromium without its windows opens a page with half the work:
 * the whole one, headless, draws its tabs and its menus for each.
 */
const NAMES = {
  chromium: ["chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser"],
  firefox: ["firefox-esr", "firefox"],
  chromedriver: ["chromium-driver", "chromedriver"],
};
const BROWSERS = ["chromium", "firefox"];

/** Makes sure that the browsers are there, or those of {@link NAMES} that are asked for: installs them if allowed, otherwise says how. */
export async function ensureBrowsers(names = BROWSERS) {
  const missing = () => names.filter((name) => !findProgram(NAMES[name]));
  const packages = missing().map((name) => NAMES[name][0]);
  if (packages.length) await ensureDebian(packages);
  if (missing().length)
    throw new Error(`not on PATH: ${missing().join(", ")}; on Debian: sudo apt-get install ${packages.join(" ")}`);
}

/** Starts "chromium" or "firefox", headless, with further options of puppeteer, and resolves to its `Browser`. */
export async function launchBrowser(name, options = {}) {
  const { default: puppeteer } = await import("puppeteer-core");
  return puppeteer.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath: findProgram(NAMES[name]),
    headless: true,
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
    // Chromium's sandbox refuses to run as root, the usual user in a container.
    args: name === "chromium" && process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    ...options,
  });
}

/** Opens a page of a browser, or of a context of one. */
export async function openPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
