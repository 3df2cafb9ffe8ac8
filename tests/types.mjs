// Reads the package's declarations: what they export, and all of them without comments, as api.d.ts has them.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SHARED } from "../scripts/modules.mjs";

export function withoutComments(declarations) {
  return declarations.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** The names in a list of exports: as declared, and as exported. */
const namesIn = (list) =>
  list
    .split(",")
    .map((name) => name.trim().split(" as "))
    .filter(([name]) => name);

/**
 * What a file of declarations exports: name → the file that declares it, its name there, and whether it is a value (a class, a function, a
 * constant).
 *
 * @param {string} folder
 * @param {string} file its name, such as `index.d.ts`
 */
export async function exportsOf(folder, file) {
  const declarations = withoutComments(await readFile(join(folder, file), "utf8"));
  const [found, imported] = [new Map(), new Map()];
  for (const [, list, from] of declarations.matchAll(
    /^import (?:type )?\{([^}]*)\} from ['"]\.\/([\w-]+)\.js['"];$/gm,
  )) {
    const there = await exportsOf(folder, `${from}.d.ts`);
    for (const [name, as = name] of namesIn(list)) imported.set(as, there.get(name));
  }
  for (const [, type, list, from] of declarations.matchAll(
    /^export (type )?\{([^}]*)\}(?: from ['"]\.\/([\w-]+)\.js['"])?;$/gm,
  )) {
    const there = from && (await exportsOf(folder, `${from}.d.ts`));
    for (const [name, as = name] of namesIn(list))
      found.set(as, there ? there.get(name) : (imported.get(name) ?? { file, name, isValue: !type }));
  }
  return found;
}

/** The names of the values that a file of declarations exports, sorted. */
export const exportedValues = async (folder, file) =>
  [...(await exportsOf(folder, file))]
    .filter(([, { isValue }]) => isValue)
    .map(([name]) => name)
    .sort();

/** The longest line that lines are joined to. */
const LONGEST = 150;
/** Lists of exports in lines of at most that length. */
const wrapped = (text) =>
  text.replace(/^export .{150,}$/gm, (list) => list.replace(/(.{1,147})(?: |$)/g, "$1\n  ").trim());
const asOne = (lines) => lines.map((line, place) => (place ? line.trim() : line)).join(" ");

/** A line for each name, member and alternative that has room in one: a change is then a line of the diff, too. */
function joined(text) {
  const [lines, open] = [[], []];
  for (const line of text.replace(/^( *)\} ([|&]) \{$/gm, "$1}\n$1 $2 {").split("\n")) {
    lines.push(line);
    if (/[{(]$/.test(line)) open.push(lines.length - 1);
    else if (/^ *[})]/.test(line)) {
      const begin = open.pop();
      const one = asOne(lines.slice(begin));
      if (one.length <= LONGEST && !/^(export|(declare |abstract )*class)\b/.test(one))
        lines.splice(begin, Infinity, one);
    }
  }
  return lines.join("\n").replace(/^.*(\n *[|&] .*)+$/gm, (whole) => {
    const one = asOne(whole.split("\n"));
    return one.length <= LONGEST ? one : whole;
  });
}

/** All declarations of a folder without comments, file by file: what the package promises. */
export async function publicTypes(folder) {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".d.ts")).sort();
  const texts = await Promise.all(
    files.map(async (name) => {
      const text = withoutComments(await readFile(join(folder, name), "utf8"));
      // An entry names each thing that the shared file exports, and no program imports it from there.
      const isShared = name === SHARED.file.replace(/js$/, "d.ts");
      return `// ${name}\n${isShared ? text.replace(/^export [^]*?;$/gm, "") : text}`;
    }),
  );
  const lines = wrapped(texts.join("\n"))
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{2,}/g, "\n")
    .replace(/=\n/g, "= ")
    .trim();
  return `${joined(lines)}\n`;
}
