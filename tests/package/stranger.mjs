// An outside project: the package installed from its tarball, outside of this repository.

import { existsSync, rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { capture, once, root } from "../../scripts/program.mjs";
import { packageStamp } from "../../scripts/stamp.mjs";

const PACKED = join(root, ".cache/packed");
const FILES = "packed-files.json";

/**
 * A project with the package as npm packs and installs it, made once for all tests of a built package. Several processes may make it at
 * once: the first that has it whole puts it in its place. That of another package goes.
 */
const installedOnce = once(async () => {
  const kept = join(PACKED, await packageStamp());
  if (existsSync(kept)) return kept;
  await mkdir(PACKED, { recursive: true });
  const fresh = await mkdtemp(join(PACKED, "fresh-"));
  try {
    const [{ filename, files }] = JSON.parse(
      await capture("npm", ["pack", join(root, "pkg"), "--json", `--pack-destination=${fresh}`]),
    );
    await writeFile(join(fresh, FILES), JSON.stringify([filename, files.map(({ path }) => path)]));
    await writeFile(join(fresh, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
    await capture("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: fresh });
    const others = (await readdir(PACKED)).filter((name) => !name.startsWith("fresh-") && name !== basename(kept));
    await Promise.all(others.map((name) => rm(join(PACKED, name), { recursive: true, force: true })));
    await rename(fresh, kept).catch((error) => {
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return kept;
});

/**
 * Installs the package, packed as it would be published, in a new project, which is removed when the process ends.
 *
 * @param {{ prefix?: string }} [options] the start of the project's path; a folder of the system's for temporary files if left out
 * @returns {Promise<{ folder: string, installed: string, tarball: string, files: string[] }>} the project,
 *   the package inside it, the tarball and the paths it holds
 */
export async function installAsStranger({ prefix = join(tmpdir(), "stranger-") } = {}) {
  const made = await installedOnce();
  const folder = await mkdtemp(prefix);
  // At the exit: a hook `after` of a file that awaits between its tests may run before the last of them.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await cp(made, folder, { recursive: true, verbatimSymlinks: true });
  const [filename, files] = await readJson(join(folder, FILES));
  return { folder, installed: join(folder, "node_modules/launchpad-desk"), tarball: join(folder, filename), files };
}

/** What a bundler that resolves under `conditions` takes from the package in a stranger's project. */
export async function bundleIn(folder, source, conditions, options = {}) {
  const esbuild = await import("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    write: false,
    metafile: true,
    outfile: join(folder, "bundle.js"),
    absWorkingDir: folder,
    platform: "neutral",
    format: "esm",
    logLevel: "silent",
    conditions,
    external: ["*.wasm?module", "node:*"],
    ...options,
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("launchpad-desk/"));
  return {
    text: outputFiles[0].text,
    inputs: inputs.map((path) => path.replace(/^.*launchpad-desk\/dist\//, "")).sort(),
  };
}

let scripts = 0;

/** Runs a script in the stranger's project and resolves to what it printed; `kind` is the file's extension. */
export async function runScript(folder, kind, source, flags = []) {
  const file = join(folder, `script-${++scripts}.${kind}`);
  await writeFile(file, source);
  return capture(process.execPath, [...flags, file], { cwd: folder });
}

export const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));

const require = createRequire(import.meta.url);
const compilerOf = (name) => require.resolve(`${name}/package.json`).replace(/package\.json$/, "bin/tsc");

export const COMPILERS = {
  "TypeScript 5.2": compilerOf("typescript-5.2"),
  "the newest TypeScript": compilerOf("typescript"),
};

/** Compiles these files in a folder, under `strict`; rejects with what the compiler says of mistakes. */
export async function compileIn(folder, files, options, compiler = COMPILERS["the newest TypeScript"]) {
  for (const [file, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), source);
  }
  const compilerOptions = { strict: true, noEmit: true, types: [], ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return capture(process.execPath, [compiler, "--project", "tsconfig.json", "--pretty", "false"], { cwd: folder });
}
