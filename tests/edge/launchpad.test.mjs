// launchpad-desk/launchpad in workerd, which compiles nothing at run time.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { firstDifference, nativeQuotes } from "../launchpad/native-quotes.mjs";

const WORKER = `
  import * as launchpad from "./launchpad-workerd.js";
  import { answers } from "./quotes.js";
  export default { fetch: async (request) => new Response(answers(launchpad, (await request.text()).split("\\n"))) };
`;

test("random quotes in workerd are the bytes of native Rust", async () => {
  const { Miniflare } = await import("miniflare");
  const dist = (name) => readFile(join(root, "pkg/dist", name));
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.js", contents: WORKER },
      { type: "ESModule", path: "launchpad-workerd.js", contents: await dist("launchpad-workerd.js") },
      { type: "ESModule", path: "quotes.js", contents: await readFile(join(root, "tests/launchpad/quotes.mjs")) },
      { type: "CompiledWasm", path: "launchpad_bg.wasm", contents: await dist("launchpad_bg.wasm") },
    ],
    compatibilityDate: "2025-01-01",
    host: "127.0.0.1",
    cf: false,
  });
  try {
    const { asked, answered } = await nativeQuotes(13);
    const response = await fetch(await miniflare.ready, { method: "POST", body: asked.join("\n") });
    assert.equal(firstDifference(await response.text(), answered, asked), undefined);
  } finally {
    await miniflare.dispose();
  }
});
