// A folder with the package's files, served to the pages of a test.

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { root } from "../../scripts/program.mjs";
import { serveFolder } from "../../scripts/serve.mjs";

/** An empty page with this element for its script, which asks its server for no icon. */
export const pageWith = (script, head = "") =>
  `<!doctype html><meta charset="utf-8">${head}<link rel="icon" href="data:,">${script}`;

/** Serves the package and these files beside it; `page.html` runs `page.js`. Resolves to the folder, its URL, and a way to work in its page. */
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
  const inPage = async (page, work, ...given) => {
    await page.goto(`${server.url}page.html`);
    await page.waitForFunction(() => globalThis.desk !== undefined);
    return page.evaluate(work, ...given);
  };
  return { folder, url: server.url, inPage };
}
