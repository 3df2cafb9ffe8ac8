// The packed package, installed in an outside project, beside another copy of itself. That it trades there is in tests/package/trade.test.mjs.

import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { installAsStranger, runScript } from "../package/stranger.mjs";
import { requests } from "./service.mjs";

const { folder, installed } = await installAsStranger();
test("nothing of a finished call keeps the process alive", async () => {
  const began = performance.now();
  const source = `import { TradeClient } from "launchpad-desk"; import { Sandbox } from "launchpad-desk/sandbox";
    await new TradeClient({ fetch: new Sandbox().fetch, timeoutMs: 60_000 }).buy(${JSON.stringify(requests().buy)});`;
  await runScript(folder, "mjs", source);
  assert.ok(performance.now() - began < 30_000, "it waited for its deadline's timer");
});

test("isTradeError knows the errors of another copy and of another realm", async () => {
  await cp(installed, join(folder, "node_modules/another-copy"), { recursive: true });
  const source = `
    import vm from "node:vm";
    import * as one from "launchpad-desk";
    import * as other from "another-copy";
    const thrown = (make) => { try { make(); } catch (error) { return error; } };
    const theirs = thrown(() => new other.TradeClient({ apiKey: "k" }));
    console.log(JSON.stringify({
      copies: one.TradeError !== other.TradeError,
      ofAnotherCopy: [theirs instanceof one.TradeError, one.isTradeError(theirs), theirs.outcome],
      own: one.isTradeError(thrown(() => new one.TradeClient({ apiKey: "k" }))),
      ofAnotherRealm: one.isTradeError(vm.runInNewContext('const e = new Error(); e[Symbol.for("launchpad-desk.TradeError")] = true; e')),
      others: [new Error("x"), {}, null, undefined, 1, "x", { name: "TradeError" }].map(one.isTradeError),
      rendered: one.renderText(theirs).split("\\n")[0],
    }));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), {
    copies: true,
    ofAnotherCopy: [false, true, "not_sent"],
    own: true,
    ofAnotherRealm: true,
    others: [false, false, false, false, false, false, false],
    rendered: "Not sent: nothing moved",
  });
});
