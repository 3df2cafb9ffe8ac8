// What npm run edge starts: the gateway in workerd, and a page whose panel trades through it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startLocal } from "../../scripts/edge.mjs";
import { inEachBrowser, withoutBrowser } from "./each-browser.mjs";

const local = await startLocal();
after(() => local.close());

withoutBrowser("a living market lives: its time passes, and others trade, while nobody asks anything", async () => {
  const living = await startLocal({ sandbox: { market: { alive: true, seed: 6, inFlightMs: 0 } } });
  try {
    const { sandbox } = living;
    const [from, trades] = [sandbox.nowMs, sandbox.marketTrades.length];
    while (sandbox.marketTrades.length === trades) await pause(100);
    assert.ok(sandbox.nowMs > from);
  } finally {
    await living.close();
  }
});

await inEachBrowser((at) => {
  test("the walk through the local gateway in edge/README.md: a buy lands, a large one waits for the operator, and nothing says that its money is real", async () => {
    const { panel } = at;
    panel.url = local.page;
    panel.elsewhere.push(local.page, local.url);
    await panel.open();
    await panel.untilText(".badge", "Simulated: no real money");
    await panel.until("the price", () => panel.$(".price .large"));
    await panel.write("amount", "0.5");
    await panel.untilText(".send", "Simulate: buy 0.5 SOL");
    await panel.send("Landed");
    const asOperator = { authorization: "Bearer local-operator", "content-type": "application/json" };
    const desk = async () => (await fetch(`${local.url}desk`, { headers: asOperator })).json();
    assert.match(JSON.stringify(await desk()), /buy/);
    await panel.write("amount", "20");
    // On a busy machine the price gets too old at times, and then something else is to be typed.
    await panel.until("an approval to be asked for", async () => {
      const figure = /^Type (\d+) to accept/.exec(await panel.text(".send"))?.[1];
      if (figure) await panel.write("ticket-accept", figure);
      if ((await panel.text(".send"))?.startsWith("Simulate: buy 20 SOL")) await panel.click(".send");
      return (await panel.attempts())[0]?.includes("Waiting for approval");
    });
    const [{ caller, intentId }] = (await desk()).awaitingApproval;
    assert.equal(
      (
        await fetch(`${local.url}desk/approve`, {
          method: "POST",
          headers: asOperator,
          body: JSON.stringify({ caller, intentId }),
        })
      ).status,
      200,
    );
    await panel.untilText(".attempt", "Landed Buy RABBIT for 20 SOL");
  });
});
