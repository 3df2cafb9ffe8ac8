// What pressing the button does: it sends once, and nothing is forgotten.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { ADA, BOB, CYD, RABBIT, TWO_TOKENS, frames } from "./panel.mjs";

const always = (fault) => ({ faults: { oneOf: [fault] } });
const once = (...faults) => ({ faults: { script: faults } });

await inEachBrowser((at) => {
  const { inChromium } = at;
  const states = () =>
    at.panel.inside((root) =>
      [...root.querySelectorAll(".attempt .state strong")].map((state) => state.textContent.replace(/^\S+ /, "")),
    );

  test("two quick clicks send one trade; sending again needs an edit, or one press of the button that repeats it", async () => {
    const panel = await at.open();
    await panel.write("amount", "1");
    await panel.untilText(".quote", "≈");
    await panel.painted();
    await panel.inside(async (root) => {
      const button = root.querySelector(".send");
      button.click();
      button.click();
      // As soon as it says something else, a press was made for what it said before.
      while (!button.innerText.includes("again")) await new Promise(requestAnimationFrame);
      button.click();
    });
    await panel.untilText(".attempt", "Landed");
    assert.equal((await panel.attempts()).length, 1);
    assert.equal(await panel.text(".send"), "Simulate: buy again ≈ 32.1M");
    assert.equal(await panel.attribute(".send", "aria-disabled"), "false");
    const said = (await panel.texts(".desk > :not(.spoken)")).join(" ").match(/34\.2M RABBIT for 1 SOL|Landed/g);
    assert.deepEqual(
      said.sort(),
      ["34.2M RABBIT for 1 SOL", "Landed", "Landed"],
      "the result is said once, beside its badge",
    );
    await pause(1_000);
    await panel.click(".send");
    await panel.until("a second trade", async () => (await states()).join() === "Landed,Landed");
    await panel.write("amount", "0.5");
    assert.equal(await panel.text(".send"), "Simulate: buy 0.5 SOL");
  });

  test("the outcome leaves the focus where the trader has moved it meanwhile", async () => {
    const panel = await at.open();
    // A slow browser: the lock of a trade is given back long after its outcome is shown.
    await panel.page.evaluate(() => {
      const { request } = LockManager.prototype;
      const held = new Promise((resolve) => (globalThis.letGo = resolve));
      LockManager.prototype.request = async function (...asked) {
        const done = await request.apply(this, asked);
        await held;
        return done;
      };
    });
    await panel.trade("0.1", "Landed");
    await panel.inside((root) => root.querySelector(".positions .button:nth-child(3)").focus());
    await panel.page.evaluate(() => globalThis.letGo());
    await panel.painted();
    assert.equal(await panel.inside((root) => root.activeElement.textContent), "100 %");
  });

  test("a double press of Again sends one trade", async () => {
    const panel = await at.open();
    await panel.trade("0.1");
    await panel.untilText(".send", "buy again");
    await pause(1_000);
    // On a slow machine the last press comes too late to belong to the first one.
    const ms = await panel.inside(async (root, frames) => {
      const [painted, pressedAtMs] = [(0, eval)(frames), performance.now()];
      for (let presses = 0; presses < 5; presses++) {
        root.querySelector(".send").click();
        await painted();
      }
      return performance.now() - pressedAtMs;
    }, frames.toString());
    // A last press that comes late may find another price: then nothing is repeated, and the new quote stands there.
    await panel.until(
      "each to land",
      async () => (await states()).length > 1 && (await states()).every((state) => state === "Landed"),
    );
    assert.ok((await states()).length === 2 || ms > 500, `${await states()} in ${ms} ms`);
  });

  inChromium("what has to be decided first is prepared by Again, and not sent", async () => {
    const panel = await at.open();
    await panel.write("amount", "3");
    await panel.click('[name="ticket-accept"]');
    await panel.send("Landed");
    await pause(1_000);
    await panel.click(".send");
    await panel.untilText(".send", "Tick to accept the risk");
    assert.equal((await states()).length, 1);
  });

  test("a press counts only for what was painted: one before the frame sends nothing", async () => {
    const panel = await at.open();
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "Simulate: buy 0.1 SOL");
    await panel.painted();
    const press = (isPainted) =>
      panel.inside(
        async (root, isPainted, frames) => {
          const painted = (0, eval)(frames);
          const field = root.querySelector("[name=amount]");
          field.value = "1";
          field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
          await root.host.updateComplete;
          if (isPainted) await painted();
          const says = root.querySelector(".send").innerText.trim();
          root.querySelector(".send").click();
          return says;
        },
        isPainted,
        frames.toString(),
      );
    assert.equal(await press(false), "Simulate: buy 1 SOL", "it is in the page, but no frame has shown it");
    await pause(300);
    assert.deepEqual(await states(), []);
    assert.equal(await press(true), "Simulate: buy 1 SOL");
    await panel.untilText(".attempt", "Landed");
  });

  inChromium(
    "an outcome is a sentence, and its details and its signature are folded; a simulated one links nowhere",
    async () => {
      const panel = await at.open();
      await panel.trade("1", "Landed");
      const [row] = await panel.attempts();
      assert.match(row, /^✓ Landed Buy RABBIT for 1 SOL \+34\.2M RABBIT for 1 SOL Technical details$/);
      assert.equal(await panel.inside((root) => root.querySelectorAll(".attempt a").length), 0);
      await panel.click(".attempt summary");
      await panel.untilText(".attempt dl", "Signature SIM");
      assert.equal(await panel.inside((root) => root.activeElement?.closest(".attempt") !== null), true);
    },
  );

  test("an unknown one locks its wallet and its token over a reload, until the balances settle it", async () => {
    const panel = await at.open(once({ kind: "noAnswer" }));
    await panel.trade("1", "We do not know yet if this trade landed. Never send it again.");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    await panel.trade("0.3");
    await panel.page.keyboard.press("Enter");
    await panel.reload();
    assert.deepEqual(await states(), ["Unknown"], "a reload forgets nothing");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade", "before anything is entered");
    await panel.untilText(".consent", "We do not know yet if an earlier trade landed. Never send it again. Settle it");
    await panel.untilText("#tab-trades", "Trades 1 open");
    await panel.write("amount", "0.3");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    await panel.pick("wallet", BOB);
    await panel.untilText(".send", "Simulate: buy 0.3 SOL");
    await panel.pick("wallet", ADA);
    await panel.untilText(".send", "Locked");
    await panel.click(".settle button");
    await panel.untilText(".attempt", "+34.2M RABBIT for 1 SOL");
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
    await panel.untilText(".send", "Simulate: buy 0.3 SOL");
    assert.doesNotMatch(await panel.text(".positions"), /not known/, "what it cost is known by the balances, too");
    await panel.reload();
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
    assert.deepEqual(await states(), ["Landed"]);
  });

  inChromium(
    "what cannot be looked up or settled, because the browser's storage fails, says so in its row",
    async () => {
      const panel = await at.open(once({ kind: "dropped" }));
      await panel.trade("1", "Unknown");
      await panel.page.evaluate(() => {
        IDBDatabase.prototype.transaction = () => {
          throw new DOMException("The disk is gone.", "UnknownError");
        };
        IDBFactory.prototype.open = IDBDatabase.prototype.transaction;
      });
      await panel.click(".settle button");
      const said =
        /^That did not work: (this browser could not store it|The disk is gone)\. Reload the page, and try again\.$/;
      for (const place of [".attempt .problem", '.desk > [role="alert"]'])
        await panel.until("what went wrong", async () => said.test(await panel.text(place)));
      await panel.untilText(".attempt", "Unknown");
    },
  );

  inChromium("one that never arrived is proven not to have landed", async () => {
    const panel = await at.open(once({ kind: "dropped" }));
    await panel.trade("1", "Unknown");
    /** When it settled or became unknown, as it is stored. */
    const settledAtMs = () => panel.withKept(([{ settledAtMs }]) => settledAtMs);
    const unknownAtMs = await settledAtMs();
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It did not land: the wallet's balances prove it.");
    assert.ok((await settledAtMs()) > unknownAtMs, "until then it could have moved something");
    assert.deepEqual(await states(), ["Did not land"]);
    assert.match(await panel.text(".result"), /^Did not land\. It did not land/);
    await panel.click("#tab-trades");
    await panel.untilText(".history", "Did not land");
    assert.doesNotMatch(await panel.text(".desk"), /Unknown/);
    await panel.write("amount", "1");
    await panel.untilText(".send", "Simulate: buy 1 SOL");
  });

  test("a trade is on the disk before its request, so a page that dies in flight knows it afterwards", async () => {
    const panel = await at.open(always({ kind: "none", latencyMs: 60_000 }));
    await panel.trade("1", "Sending");
    // It has arrived, and what it moved is on the disk.
    await panel.untilText("#wallet-note", "Holds 99 SOL");
    await pause(1_000);
    await panel.reload();
    await panel.untilText(".attempt", "Unknown");
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
  });

  inChromium(
    "after three unknown ones no buy goes out until each is settled, over a reload too; a sell and an exit do",
    async () => {
      const panel = await at.open({
        ...once({ kind: "none" }, { kind: "noAnswer" }, { kind: "dropped" }, { kind: "noAnswer" }),
        ...TWO_TOKENS,
      });
      const wallets = [ADA, BOB, CYD];
      await panel.trade("1", "Landed");
      await panel.click(".exits-button");
      await panel.press(".exits button", "Start");
      await panel.untilText(".exits", "Running");
      for (const wallet of wallets) {
        await panel.pick("wallet", wallet);
        await panel.trade("0.5");
        await panel.until(
          "another unknown one",
          async () => (await states()).filter((state) => state === "Unknown").length === wallets.indexOf(wallet) + 1,
        );
      }
      for (const look of [() => {}, () => panel.reload()]) {
        await look();
        await panel.switchTo("TWO");
        await panel.write("amount", "0.1");
        await panel.untilText(".send", "No buys: settle the unknown trades");
        await panel.untilText(".consent", "Too many unknown trades. Settle them to buy again. You can sell.");
        await panel.click(".send");
        await panel.page.keyboard.press("Enter");
        await panel.click(".consent button");
        assert.match(await panel.inside((root) => root.activeElement?.innerText), /^\? Unknown/);
      }
      assert.equal((await states()).join(), "Unknown,Unknown,Unknown", "what is stopped is no attempt");
      await panel.pick("wallet", wallets[0]);
      await panel.switchTo("ONE");
      await panel.press(".sides .sell");
      await panel.write("amount", "1000");
      await panel.untilText(".send", "Simulate: sell 1000 ONE");
      await panel.click(".send");
      await panel.until("the sell", async () => (await states())[0] === "Landed");
      await panel.press(".exits button", "Sell all now");
      await panel.until("the exit", async () => (await states()).join() === "Landed,Landed,Unknown,Unknown,Unknown");
      await panel.press(".sides .buy");
      for (let settled = 0; settled < 3; settled++) {
        await panel.press(".settle button", "Compare the balances");
        // Those of the first wallet prove nothing: it has sold since.
        if (settled === 2)
          for (const answer of ["It landed", "Yes, it landed"]) await panel.press(".settle button", answer);
        await panel.until("its end", async () => (await panel.texts(".settle")).length === 2 - settled);
      }
      await panel.pick("wallet", wallets[0]);
      await panel.trade("0.5");
      await panel.until("one that lands", async () => (await states())[0] === "Landed");
    },
  );

  inChromium("what is refused stands in the list, in its own words, and never beside a landed one", async () => {
    const panel = await at.open(once({ kind: "rateLimited" }, { kind: "errorAfter", status: 500 }));
    await panel.trade("1", "The service refused it");
    assert.deepEqual(await states(), ["Rejected"]);
    await panel.trade("0.5");
    await panel.until("both", async () => (await states()).join() === "Unknown,Rejected");
    assert.doesNotMatch(await panel.text(".desk"), /Landed/);
  });

  inChromium("a failed one says its cause first, what it cost, and never to widen the slippage", async () => {
    const panel = await at.open(once({ kind: "transactionFails", refusal: "below_minimum_tokens" }));
    await panel.trade("1");
    await panel.untilText(
      ".attempt",
      "The price moved past your slippage. Nothing was traded; the network took 0.000005 SOL.",
    );
    assert.doesNotMatch(await panel.text(".attempt"), /raise|increase|widen/i);
    await panel.untilText("#tabpanel", "Nothing held yet.");
  });

  inChromium(
    "each says how much was ordered, in its row and in the history, and no rejected one is called sent",
    async () => {
      const panel = await at.open(
        once({ kind: "rateLimited" }, { kind: "none" }, { kind: "transactionFails" }, { kind: "dropped" }),
      );
      const whats = () => panel.texts(".attempt .what");
      await panel.trade("0.5", "Rejected");
      assert.deepEqual(await whats(), ["Buy RABBIT for 0.5 SOL"]);
      await panel.untilText(".result", "Rejected");
      await panel.untilText(".send", "buy again");
      await panel.trade("1", "Landed");
      assert.deepEqual(await whats(), ["Buy RABBIT for 1 SOL", "Buy RABBIT for 0.5 SOL"], "a landed one too");
      await panel.click(".sides .sell");
      await panel.trade("1000000,5", "Failed");
      assert.equal((await whats())[0], "Sell 1,000,000.5 RABBIT");
      await panel.trade("25 %", "Unknown");
      assert.equal((await whats())[0], "Sell 25 % of RABBIT");
      await panel.click("#tab-trades");
      assert.deepEqual(await panel.texts(".past td:nth-child(2)"), [
        "▼ Sell 25 % of RABBIT Ada",
        "▼ Sell 1,000,000.5 RABBIT Ada",
        "▲ Buy RABBIT for 1 SOL Ada",
        "▲ Buy RABBIT for 0.5 SOL Ada",
      ]);
    },
  );

  test("tells the page, through the shadow root, of plans, sends and outcomes", async () => {
    const panel = await at.open();
    await panel.page.evaluate(() => {
      window.heard = [];
      for (const type of ["desk-plan", "desk-sent", "desk-outcome"])
        document.body.addEventListener(type, ({ type, detail }) =>
          window.heard.push([type, detail.plan?.intentId ?? detail.intentId, detail.status ?? detail.plan?.body]),
        );
    });
    await panel.trade("1", "Landed");
    const [plan, sent, outcome] = await panel.page.evaluate(() => window.heard);
    assert.deepEqual([plan[0], sent[0], outcome[0]], ["desk-plan", "desk-sent", "desk-outcome"]);
    assert.deepEqual([plan[1], sent[1]], [sent[1], outcome[1]]);
    assert.equal(outcome[2], "landed");
    assert.equal(JSON.parse(plan[2]).mint, RABBIT);
  });

  inChromium("a trade in flight locks its own wallet and token: the ticket sends others meanwhile", async () => {
    const panel = await at.open(always({ kind: "none", latencyMs: 60_000 }));
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "Simulate: buy 0.1 SOL");
    await panel.send("Sending");
    await panel.untilText(".send", "Sending…");
    // It has arrived, so that the price stands still.
    await panel.untilText("#wallet-note", "Holds 99.9 SOL");
    await panel.write("amount", "0.2");
    await panel.untilText(".send", "Locked: an earlier trade is in flight");
    await panel.pick("wallet", BOB);
    await panel.untilText(".send", "Simulate: buy 0.2 SOL");
    await panel.click(".send");
    await panel.until("two in flight", async () => (await states()).join() === "Sending,Sending");
    await panel.pick("wallet", ADA);
    await panel.untilText(".send", "Locked: an earlier trade is in flight");
    await panel.press(".others");
    await panel.press(".market-list tr[aria-current=false] .pick");
    await panel.untilText(".send", "Simulate: buy 0.2 SOL");
    await panel.click(".send");
    await panel.until("two of one wallet in flight", async () => (await states()).join() === "Sending,Sending,Sending");
  });
});
