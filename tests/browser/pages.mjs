// A folder with the package's files, served to the pages of a test.

import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { root } from "../../scripts/program.mjs";
import { serveFolder } from "../../scripts/serve.mjs";

/** An empty page with this element for its script, which asks its server for no icon. */
export const pageWith = (script, head = "") =>
  `<!doctype html><meta charset="utf-8">${head}<link rel="icon" href="data:,">${script}`;

/** What the page at this address says in `result`; it says nothing of errors. */
export async function resultOf(profile, url) {
  const page = await openPage(profile);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  await page
    .waitForFunction(() => globalThis.result !== undefined)
    .catch((error) => assert.fail(`${error.message}; ${errors.join("; ")}`));
  assert.deepEqual(errors, []);
  return page.evaluate(() => globalThis.result);
}

/**
 * Serves the package and these files beside it; `page.html` runs `page.js`. Resolves to the folder, its URL, and a way to work in its page, with
 * what is given.
 */
export async function servePages(files) {
  const folder = await mkdtemp(join(tmpdir(), "pages-"));
  await cp(join(root, "pkg/dist"), folder, { recursive: true });
  const page = pageWith('<script type="module" src="page.js"></script>');
  for (const [name, content] of Object.entries({ "page.html": page, ...files }))
    await writeFile(join(folder, name), content);
  const server = await serveFolder(folder);
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const inPage = async (page, given, work) => {
    await page.goto(`${server.url}page.html`);
    await page.waitForFunction(() => globalThis.desk !== undefined);
    return page.evaluate(work, ...given);
  };
  return { folder, url: server.url, inPage };
}
