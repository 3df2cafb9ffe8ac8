// Ten thousand random quotes in real browsers equal those of native Rust, to the byte; plain files, no bundler.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { firstDifference, nativeQuotes } from "../launchpad/native-quotes.mjs";
import { openProfile } from "../browsers.mjs";
import { resultOf, servePages } from "./pages.mjs";

const { asked, answered } = await nativeQuotes(11);
const { url } = await servePages({
  "quotes.js": await readFile(join(root, "tests/launchpad/quotes.mjs")),
  "asked.txt": asked.join("\n"),
  "page.js": `import * as maths from "./market.js";
   import { isTradeError } from "./index.js";
   import { answers } from "./quotes.js";
   const asked = (await (await fetch("asked.txt")).text()).split("\\n");
   const thrown = (work) => { try { return work(); } catch (error) { return error; } };
   const bad = thrown(() => new maths.Curve({ hasCreater: true }));
   globalThis.result = { answered: answers(maths, asked), known: isTradeError(bad), code: bad.code, message: bad.message };`,
});

for (const name of ["chromium", "firefox"]) {
  test(`10,000 random quotes in ${name} are the bytes of native Rust`, async (t) => {
    const result = await resultOf(await openProfile(name, t), `${url}page.html`);
    assert.equal(firstDifference(result.answered, answered, asked), undefined);
    assert.deepEqual([result.known, result.code], [true, "invalid_options"]);
    assert.equal(result.message, "curve: hasCreater is unknown; did you mean hasCreator?");
  });
}
