// The sandbox's drawer says what is so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { Panel } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const value = (id) => at.panel.inside((root, id) => root.querySelector(`#${id}`).value, id);
  inChromium("what goes wrong goes on over a reload, and stands there as it is", async () => {
    const panel = await at.open();
    await panel.toggleDrawer();
    await panel.choose("fault", "busy");
    assert.equal(await value("fault"), "busy");
    await panel.trade("0.5", "Rejected");
    await panel.reload();
    await panel.toggleDrawer();
    await panel.until("the drawer", () => panel.$("#fault"));
    await panel.until("what goes wrong", async () => (await value("fault")) === "busy");
    await panel.trade("0.4");
    await panel.until("a second one", async () => (await panel.texts(".attempt.rejected")).length === 2);
  });

  test("a second tab has a sandbox of its own, says so, and finds it again after a reload", async () => {
    const panel = await at.open();
    assert.equal(await panel.text(".world button"), "Sandbox ▾");
    await panel.trade("1", "Landed");
    const other = new Panel(await openPage(panel.page.browserContext()), panel.url);
    await other.page.goto(panel.page.url());
    await other.untilText(".world button", "Sandbox 2");
    assert.deepEqual(await other.attempts(), []);
    await other.toggleDrawer();
    await other.untilText(
      ".drawer",
      "Each tab has a sandbox of its own. This is sandbox 2: its market, tokens and trades are not those of the others.",
    );
    await other.write("amount", "0.5");
    await other.untilText(".quote", "≈");
    await other.click(".send");
    await other.untilText(".attempt", "Landed Buy RABBIT for 0.5 SOL +17.");
    await panel.page.close();
    await other.page.reload();
    await other.untilText(".attempt", "Landed Buy RABBIT for 0.5 SOL +17.");
    await other.untilText(".world button", "Sandbox 2");
    at.panel = other;
  });

  inChromium("what goes wrong once is over then, and what a user picked in vain is not shown as picked", async () => {
    const panel = await at.open();
    await panel.toggleDrawer();
    await panel.press(".drawer .check input");
    await panel.choose("fault", "busy");
    await panel.trade("0.5", "Rejected");
    await panel.until("nothing to go wrong", async () => (await value("fault")) === "none");
    // As a browser does that fills in what an earlier page had.
    await panel.inside((root) => (root.querySelector("#fault").value = "lost"));
    await panel.write("amount", "0.3");
    await panel.until("what is so", async () => (await value("fault")) === "none");
    await panel.send("Landed");
  });

  inChromium("a wallet with an open trade gets no funds: they would count as the trade's", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.toggleDrawer();
    await panel.until("the drawer", () => panel.$("#fault"));
    const fund = () => panel.inside((root) => root.querySelector(".drawer .everything button").disabled);
    assert.equal(await fund(), false);
    await panel.trade("0.5", "Unknown");
    assert.equal(await fund(), true);
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It landed");
    assert.equal(await fund(), false);
  });
});
