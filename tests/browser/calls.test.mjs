// The package treats values, signals and replies in real browsers as it does in Node; the table of faults has all of them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import * as desk from "launchpad-desk";
import * as simulator from "launchpad-desk/sandbox";
import { openPage } from "../../scripts/browsers.mjs";
import { root } from "../../scripts/program.mjs";
import { openProfile } from "../browsers.mjs";
import { calls } from "./calls.mjs";
import { pageWith, servePages } from "./pages.mjs";

const { url } = await servePages({
  "calls.js": await readFile(join(root, "tests/browser/calls.mjs")),
  "page.html": pageWith(""),
});
const inNode = await calls(desk, simulator);

test("Node says of each what is to be said", () => {
  const { hostile, lost, bodies, sandbox } = inNode;
  for (const [name, errors] of Object.entries(hostile)) assert.ok(errors.length > 0, name);
  assert.deepEqual(hostile["what is no data"], [
    "mint unreadable",
    "fromWallet unreadable",
    "amountInLamports wrong_type",
  ]);
  assert.deepEqual(lost, [
    "unknown service_error 503",
    "unknown network_error 401",
    "unknown timeout",
    "not_sent aborted_before_send",
    "unknown aborted",
  ]);
  assert.deepEqual(
    bodies.map((body) => /"amountInToken":([^,]+)/.exec(body)[1]),
    ["0.1", "0.0000001", "123.456", '"0.30000000000000004"', "16.996189", "9007199254740991"],
  );
  assert.match(sandbox.bought, /34199203\.120618/);
});

for (const name of ["chromium", "firefox"]) {
  test(`${name} says the same`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    await page.goto(`${url}page.html`);
    const [seen, replaced] = await page.evaluate(async () => {
      const desk = await import("./index.js");
      const simulator = await import("./sandbox.js");
      const { calls } = await import("./calls.js");
      const seen = await calls(desk, simulator);
      globalThis.fetch = () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
      const { outcome } = await new desk.TradeClient({ baseURL: "https://service.example" })
        .buy({ mint: "M", fromWallet: "W", amountInLamports: 5 })
        .catch((error) => error);
      return [seen, outcome];
    });
    assert.deepEqual(seen, inNode);
    assert.equal(replaced, "unknown", "a fetch that somebody put there proves nothing");
  });
}
