// The step oldest-rust compiles the crate without reqwest, whose TLS takes longer to compile than everything else. This is the rest of
// it: what each dependency says that it needs. clippy refuses what is newer in the standard library.

import assert from "node:assert/strict";
import test from "node:test";
import { capture } from "../../scripts/program.mjs";
import { CRATES, OLDEST_RUST, WITH_ALL } from "../../scripts/steps.mjs";

test("no dependency of the crates needs a newer Rust than they say", async () => {
  const [, host] = /^host: (.+)$/m.exec(await capture("rustc", ["-vV"]));
  const { packages, resolve } = JSON.parse(
    await capture("cargo", ["metadata", "--locked", "--format-version=1", WITH_ALL, `--filter-platform=${host}`]),
  );
  const byId = (list) => new Map(list.map((each) => [each.id, each]));
  const [known, nodes] = [byId(packages), byId(resolve.nodes)];
  // The set grows while it is walked.
  const needed = new Set(packages.filter(({ name }) => name in CRATES).map(({ id }) => id));
  for (const id of needed)
    for (const { pkg, dep_kinds } of nodes.get(id).deps)
      if (dep_kinds.some(({ kind }) => kind !== "dev")) needed.add(pkg);
  const names = [...needed].map((id) => known.get(id));
  assert.ok(
    names.some(({ name }) => name === "rustls"),
    "reqwest and its TLS are among them",
  );
  const newer = names.filter(
    ({ rust_version }) => rust_version?.localeCompare(`${OLDEST_RUST}.999`, "en", { numeric: true }) > 0,
  );
  assert.deepEqual(
    newer.map(({ name, version, rust_version }) => `${name} ${version} needs ${rust_version}`),
    [],
  );
});
