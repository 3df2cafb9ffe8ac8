// An outside project: the packed package, installed, and the driver beside it; also bundled, as for a page.

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installAsStranger } from "../package/stranger.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="driver.js"></script>';

/**
 * Makes the project and resolves to it.
 *
 * - `folder` has the package, driver.mjs and the files of entries/.
 * - `site` is the folder of a page with the bundled driver, `files` what is in it: path → content type and bytes.
 */
export async function makeProject() {
  const { folder } = await installAsStranger({ prefix: join(tmpdir(), "faults-") });
  await cp(join(here, "driver.mjs"), join(folder, "driver.mjs"));
  await cp(join(here, "entries"), folder, { recursive: true });

  const { build } = await import("esbuild");
  const site = join(folder, "site");
  await build({
    entryPoints: [join(folder, "browser.mjs")],
    bundle: true,
    format: "iife",
    target: "es2022",
    outfile: join(site, "driver.js"),
    logLevel: "warning",
  });
  await writeFile(join(site, "index.html"), PAGE);
  const files = {
    "/": { type: "text/html", bytes: PAGE },
    "/driver.js": { type: "text/javascript", bytes: await readFile(join(site, "driver.js")) },
  };
  return { folder, site, files, remove: () => rm(folder, { recursive: true, force: true }) };
}
