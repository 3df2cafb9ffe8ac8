// Installing the browsers, with an apt-get that only prints what it was asked for.

import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { capture, root } from "../../scripts/program.mjs";

const browsers = pathToFileURL(join(root, "scripts/browsers.mjs")).href;

/** Runs `ensureBrowsers(names)` as a user on a machine whose PATH is a new folder with these programs. */
async function ensureOn(programs, { user, names = "" }) {
  const folder = await mkdtemp(join(tmpdir(), "machine-"));
  const log = join(folder, "log");
  try {
    for (const [name, source] of Object.entries(programs)) {
      await writeFile(join(folder, name), `#!/bin/sh\n${source}`);
      await chmod(join(folder, name), 0o755);
    }
    const script = `process.getuid = () => ${user}; const { ensureBrowsers } = await import(${JSON.stringify(browsers)}); await ensureBrowsers(${names});`;
    await capture(process.execPath, ["--input-type=module", "--eval", script], {
      env: { PATH: folder, LOG: log, FOLDER: folder },
    });
    return (await readFile(log, "utf8").catch(() => "")).trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const BROWSERS = { chromium: "", firefox: "" };
const LOG_ONLY = 'echo "$*" >> "$LOG"';
const INSTALL = `${LOG_ONLY}\necho "#!/bin/sh" > "$FOLDER/firefox-esr"; /bin/chmod 755 "$FOLDER/firefox-esr"`;

test("where all are there, nothing is done", async () => {
  assert.equal(await ensureOn({ ...BROWSERS, "apt-get": LOG_ONLY }, { user: 0 }), "");
});

test("root on Debian gets what is missing, and that only", async () => {
  const asked = await ensureOn({ chromium: "", "apt-get": INSTALL }, { user: 0 });
  assert.equal(asked, "update --quiet\ninstall --yes --quiet --no-install-recommends firefox-esr");
});

test("the driver of Chromium is a package of its own", async () => {
  const names = '["chromedriver"]';
  assert.equal(await ensureOn({ "apt-get": LOG_ONLY, chromedriver: "" }, { user: 0, names }), "");
  await assert.rejects(
    ensureOn({ ...BROWSERS, "apt-get": LOG_ONLY }, { user: 1000, names }),
    /not on PATH: chromedriver; on Debian: sudo apt-get install chromium-driver/,
  );
});

test("anyone else gets the command to run", async () => {
  const told = /not on PATH: chromium, firefox; on Debian: sudo apt-get install chromium-headless-shell firefox-esr/;
  await assert.rejects(ensureOn({ "apt-get": LOG_ONLY }, { user: 1000 }), told);
  await assert.rejects(ensureOn({}, { user: 0 }), told);
});

test("an installation that leaves a browser missing is an error", async () => {
  await assert.rejects(ensureOn({ chromium: "", "apt-get": LOG_ONLY }, { user: 0 }), /not on PATH: firefox/);
});
