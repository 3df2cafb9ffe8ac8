// The browsers the tests drive: finding them, installing them on Debian, starting them.

import { findProgram, run } from "./program.mjs";

/** What the tests need, by what name it may stand on PATH, and Debian's package of it. */
const PROGRAMS = {
  chromium: { names: ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser"], debian: "chromium" },
  firefox: { names: ["firefox", "firefox-esr"], debian: "firefox-esr" },
};

/** The path of a browser, or undefined. */
const findBrowser = (program) => findProgram(PROGRAMS[program].names);

const missingPrograms = () => Object.keys(PROGRAMS).filter((program) => !findBrowser(program));

/** Makes sure that the browsers are there: installs them where we may, else says how. */
export async function ensureBrowsers() {
  const missing = missingPrograms();
  if (!missing.length) return;
  const packages = missing.map((program) => PROGRAMS[program].debian);
  const absent = () => new Error(`not on PATH: ${missingPrograms().join(", ")}; on Debian: sudo apt-get install ${packages.join(" ")}`);
  if (process.getuid?.() !== 0 || !findProgram(["apt-get"])) throw absent();
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "--quiet"], { env });
  await run("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", ...packages], { env });
  if (missingPrograms().length) throw absent();
}

/**
 * Starts a headless browser and resolves to puppeteer's `Browser`.
 *
 * @param {"chromium" | "firefox"} name
 * @param {object} [options] further ones of puppeteer
 */
export async function launchBrowser(name, options = {}) {
  const { default: puppeteer } = await import("puppeteer-core");
  return puppeteer.launch({
    browser: name === "firefox" ? "firefox" : "chrome",
    executablePath: findBrowser(name),
    headless: true,
    // Chromium's sandbox refuses to work for root, which is what a container's user is.
    args: name === "chromium" && process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    ...options,
  });
}
