// The runtimes that this folder's package.json pins, as the paths of their programs.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

function pinned(...paths) {
  const found = paths.map((path) => join(here, "node_modules", path)).find(existsSync);
  if (!found)
    throw new Error(
      `none of ${paths.join(", ")} is installed in tests/faults: \`npm ci\` there, if ${process.platform} ${process.arch} has such a package`,
    );
  return found;
}

const node = (major) => () => pinned(`node-${major}-${process.platform}-${process.arch}/bin/node`);
const BUN_ARCH = { x64: "x64", arm64: "aarch64" }[process.arch];

/** The oldest Node that the package supports. */
export const NODE_20 = node(20);
export const NODE_22 = node(22);
export const NODE_24 = node(24);
export const BUN = () => pinned(`@oven/bun-${process.platform}-${BUN_ARCH}/bin/bun`);
export const DENO = () =>
  pinned(`@deno/${process.platform}-${process.arch}-glibc/deno`, `@deno/${process.platform}-${process.arch}/deno`);
