// No trade is made too late, and one that the gateway never got does not lock the trader.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { OTHER, openBefore } from "./gateway.mjs";
import { ADA, RABBIT } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  let gateway;
  const open = async () => {
    gateway = await openBefore(at);
    return at.panel;
  };
  /** Enters an amount, and accepts its risk as the panel asks. */
  const enter = async (amount, accepted) => {
    const { panel } = at;
    await panel.write("amount", amount);
    const asked = /^Type (\S+) to accept/.exec(await panel.text(".send"))?.[1];
    if (asked) await panel.write("ticket-accept", asked);
    await panel.untilText(".send", accepted);
  };
  const buy = async (amount) => {
    await enter(amount, `Buy ${amount} SOL`);
    await at.panel.click(".send");
  };
  const trades = () => gateway.got.filter((request) => request.startsWith("POST")).length;

  test("offline, a press sends nothing and says why", async () => {
    const panel = await open();
    const network = (isOnline) =>
      panel.page.evaluate((isOnline) => {
        Object.defineProperty(Navigator.prototype, "onLine", { configurable: true, get: () => isOnline });
        dispatchEvent(new Event(isOnline ? "online" : "offline"));
      }, isOnline);
    await enter("0.25", "Buy 0.25 SOL");
    await network(false);
    await panel.untilText(".send", "Nothing can be sent now");
    await panel.untilText(".consent", "This device is offline. Nothing can be sent.");
    await panel.press(".send");
    await pause(500);
    assert.deepEqual([trades(), await panel.attempts()], [0, []]);
    await network(true);
    await enter("0.25", "Buy 0.25 SOL");
    await panel.press(".send");
    await panel.untilText(".attempt", "Landed");
  });

  test("a gateway that does not answer at the press gets nothing, then or later", async () => {
    const panel = await open();
    await enter("0.25", "Buy 0.25 SOL");
    gateway.isDown = true;
    await panel.press(".send");
    await panel.untilText(".consent", "The gateway does not answer. Nothing can be sent.");
    await panel.untilText(".send", "Nothing can be sent now");
    assert.deepEqual([trades(), await panel.attempts()], [0, []]);
    gateway.isDown = false;
    await panel.until("the gateway again", async () => !/Nothing can be sent/.test(await panel.text(".send")));
    await pause(1_000);
    assert.deepEqual([trades(), await panel.attempts()], [0, []]);
    panel.forgiveAll();
  });

  inChromium("a token that the gateway does not know is named", async () => {
    const panel = await open();
    await gateway.load({ token: "token-of-nobody" });
    await enter("0.25", "Buy 0.25 SOL");
    await panel.press(".send");
    await panel.untilText(".consent", "The gateway does not know this panel's token. Nothing was sent.");
    panel.forgiveAll();
  });

  test("what the gateway does not get in five seconds is never made, and unlocks by itself", async () => {
    const panel = await open();
    gateway.isDown = "POST";
    const pressedAt = Date.now();
    await buy("0.25");
    await panel.untilText(".attempt", "Unknown");
    const tried = trades();
    assert.ok(tried >= 1, "it was asked for");
    gateway.isDown = false;
    await panel.untilText(".attempt", "It did not land: the gateway did not get it in time, and no longer accepts it.");
    assert.ok(Date.now() - pressedAt > 5_000, "not before its moment was over");
    assert.deepEqual([trades(), gateway.service.got.length], [tried, 0]);
    await buy("0.1");
    await panel.untilText(".attempt", "Landed");
    panel.forgiveAll();
  });

  inChromium("a copy that was on its way for longer is refused by the gateway", async () => {
    const panel = await open();
    let arrive;
    gateway.holds = new Promise((resolve) => (arrive = resolve));
    await buy("0.25");
    await panel.untilText(".attempt", "It did not land: the gateway did not get it in time");
    arrive();
    await pause(1_000);
    assert.equal(trades(), 1);
    assert.equal(gateway.service.got.length, 0, "it has arrived, and was not forwarded");
    panel.forgiveAll();
  });

  inChromium("a page says how late a trade may still be made", async () => {
    const panel = await open();
    await gateway.load({ "send-within-ms": "30000" });
    let arrive;
    gateway.holds = new Promise((resolve) => (arrive = resolve));
    await buy("0.25");
    await panel.until("its request", () => trades() === 1);
    await pause(6_000);
    arrive();
    await panel.untilText(".attempt", "Landed");
    const query = { "base-url": gateway.url, mint: RABBIT, wallet: ADA, "send-within-ms": "5" };
    await panel.page.goto(`${panel.url}live.html?${new URLSearchParams(query)}`);
    await panel.untilText(".opening", "The attribute send-within-ms must be from 1000 to 60000");
  });

  test("a page that dies before its trade arrives leaves no lock either", async () => {
    const panel = await open();
    let arrive;
    gateway.holds = new Promise((resolve) => (arrive = resolve));
    await buy("0.25");
    await panel.untilText(".attempt", "Sending");
    await panel.until("its request", () => trades() === 1);
    await panel.page.goto("about:blank");
    await gateway.load();
    await panel.untilText(".attempt", "It did not land: the gateway did not get it in time");
    arrive();
    await pause(500);
    assert.equal(gateway.service.got.length, 0);
    panel.forgiveAll();
  });

  inChromium("its absence from another caller's intents proves nothing", async () => {
    const panel = await open();
    const answer = gateway.service.hold();
    await buy("0.25");
    await panel.until("its request", () => gateway.service.got.length === 1);
    await panel.page.goto("about:blank");
    await gateway.load({ token: OTHER });
    await panel.untilText(".attempt", "Unknown");
    await pause(9_000);
    assert.match(await panel.text(".attempt"), /Unknown/);
    answer();
    await gateway.load();
    await panel.untilText(".attempt", "Landed");
    panel.forgiveAll();
  });

  test("nobody has to wait for an answer: the outcome is found out", async () => {
    const panel = await open();
    const answer = gateway.service.hold();
    await buy("0.25");
    await panel.until("its request", () => gateway.service.got.length === 1);
    await panel.untilText(".stop", "Stop trying");
    await panel.press(".stop");
    await panel.untilText(".attempt", "Unknown");
    answer();
    await panel.untilText(".attempt", "Landed");
    assert.equal(gateway.service.got.length, 1);
    panel.forgiveAll();
  });

  inChromium("a buy of unknown outcome does not block a sell of what is surely held", async () => {
    const panel = await open();
    await buy("0.5");
    await panel.untilText(".attempt", "Landed");
    await panel.untilText("#wallet-note", "Holds");
    gateway.service.status = 500;
    await buy("0.25");
    await panel.untilText(".attempt", "Unknown");
    gateway.service.status = 0;
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    await panel.press(".sides .sell");
    await panel.write("amount", "50 %");
    await panel.untilText(".send", "Locked: type an amount of tokens");
    await panel.untilText(".consent", "You can sell an amount that you surely hold.");
    await panel.write("amount", "99000000");
    await panel.untilText(".send", "Check the amount");
    await panel.inside((root) => root.querySelector("#amount").blur());
    assert.match(
      await panel.text("#amount-note"),
      /^Amount is more than the 1\d,\d{3},\d{3}\.\d+ SimM…1111 that you surely hold: an earlier buy is not settled$/,
    );
    await enter("1000000", "Sell 1000000");
    await panel.untilText(".consent", "An earlier buy is not settled. Sell only what you surely hold.");
    await panel.press(".send");
    await panel.untilText(".attempt", "Landed Sell");
    assert.equal(gateway.service.got.length, 3);
    assert.match((await panel.attempts())[1], /Unknown/);
    await panel.press(".sides .buy");
    await panel.write("amount", "0.1");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    panel.forgiveAll();
  });
});
