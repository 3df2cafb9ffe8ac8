// Counts the public items of each published crate, by rustdoc's JSON; `--list` lists them, for a diff between two versions. What is hidden from
// the documentation is not public. That JSON is not stable yet, so the compiler is told to write it anyway.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Each crate, with the features that have public items. */
const CRATES = Object.entries({
  "launchpad-desk-api": "",
  "launchpad-desk": "chain",
  "launchpad-desk-sandbox": "",
  "launchpad-desk-record": "",
  "launchpad-desk-client": "sandbox,record",
  "launchpad-desk-gateway": "",
});
const TARGET = join(import.meta.dirname, "../.cache/public-items");

/** The paths of a crate's public items, each once: types, functions, fields, variants, methods, constants, macros and what is passed on. */
function itemsOf({ root, index }, name) {
  const found = new Set();
  const seen = new Set();
  const visit = (id, path, within) => {
    if (seen.has(id)) return;
    const item = index[id];
    if (!item || (!within && item.visibility !== "public" && item.visibility !== "default") || isHidden(item)) return;
    const [[kind, inner]] = Object.entries(item.inner);
    if (kind === "impl") {
      if (inner.trait || inner.is_synthetic || inner.blanket_impl) return;
      for (const method of inner.items) if (index[method]?.visibility === "public") visit(method, path);
      return;
    }
    if (kind === "use") {
      if (inner.is_glob) return void index[inner.id]?.inner.module?.items.forEach((child) => visit(child, path));
      if (!index[inner.id]) return void found.add(`${path}::${inner.name}`);
      return visit(inner.id, path, inner.name);
    }
    seen.add(id);
    const own = item.name === null ? path : [path, within ?? item.name].filter(Boolean).join("::");
    found.add(own);
    const fields = inner.kind?.plain?.fields ?? inner.kind?.struct?.fields ?? [];
    const children = [...(inner.items ?? []), ...(inner.variants ?? []), ...(inner.impls ?? []), ...fields];
    for (const child of children) visit(child, own);
  };
  visit(root, "", name.replaceAll("-", "_"));
  return [...found].sort();
}

const isHidden = ({ attrs }) => attrs.some((attr) => JSON.stringify(attr).includes("doc(hidden)"));

for (const [name, features] of CRATES) {
  const args = [
    "rustdoc",
    "--locked",
    "--quiet",
    "-p",
    name,
    "--lib",
    "--features",
    features,
    "--target-dir",
    TARGET,
    "--",
    "-Zunstable-options",
  ];
  execFileSync("cargo", [...args, "--output-format", "json"], {
    env: { ...process.env, RUSTC_BOOTSTRAP: "1", RUSTDOCFLAGS: "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const items = itemsOf(
    JSON.parse(readFileSync(join(TARGET, "doc", `${name.replaceAll("-", "_")}.json`), "utf8")),
    name,
  );
  if (process.argv.includes("--list")) console.log(items.join("\n"));
  console.log(`${String(items.length).padStart(6)}  ${name}`);
}
