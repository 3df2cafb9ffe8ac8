// The licences of what the package contains of others: the crates in its WebAssembly, the npm packages in its JavaScript.

import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AGENT_TOOLS, COMMAND_LINE, PANEL } from "./modules.mjs";
import { capture, root } from "./program.mjs";

/** Our own packages are licensed by the files beside this one. */
const OWN = /^launchpad-desk/;

/** The texts of a licence that we use a package by: where there is a choice, the shorter one. */
async function textsIn(folder, name, licence) {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const isMit = /\bMIT\b/.test(licence) && files.some((file) => /mit/i.test(file));
  const chosen = isMit ? files.filter((file) => /mit/i.test(file)) : files;
  if (!chosen.length) return `${licence}, without a text of its own`;
  const texts = await Promise.all(chosen.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => text.trim()).join("\n\n");
}

/** The crates that are compiled into the modules. */
async function crates() {
  const of = ["--locked", "--all-features", `--manifest-path=${join(root, "pkg/wasm/Cargo.toml")}`];
  const wasm = "wasm32-unknown-unknown";
  const tree = ["tree", ...of, `--target=${wasm}`, "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}"];
  const found = new Set((await capture("cargo", tree)).split("\n").map((line) => line.split(" ", 2).join(" ")));
  const { packages } = JSON.parse(
    await capture("cargo", ["metadata", ...of, "--format-version=1", `--filter-platform=${wasm}`]),
  );
  return packages
    .filter(({ name, version }) => found.has(`${name} v${version}`))
    .map(({ name, version, license, manifest_path }) => ({
      name,
      version,
      licence: license ?? "see its text",
      folder: dirname(manifest_path),
    }));
}

/** The npm packages whose code is in the command line, the agent's tools and the panel. */
async function npmPackages() {
  const esbuild = await import("esbuild");
  const entryPoints = [COMMAND_LINE, AGENT_TOOLS, PANEL].map(({ folder }) => join(root, "pkg/src", folder, "index.ts"));
  const external = ["node:*", "launchpad-desk", "launchpad-desk/*", "build:*"];
  const { metafile } = await esbuild.build({
    entryPoints,
    external,
    bundle: true,
    write: false,
    metafile: true,
    outdir: "licences",
    platform: "node",
    format: "esm",
    logLevel: "warning",
    loader: { ".css": "text" },
  });
  const folders = new Set(
    Object.keys(metafile.inputs).flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  return Promise.all(
    [...folders].map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
      return { name, version, licence: license, folder: join(root, folder) };
    }),
  );
}

export async function thirdPartyLicences() {
  const all = (await Promise.all([crates(), npmPackages()])).flat().filter(({ name }) => !OWN.test(name));
  const byText = new Map();
  for (const { name, version, licence, folder } of all.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const text = await textsIn(folder, name, licence);
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`]);
  }
  const parts = [...byText].map(
    ([text, names]) => `${"=".repeat(80)}\n${names.join("\n")}\n${"-".repeat(80)}\n\n${text}\n`,
  );
  return `The package contains code of crates and npm packages that are among these, by these licences.\n\n${parts.join("\n")}`;
}
