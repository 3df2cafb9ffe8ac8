// Reading the package's declarations.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { exportedValues, exportsOf, publicTypes, withoutComments } from "../../scripts/types.mjs";

const folder = await mkdtemp(join(tmpdir(), "types-"));
after(() => rm(folder, { recursive: true }));
await writeFile(
  join(folder, "all.d.ts"),
  `/** A client. export { NotThis }; */
declare class TradeClient {
    free(): void;
}
interface Options$1 { name?: string; }
declare function quote(): string; // export { norThis };
declare const CODES: readonly string[];

export { CODES, TradeClient, quote };
export type { Options$1 as Options };
`,
);
await writeFile(
  join(folder, "index.d.ts"),
  `import { Options, quote } from './all.js';
export { CODES, TradeClient } from './all.js';

declare class Own {}

export { Own, Options, quote };
`,
);

test("the exported values are the classes, functions and constants, and no type, whichever file declares them", async () => {
  assert.deepEqual(await exportedValues(folder, "all.d.ts"), ["CODES", "TradeClient", "quote"]);
  assert.deepEqual(await exportedValues(folder, "index.d.ts"), ["CODES", "Own", "TradeClient", "quote"]);
});

test("an export is told with the file that declares it, and its name there", async () => {
  const found = await exportsOf(folder, "index.d.ts");
  assert.deepEqual(found.get("Options"), { file: "all.d.ts", name: "Options$1", isValue: false });
  assert.deepEqual(found.get("Own"), { file: "index.d.ts", name: "Own", isValue: true });
  assert.equal(found.size, 5);
});

test("all declarations are one text without comments, in which each exported name has a line", async () => {
  const text = await publicTypes(folder);
  assert.match(text, /^\/\/ all\.d\.ts\ndeclare class TradeClient \{\n/);
  assert.match(text, /\nexport \{\n {2}CODES,\n {2}TradeClient,\n {2}quote,\n\};\n/);
  assert.doesNotMatch(text, /A client|norThis/);
});

test("comments are dropped, and URLs in code are not treated as comments", () => {
  assert.equal(withoutComments('a /* b */ "https://c" // d').trim(), 'a  "https://c"');
});
