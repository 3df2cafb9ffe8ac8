// Every export, and each member of a class, has a doc comment; every export an example; and every example in TSDoc runs unchanged.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { transform } from "esbuild";
import { COMPANIONS, MODULES } from "../../scripts/modules.mjs";
import { root } from "../../scripts/program.mjs";
import { exportsOf } from "../types.mjs";
import { EXAMPLES } from "../tsdoc.mjs";
import { folderInside } from "./inside.mjs";

// The newest compiler has no API; this one came with @arethetypeswrong/core.
const require = createRequire(import.meta.url);
const ts = createRequire(require.resolve("@arethetypeswrong/core"))("typescript");

const ENTRIES = [...MODULES, ...COMPANIONS].map(({ stem }) => stem);

const folder = await folderInside("examples");
// Some write files.
process.chdir(folder);

/** What cannot run in Node, and why. */
const NOT_RUN = new Map([["export async function keepStateInIndexedDB(", "needs IndexedDB: tests/browser runs it"]]);

/** What is logged, as a comment shows it. */
const asComment = (text) => text.replaceAll("'", '"').replace(/\s+/g, " ");
/** What the comments of an example say that its lines log: as far as `…` or a remark after a colon. */
const saidBy = (code) =>
  [...code.matchAll(/console\.log\(.*\); +\/\/ (.*)/g)].map(([, said]) => said.replace(/ ?(…|: [^"]*$).*/, ""));

const RUN = EXAMPLES.filter(({ below }) => !NOT_RUN.has(below));
for (const [index, { file, below, code }] of RUN.entries()) {
  test(`${file}: ${below}`, async (context) => {
    // Copied from an editor's tooltip, an example without its import is a riddle.
    assert.match(code, /^import /);
    const { mock } = context.mock.method(console, "log", () => {});
    const { code: script } = await transform(code, { loader: "ts" });
    const name = join(folder, `${index}.mjs`);
    await writeFile(name, script);
    await import(pathToFileURL(name).href);
    const logged = mock.calls.map(({ arguments: said }) => asComment(format(...said)));
    for (const said of saidBy(code))
      assert.ok(
        logged.some((line) => line.startsWith(said)),
        `${said}, not ${logged}`,
      );
  });
}

test("there are examples, and all but these are run", () => {
  assert.equal(EXAMPLES.length - RUN.length, NOT_RUN.size);
  assert.ok(RUN.length > 100, `${RUN.length}`);
});

const DIST = join(root, "pkg/dist");
const parsed = new Map();
/** The statements of a file of declarations that declare something: name → statements. */
async function declarationsIn(name) {
  const file = ts.createSourceFile(name, await readFile(join(DIST, name), "utf8"), ts.ScriptTarget.Latest, true);
  const found = new Map();
  for (const statement of file.statements) {
    for (const { name } of statement.name ? [statement] : (statement.declarationList?.declarations ?? []))
      found.set(name.text, [...(found.get(name.text) ?? []), statement]);
  }
  return found;
}

/** What one entry exports: each name with its declarations, and each public method or getter of a class as `Class.name`. */
async function documented(entry) {
  const found = new Map();
  const add = (name, node) => found.set(name, [...(found.get(name) ?? []), node]);
  const has = (node, ...kinds) => node.modifiers?.some(({ kind }) => kinds.includes(kind));
  for (const [as, { file, name }] of await exportsOf(DIST, `${entry}.d.ts`)) {
    if (!parsed.has(file)) parsed.set(file, await declarationsIn(file));
    const statements = parsed.get(file).get(name);
    for (const statement of statements) add(as, statement);
    for (const member of statements.filter(ts.isClassDeclaration).flatMap(({ members }) => [...members])) {
      const isPublic =
        !has(member, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword) &&
        (ts.isConstructorDeclaration(member) || ts.isIdentifier(member.name));
      if (isPublic && !ts.isPropertyDeclaration(member)) add(`${as}.${member.name?.text ?? "constructor"}`, member);
    }
  }
  return [...found];
}

const commentOf = (nodes) =>
  nodes
    .flatMap((node) => ts.getJSDocCommentsAndTags(node))
    .map((comment) => comment.getText())
    .join("\n");
const isType = ([first]) => ts.isInterfaceDeclaration(first) || ts.isTypeAliasDeclaration(first);
const isText = ([first]) =>
  ts.isVariableStatement(first) && first.declarationList.declarations.every(({ initializer }) => initializer);

const exported = new Map();
for (const entry of ENTRIES)
  for (const [name, nodes] of await documented(entry))
    exported.set(`${entry}: ${name}`, { name, nodes, comment: commentOf(nodes) });
const hasExample = ({ comment }) => /@example\s[^]*```/.test(comment);
const withExample = new Set([...exported.values()].filter(hasExample).map(({ name }) => name));

/** Whether a comment sends its reader to an export that has an example, or to a member of one. */
const leadsToExample = ({ comment }) =>
  [...comment.matchAll(/\{@link (\w+)(\.\w+)?\}/g)].some(([, name]) => withExample.has(name));

test("the exports are found", () => {
  for (const name of [
    "index: TradeClient.buy",
    "index: TradeIntent",
    "market: Curve.constructor",
    "market: Curve.spotPrice",
    "node: nodeFetch",
    "browser: DeskJournal",
  ])
    assert.ok(exported.has(name), name);
  assert.ok(exported.size > 250, `${exported.size}`);
});

test("every export, and every method of a class, has a doc comment", () => {
  assert.deepEqual(
    [...exported].filter(([, { comment }]) => !/\w/.test(comment)).map(([name]) => name),
    [],
  );
});

test("every export has an example; a type, or a constant text, may link to what takes or gives it", () => {
  const mayLink = ({ nodes }) => isType(nodes) || isText(nodes);
  const lacking = [...exported].filter(
    ([, one]) => !one.name.includes(".") && !hasExample(one) && !(mayLink(one) && leadsToExample(one)),
  );
  assert.deepEqual(
    lacking.map(([name]) => name),
    [],
  );
});
