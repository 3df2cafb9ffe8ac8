// All tests of the folder that TESTS_OF names, or those of its FILES, in one process: it starts each browser once.

import { readdirSync } from "node:fs";
import test from "node:test";
import { chosen } from "../scripts/program.mjs";

const folder = new URL(`./${process.env.TESTS_OF}/`, import.meta.url);
const all = readdirSync(folder).filter((file) => file.endsWith(".test.mjs"));
const files = chosen(
  "file",
  all,
  process.env.FILES?.split(",").map((name) => `${name}.test.mjs`),
);

// The tests wait for this one. Without it, those of the first files could end while a later file still loads, and be taken for all. A file
// that cannot be loaded fails it: nobody else would say so, and the others would wait for ever.
let loaded, failed;
const loading = new Promise((resolve, reject) => ([loaded, failed] = [resolve, reject]));
test("every file loads", () => loading);
try {
  for (const file of files.sort()) await import(new URL(file, folder));
  loaded();
} catch (error) {
  failed(error);
}
