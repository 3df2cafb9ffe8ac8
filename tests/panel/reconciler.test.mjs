// Trades without an answer, before a real gateway: in flight in another tab, waiting for approval, of unknown outcome.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { openBefore } from "./gateway.mjs";
import { ADA, Panel, RABBIT } from "./panel.mjs";

const LARGE = 500_000_000;

await inEachBrowser((at) => {
  const { inChromium } = at;
  let gateway;
  const open = async (more = {}) => {
    gateway = await openBefore(at, { desk: { approval: { overLamports: LARGE } }, ...more });
    return at.panel;
  };
  const reload = () => gateway.load();
  /** Another tab of the same browser. */
  const tab = async () => {
    const panel = new Panel(await openPage(at.panel.page.browserContext()), at.panel.url);
    await gateway.load({}, panel);
    return panel;
  };
  const buy = async (panel, amount) => {
    await panel.page.bringToFront();
    await panel.buyUnseen(amount);
  };
  const intent = (panel) => panel.attribute(".attempt", "data-intent");
  const trades = () => gateway.got.filter((request) => request.startsWith("POST"));

  test("a new tab shows another tab's trade in flight as such, and cannot send for its wallet and token", async () => {
    const panel = await open();
    const answer = gateway.service.hold();
    await buy(panel, "0.25");
    await panel.untilText(".attempt", "Sending");
    const other = await tab();
    await other.untilText(".attempt", "Sending");
    await other.write("amount", "0.1");
    await other.untilText(".send", "Locked: an earlier trade is in flight");
    await pause(500);
    assert.match(await other.text(".attempt"), /^… Sending Buy SimM…1111 for 0\.25 SOL On its way\./);
    answer();
    await panel.untilText(".attempt", "Landed");
    await other.untilText(".attempt", "Landed");
    assert.equal(trades().length, 1);

    // As if the tab had died before it kept the answer, and the clock had been two minutes ahead at the press.
    await other.page.close();
    const intentId = await intent(panel);
    await panel.withKept(([{ settled: _, ...kept }], put) => {
      const startedAtMs = kept.startedAtMs + 120_000;
      const fate = { is: "in_flight" };
      put({ ...kept, startedAtMs, open: startedAtMs, settledAtMs: null, fate, answer: null });
    });
    await reload();
    await panel.until("its end", async () => !/Sending/.test((await panel.text(".attempt")) ?? "Sending"));
    assert.match(await panel.text(".attempt"), /Landed/);
    assert.equal(await intent(panel), intentId);
  });

  test("where its tab has died before the request, the next says so; where it has died after it, the gateway does", async () => {
    const panel = await open();
    const answer = gateway.service.hold();
    const dying = await tab();
    await buy(dying, "0.25");
    await dying.untilText(".attempt", "Sending");
    await panel.untilText(".attempt", "Sending");
    await panel.until("its request", () => gateway.service.got.length === 1);
    await dying.page.close();
    await panel.untilText(".attempt", "Unknown");
    answer();
    await panel.untilText(".attempt", "Landed");
    assert.match(
      await panel.text(".attempt"),
      /^✓ Landed Buy SimM…1111 for 0.25 SOL \+[\d,.]+ SimM…1111/,
      "with what its answer says",
    );
    assert.equal(gateway.service.got.length, 1, "asked for, and not made again");
  });

  test("an attempt that never came to be sent did not land, once its tab is gone and not before", async () => {
    const panel = await open();
    const dying = await tab();
    // Kept, and never begun in the journal: the tab hangs in between.
    const kept = {
      ...{ intentId: "hangs", operation: "buy", side: "buy", mint: RABBIT, symbol: "RABBIT", decimals: 6 },
      ...{ wallets: [ADA], simulated: false, startedAtMs: Date.now(), open: Date.now(), marketMs: 0, body: "{}" },
      ...{ plan: null, price: null, quoted: null, settledAtMs: null, fate: { is: "in_flight" }, answer: null },
    };
    const hang = (lock) =>
      new Promise((held) => void navigator.locks.request(lock, () => (held(), new Promise(() => {}))));
    await dying.page.evaluate(hang, `launchpad-desk panel live ${gateway.url} hangs`);
    await dying.withKept((_rows, put, tell, kept) => (put(kept), tell(kept.intentId)), kept);
    await panel.untilText(".attempt", "Sending");
    await reload();
    await pause(1_000);
    assert.match(await panel.text(".attempt"), /Sending/);
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "Locked: an earlier trade is in flight");
    await dying.page.close();
    await panel.untilText(".attempt", "It did not land: the journal has no such trade.");
    await panel.untilText(".send", "Type 0.1 to accept the risk");
  });

  test("no two tabs begin a trade of the same wallet and token at the same moment", async () => {
    const panel = await open();
    const answer = gateway.service.hold();
    const other = await tab();
    for (const each of [panel, other]) {
      await each.page.bringToFront();
      await each.write("amount", "0.2");
      await each.write("ticket-accept", "0.2");
      await each.untilText(".send", "Buy 0.2 SOL");
      await each.painted();
    }
    const press = (each) => each.inside((root) => root.querySelector(".send").click());
    await Promise.all([press(panel), press(other)]);
    // The second press is refused by the disk, or finds its button locked already if the first one's word was quicker.
    await panel.until("a refusal", async () =>
      (await Promise.all([panel, other].flatMap((each) => [each.text(".consent"), each.text(".send")]))).some((text) =>
        /Another page has|Locked: an earlier trade is in flight/.test(text),
      ),
    );
    answer();
    await panel.until("its end in both", async () =>
      (await Promise.all([panel, other].map((each) => each.text(".attempt")))).every((text) => /Landed/.test(text)),
    );
    assert.equal(trades().length, 1);
    const buttons = await Promise.all([panel, other].map((each) => each.text(".send")));
    assert.equal(
      buttons.filter((text) => /^(Buy a|A)gain/.test(text)).length,
      1,
      `only the one whose press was sent goes on from it: ${buttons}`,
    );
  });

  inChromium(
    "a trade that waits for approval says so, locks, and lands once it is approved, over a reload",
    async () => {
      const panel = await open();
      await panel.page.evaluate(() => {
        window.heard = [];
        document.body.addEventListener("desk-outcome", ({ detail }) =>
          window.heard.push([detail.status, detail.found]),
        );
      });
      await buy(panel, "0.7");
      await panel.untilText(".attempt", "Waiting for approval");
      assert.match(await panel.text(".attempt .sentence"), /^The gateway is waiting for an operator/);
      assert.deepEqual(await panel.page.evaluate(() => window.heard), [["awaiting_approval", null]]);
      await panel.write("amount", "0.1");
      await panel.untilText(".send", "Locked: an earlier trade is waiting for approval");
      assert.equal(await panel.$(".settle"), null, "nothing to find out by hand");
      const id = await intent(panel);
      await reload();
      await panel.untilText(".attempt", "Waiting for approval");
      assert.equal(gateway.service.got.length, 0);
      await gateway.order("approve", { caller: "ada", intentId: id });
      await panel.untilText(".attempt", "Landed");
      assert.equal(gateway.service.got.length, 1);
      assert.equal(JSON.parse(gateway.service.got[0].body).amountInLamports, 700_000_000);
      await panel.write("amount", "0.1");
      await panel.untilText(".send", "Buy 0.1 SOL");
    },
  );

  inChromium(
    "of one that failed it says that the network took at most its fee, where nobody knows how much",
    async () => {
      const panel = await open();
      gateway.service.sandbox.setFaults({ script: [{ kind: "transactionFails", refusal: "below_minimum_tokens" }] });
      await buy(panel, "0.25");
      const words = "The price moved past your slippage. Nothing was traded; the network took at most its fee.";
      await panel.untilText(".attempt .sentence", words);
      for (const [results, cause] of [
        [{ err: { InstructionError: [3, { Custom: 6002 }] } }, "The price moved past your slippage (error 6002)."],
        ["custom program error: 0x1773", "The price moved past your slippage (error 6003)."],
        ["custom program error: 0x1775", "The program refused it (error 6005)."],
      ]) {
        gateway.service.results = results;
        gateway.service.sandbox.setFaults({ script: [{ kind: "transactionFails" }] });
        await buy(panel, "0.25");
        await panel.untilText(".attempt .sentence", cause);
      }
    },
  );

  inChromium(
    "one that is denied, and one that nobody approves in time, are refused in the gateway's words",
    async () => {
      const panel = await open({ approvalMs: 12_000 });
      await buy(panel, "0.7");
      await panel.untilText(".attempt", "Waiting for approval");
      await gateway.order("deny", { caller: "ada", intentId: await intent(panel) });
      await panel.untilText(".attempt", "Rejected");
      assert.match(await panel.text(".attempt .sentence"), /^The gateway refused it: .*denied.* Nothing was traded\.$/);
      await panel.write("amount", "0.6");
      await buy(panel, "0.6");
      await panel.untilText(".attempt", "Waiting for approval");
      await panel.untilText(".attempt", "Rejected");
      assert.match(await panel.text(".attempt .sentence"), /approve/);
      assert.equal(gateway.service.got.length, 0);
      at.panel.forgive(/403/);
    },
  );

  test("one that waits can be withdrawn: then nothing was sent, no approval sends it, and the next can be", async () => {
    const panel = await open();
    await buy(panel, "0.7");
    await panel.untilText(".attempt", "Waiting for approval");
    const id = await intent(panel);
    await panel.inside((root) => root.querySelector(".attempt .withdraw").focus());
    await panel.press(".attempt .withdraw");
    await panel.untilText(".attempt", "✕ Not sent Buy SimM…1111 for 0.7 SOL It was not sent: you have withdrawn it.");
    await panel.until("the focus on its row", () =>
      panel.inside((root) => root.activeElement?.classList.contains("attempt")),
    );
    await assert.rejects(gateway.order("approve", { caller: "ada", intentId: id }), /not awaiting_approval/);
    assert.equal(gateway.service.got.length, 0);
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "Buy 0.1 SOL");
    await reload();
    await panel.untilText(".attempt", "It was not sent: you have withdrawn it.");

    // One that was approved meanwhile is not taken back, and the row says how it ended: also if it does so before the press.
    await buy(panel, "0.6");
    await panel.untilText(".attempt", "Waiting for approval");
    await gateway.order("approve", { caller: "ada", intentId: await intent(panel) });
    at.panel.forgive(/422/);
    await panel.inside((root) => root.querySelector(".attempt .withdraw")?.click());
    await panel.untilText(".attempt", "Landed");
    assert.equal(gateway.service.got.length, 1);
  });

  inChromium("a buy that waits locks no sale, neither of an amount nor of a part", async () => {
    const panel = await open();
    await buy(panel, "0.1");
    await panel.untilText(".attempt", "Landed");
    await buy(panel, "0.7");
    await panel.untilText(".attempt", "Waiting for approval");
    await panel.press(".ticket .sides .sell");
    await panel.write("amount", "50 %");
    await panel.untilText(
      ".consent",
      "A buy waits for approval: if it lands first, the percentage counts its tokens too.",
    );
    await panel.inside((root) => root.querySelector('[name="ticket-accept"]')?.click());
    await panel.untilText(".send", "Sell 50 %");
    await panel.click(".send");
    await panel.untilText(".attempt", /^✓ Landed Sell 50 %/);
    assert.match((await panel.attempts())[1], /Waiting for approval/);
    assert.equal(gateway.service.got.length, 2);
  });

  inChromium("an unknown one in doubt stays unknown over a reload, and ends as the operator settles it", async () => {
    const panel = await open();
    gateway.service.status = 500;
    await buy(panel, "0.25");
    await panel.untilText(".attempt", "Unknown");
    const id = await intent(panel);
    await reload();
    await panel.untilText(".attempt", "We do not know yet if this trade landed. Never send it again.");
    await panel.click(".settle button");
    await panel.untilText(".settle", "The gateway does not know its outcome either.");
    await gateway.order("settle", { caller: "ada", intentId: id, found: "did_not_land" });
    await panel.untilText(".attempt", /^✕ Did not land .* It did not land: the gateway says so\./);
    assert.equal(gateway.service.got.length, 1);
    at.panel.forgive(/50\d|403/);
  });

  inChromium("that it may still land is said as long as it may, in a tab where nothing else happens, too", async () => {
    const panel = await open();
    gateway.service.status = 500;
    await buy(panel, "0.25");
    await panel.untilText(".attempt", "Unknown");
    // The first tab asks for its outcome. The second has no market, and its long waits pass at once.
    const other = new Panel(await openPage(panel.page.browserContext()), panel.url);
    await other.page.evaluateOnNewDocument(() => {
      const { setTimeout } = window;
      window.setTimeout = (work, ms, ...all) => setTimeout(work, ms < 30_000 ? ms : 300, ...all);
    });
    await gateway.load({}, other);
    await other.press(".settle button");
    await other.untilText(".settle", "It may still land within two minutes.");
    await pause(1_000);
    assert.equal(await other.$(".settle .did_not_land"), null);
    await other.moveClock(120_000);
    await other.until("its end", () => other.$(".settle .did_not_land"));
    assert.doesNotMatch(await other.text(".settle"), /may still land/);
    at.panel.forgive(/50\d/);
  });

  inChromium("one without a `not-after` is not made by asking for it, and is settled by hand", async () => {
    const panel = await open();
    gateway.isDown = "POST";
    await buy(panel, "0.25");
    await panel.untilText(".attempt", "Sending");
    await panel.until("its request", () => trades().length > 0);
    // Its page goes while the request has never arrived.
    await panel.page.goto("about:blank");
    await panel.page.goto(`${panel.url}main.js`);
    await panel.withKept(([kept], put) => put({ ...kept, moment: null }));
    const before = trades().length;
    gateway.isDown = false;
    await reload();
    await panel.untilText(".attempt", "Unknown");
    await panel.click(".settle button");
    await panel.untilText(".settle", "The gateway does not know this trade");
    await pause(4_000);
    assert.equal(trades().length, before, "only looks");
    assert.equal(gateway.service.got.length, 0);
    await panel.moveClock(121_000);
    // What nobody could say before.
    for (const button of [".did_not_land", ".ask button"]) await panel.press(`.settle ${button}`);
    await panel.untilText(".attempt", "It did not land: you have checked.");
    // What a browser says of cut connections.
    panel.faults = [];
  });
});
