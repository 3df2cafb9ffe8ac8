// npm run build [-- --quick] [--if-changed]: the npm package, into pkg/dist, with its sizes.
//
//   sources ─ cargo ─ wasm-bindgen ─ wasm-opt ─┬─ esbuild ─ index.js, index-edge.js, …
//                                              └─ tsc ───── index.d.ts, …
//
// This is done for each module of scripts/modules.mjs; what has no WebAssembly is only bundled.
// `--quick` leaves out all optimization: for the time between two tests.
// `npm start` leaves out more: types, and all that its pages do not load.

import { copyFile, cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { AGENT_PACK } from "./agent-pack.mjs";
import { bundleFile, bundleModule, bundlePanel } from "./bundle.mjs";
import { declarations } from "./declarations.mjs";
import { AGENT_TOOLS, COMMAND_LINE, COMPANIONS, FOR_NODE, MODULES, PAGE_MODULES, PANEL, SHARED } from "./modules.mjs";
import { thirdPartyLicences } from "./licences.mjs";
import { command, root } from "./program.mjs";
import { ensurePackages, ensurePagePackages, ensureRustTools, ensureWasmTarget } from "./setup.mjs";
import { isBuilt, noteBuilt, sourceStamp } from "./stamp.mjs";
import { bindingsOf, compileBindings, writeBindings } from "./wasm.mjs";

const PACKAGE = join(root, "pkg");

/**
 * Compiles the modules into their bindings. Cargo compiles one at a time, and the core once for all of them; meanwhile the tools are
 * built, and the module before gets its bindings and is optimized, which takes one core.
 */
async function compileModules(modules, kind) {
  const isQuick = kind !== "release";
  const profile = isQuick ? "quick" : "release";
  const ready = Promise.all([ensureRustTools(), ensurePackagesOf(kind)]);
  let cargo = Promise.resolve();
  const bind = async (module) => {
    const compiled = await (cargo = cargo.then(() => compileBindings(module, profile)));
    const [tools] = await ready;
    await writeBindings(tools, module, compiled, { isQuick });
  };
  await Promise.all([ready, ...modules.map(bind)]);
}

/** What each file of JavaScript or WebAssembly costs, in bytes. */
const sizesOf = (files) =>
  Object.fromEntries(
    [...files]
      .filter(([name]) => /\.(js|wasm)$/.test(name))
      .map(([name, file]) => [name, { raw: Buffer.byteLength(file), gzip: gzipSync(file, { level: 9 }).length }]),
  );

const kilobytes = (bytes) => Number((bytes / 1024).toFixed(1));

/** Prints the sizes of the built package, and fails if a file is over its ceiling; that of a module counts what it imports, too. */
async function checkSizes() {
  const sizes = JSON.parse(await readFile(join(PACKAGE, "dist/sizes.json"), "utf8"));
  const rows = Object.entries(sizes).map(([file, { raw, gzip }]) => {
    const module = MODULES.find(({ stem }) => file === `${stem}.js`);
    const counted = module ? gzip + sizes[SHARED.file].gzip : gzip;
    return { file, raw, gzip, counted, ceiling: module?.ceiling ?? PANEL.ceilings[file] };
  });
  console.table(
    Object.fromEntries(
      rows.map(({ file, ...inBytes }) => [
        file,
        Object.fromEntries(Object.entries(inBytes).map(([kind, bytes]) => [`${kind}, KB`, bytes && kilobytes(bytes)])),
      ]),
    ),
  );
  const over = rows.find(({ counted, ceiling }) => counted > ceiling);
  if (over) throw new Error(`${over.file} has ${over.counted} bytes gzipped, over its ceiling of ${over.ceiling}`);
}

/** What `npm start` needs of a module: the file that its bundler takes. */
const ofPage = (module) => ({
  ...module,
  bundles: Object.fromEntries(Object.entries(module.bundles).filter(([file]) => file.endsWith("-edge.js"))),
});

/** What `npm start` serves first, and after that what verifies a record, into pkg/dist. No types, and no file for another runtime. */
async function buildPages(kind) {
  const sources = await sourceStamp();
  const isPanelBuilt = kind === "pages" && (await isBuilt(sources, "panel"));
  const names = [...(isPanelBuilt ? [] : PAGE_MODULES.panel), ...(kind === "pages" ? PAGE_MODULES.verifier : [])];
  const modules = MODULES.filter(({ feature }) => names.includes(feature)).map(ofPage);
  await ensureWasmTarget();
  await compileModules(modules, kind);
  const files = isPanelBuilt
    ? await filesIn(join(PACKAGE, "dist"))
    : new Map([[SHARED.file, await bundleFile(SHARED)]]);
  for (const module of modules) {
    for (const [name, content] of await bundleModule(module, bindingsOf(module))) files.set(name, content);
  }
  if (!isPanelBuilt) {
    files.set("browser.js", await bundleFile(COMPANIONS.find(({ stem }) => stem === "browser")));
    for (const [name, content] of await bundlePanel(PANEL)) files.set(name, content);
  }
  await replaceFolder(join(PACKAGE, "dist"), files);
  await noteBuilt(sources, kind);
}

/** Builds the whole package from scratch: "quick" or "release". A quick build is larger and slower. */
async function buildPackage(kind) {
  const sources = await sourceStamp();
  await ensureWasmTarget();
  await compileModules(MODULES, kind);
  const files = await declarations();
  for (const row of [SHARED, FOR_NODE, ...COMPANIONS, COMMAND_LINE, AGENT_TOOLS])
    files.set(row.file, await bundleFile(row));
  for (const module of MODULES) {
    for (const [name, content] of await bundleModule(module, bindingsOf(module))) files.set(name, content);
  }
  for (const [name, content] of await bundlePanel(PANEL)) files.set(name, content);
  files.set("sizes.json", `${JSON.stringify(sizesOf(files), undefined, 2)}\n`);

  await replaceFolder(join(PACKAGE, "dist"), files);
  await copyFrontMatter();
  await writeFile(join(PACKAGE, "LICENSE-THIRD-PARTY"), await thirdPartyLicences());
  await noteBuilt(sources, kind);
}

const isWhole = (kind) => kind === "quick" || kind === "release";

const ensurePackagesOf = (kind) => (isWhole(kind) ? ensurePackages() : ensurePagePackages());

const build = (kind) => (isWhole(kind) ? buildPackage(kind) : buildPages(kind));

/** Builds the package as this kind, unless it was already built so, or as more, from exactly these sources. */
export const buildIfChanged = async (kind) =>
  (await isBuilt(await sourceStamp(), kind)) ? ensurePackagesOf(kind) : build(kind);

/** The files of a folder: name → contents. */
async function filesIn(folder) {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))])));
}

