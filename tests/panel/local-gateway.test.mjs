// What npm run edge starts: the gateway in workerd, and a page whose panel trades through it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startLocal } from "../../scripts/edge.mjs";
import { inEachBrowser } from "./each-browser.mjs";

const local = await startLocal();
after(() => local.close());

await inEachBrowser((at) => {
  test("a buy lands through the local gateway, and nothing says that its money is real", async () => {
    const { panel } = at;
    panel.url = local.page;
    panel.elsewhere.push(local.page, local.url);
    await panel.open();
    await panel.untilText(".badge", "Simulated: no real money");
    await panel.until("the price", () => panel.$(".price .large"));
    await panel.write("amount", "0.25");
    await panel.untilText(".send", "Simulate: buy 0.25 SOL");
    await panel.click(".send");
    await panel.untilText(".attempt", "Landed");
    const desk = await fetch(`${local.url}desk`, { headers: { authorization: "Bearer local-operator" } });
    assert.match(JSON.stringify(await desk.json()), /buy/);
  });
});
