// The examples in the package's TSDoc.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/program.mjs";

/** The examples of a file: what each stands above, its language, and its code. */
function examplesOf(file, source) {
  const comments = source.matchAll(/^ *\/\*\*([^]*?)\*\/\n *(.*)/gm);
  return [...comments].flatMap(([, comment, below]) => {
    const text = comment.replace(/^ *\* ?/gm, "");
    return [...text.matchAll(/```(js|ts)\n([^]*?)```/g)].map(([, language, code]) => ({ file, below, language, code }));
  });
}

const files = (await readdir(join(root, "pkg/src"), { recursive: true }))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => `src/${file}`);

/** Every example, in the order of the files. */
export const EXAMPLES = [];
for (const file of files.sort()) EXAMPLES.push(...examplesOf(file, await readFile(join(root, "pkg", file), "utf8")));