/** Writes `files` beside the folder, then puts them in its place, so that no half-built package is ever seen. */
async function replaceFolder(folder, files) {
  const fresh = join(root, ".cache/dist");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  for (const [name, content] of files) await writeFile(join(fresh, name), content);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** What somebody who works in edge/ has there beside its own files. */
const UNPACKED = ["node_modules", ".wrangler", ".dev.vars", "package-lock.json"];

/** Copies the README, the pages that it links to, the gateway's worker and the licences: npm packs only files of the package's own folder. */
async function copyFrontMatter() {
  const licences = (await readdir(root)).filter((name) => name.startsWith("LICENSE"));
  for (const name of licences) await copyFile(join(root, name), join(PACKAGE, name));
  await rm(join(PACKAGE, "docs"), { recursive: true, force: true });
  // Why the code is as it is says nothing to those who use it.
  await cp(join(root, "docs"), join(PACKAGE, "docs"), {
    recursive: true,
    filter: (file) => basename(file) !== "decisions.md",
  });
  await rm(join(PACKAGE, "edge"), { recursive: true, force: true });
  await cp(join(root, "edge"), join(PACKAGE, "edge"), {
    recursive: true,
    filter: (file) => !UNPACKED.includes(basename(file)),
  });
  await writeFile(
    join(PACKAGE, "edge/README.md"),
    withoutRepository(await readFile(join(root, "edge/README.md"), "utf8")),
  );
  const isPacked = (file) => licences.includes(file) || AGENT_PACK.includes(file) || file.startsWith("docs/");
  await writeFile(
    join(PACKAGE, "README.md"),
    withLinksTo(isPacked, withoutRepository(await readFile(join(root, "README.md"), "utf8"))),
  );
}

/** Leaves out what is only for readers of the repository. */
const withoutRepository = (markdown) => markdown.replace(/<!-- repository -->\n[^]*?<!-- \/repository -->\n\n?/g, "");

/** Turns links to files of the repository that are not packed into plain text. */
function withLinksTo(isPacked, markdown) {
  return markdown.replace(/!?\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)/g, (link, text, file) =>
    isPacked(file) ? link : text,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await command("build", async () => {
    const { values } = parseArgs({ options: { quick: { type: "boolean" }, "if-changed": { type: "boolean" } } });
    const kind = values.quick ? "quick" : "release";
    await (values["if-changed"] ? buildIfChanged(kind) : build(kind));
    if (!values.quick) await checkSizes();
  });
}
