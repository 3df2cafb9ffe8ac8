// The demo page: www/ with its modules bundled, into .cache/www, a folder that any static server can serve.
// `launchpad-desk` is resolved from node_modules as in any other project.

import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { root } from "./program.mjs";

const SOURCES = join(root, "www");
const isModule = (file) => /\.m?[jt]s$/.test(file);

/** Builds the page and resolves to its folder. Each module at the top of www/ is an entry. */
export async function buildPage() {
  const esbuild = await import("esbuild");
  const folder = join(root, ".cache/www");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const entries = (await readdir(SOURCES)).filter(isModule);
  if (!entries.length) throw new Error("www/ has no module at its top");
  await esbuild.build({
    entryPoints: entries.map((file) => join(SOURCES, file)),
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // One copy of the package, hence of its classes, however many entries import it.
    splitting: true,
    sourcemap: true,
    logLevel: "warning",
  });
  await cp(SOURCES, folder, { recursive: true, filter: (path) => !isModule(path) && !relative(SOURCES, path).split("/").includes("node_modules") });
  return folder;
}
