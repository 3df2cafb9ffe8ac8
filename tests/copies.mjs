// Further copies of the package in one process, each with modules and a shared file of its own.

import { rmSync } from "node:fs";
import { cp, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../scripts/program.mjs";

const dist = join(root, "pkg/dist");
const files = (await readdir(dist)).filter((name) => /^(?:index|market|sandbox|shared)\.js$/.test(name));
const copies = await mkdtemp(join(tmpdir(), "copies-"));
process.once("exit", () => rmSync(copies, { recursive: true, force: true }));

/** Another copy of an entry, by the name of its file. */
export async function anotherCopy(file) {
  const folder = await mkdtemp(join(copies, "copy-"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await Promise.all(files.map((name) => cp(join(dist, name), join(folder, name))));
  return import(pathToFileURL(join(folder, file)).href);
}
