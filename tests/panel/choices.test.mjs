// What a trader has chosen is there after a reload; what stands in the browser's storage is never trusted; and notices that go.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const chips = (field) => at.panel.texts(`.${field} .chips button`);
  const chosen = () => at.panel.text(".priority [aria-pressed=true]");
  const stored = () =>
    at.panel.page.evaluate(() => localStorage.getItem(`launchpad-desk choices sandbox ${location.pathname}`));
  const store = (text) =>
    at.panel.page.evaluate(
      (text) => localStorage.setItem(`launchpad-desk choices sandbox ${location.pathname}`, text),
      text,
    );
  const presets = async (of, text) => {
    await at.panel.write(`presets-${of}`, text);
    await at.panel.page.keyboard.press("Tab");
  };

  test("slippage, priority and presets are there after a reload", async () => {
    const panel = await at.open();
    assert.deepEqual(await chips("amount"), ["0.1", "0.5", "1", "Max"]);
    await panel.write("slippage", "3");
    await panel.press(".priority button", "Custom");
    await panel.write("prioritySol", "0,002");
    await panel.click(".more summary");
    await presets("buy", "0,05 0.25");
    await presets("sell", "10% 100");
    await presets("slippage", "1 3 7");
    await panel.reload();
    assert.deepEqual(
      [await panel.value("slippage"), await chosen(), await panel.value("prioritySol")],
      ["3", "Custom", "0.002"],
    );
    assert.deepEqual(
      [await chips("amount"), await chips("slippage")],
      [
        ["0.05", "0.25", "Max"],
        ["1", "3", "7"],
      ],
    );
    await panel.click(".sides .sell");
    assert.deepEqual(await chips("amount"), ["10 %", "100 %"]);
    await panel.click(".sides .buy");
    await panel.click(".amount .chips button");
    await panel.untilText(".send", "Simulate: buy 0.05 SOL");
    await panel.click(".more summary");
    await presets("buy", "1.2340 0,25");
    await panel.until("one that is not ambiguous", async () => (await chips("amount")).join() === "1.2340,0.25,Max");
    await panel.press(".field.amount .chips button", "1.2340");
    assert.equal(await panel.value("amount"), "1.2340");
    await presets("buy", "");
    await panel.until("the usual ones", async () => (await chips("amount")).join() === "0.1,0.5,1,Max");
  });

  inChromium("presets that cannot be used are not taken, and say why", async () => {
    const panel = await at.open();
    await panel.click(".more summary");
    for (const [of, text, why] of [
      ["buy", "0.1 x", "A value is not a number"],
      ["buy", "1 2 3 4", "There is room for 3 values"],
      ["sell", "50 120", "A value is over 100"],
      ["buy", "1,000", "A value may be 1.000 or 1000: type 1.0 or 1000"],
    ]) {
      await presets(of, text);
      await panel.untilText(`#presets-${of}-note`, why);
      assert.equal(await panel.attribute(`#presets-${of}`, "aria-invalid"), "true");
    }
    assert.deepEqual(await chips("amount"), ["0.1", "0.5", "1", "Max"]);
    assert.equal(await stored(), null);
  });

  inChromium("what needs a warning is asked for each time, and not kept", async () => {
    const panel = await at.open();
    await panel.write("slippage", "50");
    await panel.press(".priority button", "Custom");
    await panel.write("prioritySol", "2");
    await panel.reload();
    assert.deepEqual([await panel.value("slippage"), await chosen()], ["0.5", "Normal"]);
  });

  inChromium("whatever stands in the storage, the panel opens, with what is usual", async () => {
    const panel = await at.open();
    const usual = async () => [await panel.value("slippage"), await chosen(), await chips("amount")];
    const first = await usual();
    const long = "1".repeat(50);
    for (const text of [
      "{",
      "null",
      "7",
      '"text"',
      "[]",
      JSON.stringify({ ofSlippage: "99", ofPriority: "custom", prioritySol: "9" }),
      JSON.stringify({ ofSlippage: 5, ofPriority: "__proto__", buy: ["<b>", "1"], sell: "100", slippage: [1] }),
      JSON.stringify({ buy: [long], ofSlippage: long }),
      JSON.stringify({ buy: ["1", "1", "1", "1"] }),
    ]) {
      await store(text);
      await panel.reload();
      assert.deepEqual(await usual(), first, text.slice(0, 60));
    }
    // What is good beside it is taken.
    await store(JSON.stringify({ ofSlippage: "3", buy: ["x"] }));
    await panel.reload();
    assert.deepEqual(await usual(), ["3", first[1], first[2]]);
  });

  inChromium(
    "in instant mode a preset amount is sent by one press, within limits that are shown and that this session keeps",
    async () => {
      const panel = await at.open();
      const landed = async () => (await panel.texts(".attempt.landed")).length;
      const chip = (amount) => panel.press(".amount .chips button", amount);
      await chip("0.5");
      await panel.untilText(".send", "Simulate: buy 0.5 SOL");
      assert.deepEqual([await panel.attempts(), await panel.$(".instant")], [[], null], "it is off");
      await panel.inside((root) => (root.querySelector(".ticket .more").open = true));
      const crowded = await panel.inside((root) => {
        const fields = [...root.querySelectorAll(".ticket .more .field")].map((field) => ({
          label: field.querySelector("label").innerText,
          ...field.getBoundingClientRect().toJSON(),
        }));
        return fields.filter(({ top }, at) => at && top - fields[at - 1].bottom < 6).map(({ label }) => label);
      });
      assert.deepEqual(crowded, [], "these labels touch the field above");
      for (const [perTrade, session, why] of [
        ["", "1", "Most per trade is missing"],
        ["0.5", "1,000", "Most for this session's buys may be"],
        ["0", "1", "Most per trade must be above zero"],
        ["1", "0.5", "The session's limit is less than that of a trade."],
        ["0.5", "1", ""],
      ]) {
        await panel.write("instant-perTrade", perTrade);
        await panel.write("instant-session", session);
        await panel.press(".instant-limits .begin");
        if (why) await panel.untilText("#instant-note", why);
      }
      await panel.untilText(".instant", "One press sends, up to 0.5 SOL. 1 SOL of 1 SOL left.");
      assert.deepEqual(await violations(panel, ".ticket"), []);
      await panel.painted();
      // A double press is one.
      await panel.inside((root) =>
        [1, 2].forEach(() =>
          [...root.querySelectorAll(".amount .chips button")].find(({ textContent }) => textContent === "0.5").click(),
        ),
      );
      await panel.until("it to land", async () => (await landed()) === 1);
      await panel.untilText(".instant", "0.5 SOL of 1 SOL left");
      // A press so soon after a send does nothing.
      const enters = (amount) =>
        panel.until(
          `${amount}, entered only`,
          async () => (await chip(amount), (await panel.text(".send")) === `Simulate: buy ${amount} SOL`),
        );
      await enters("1");
      await panel.press(".sides .sell");
      await panel.untilText(".amount", "25 %");
      await chip("25 %");
      await panel.until("the sell", async () => (await landed()) === 2);
      assert.match((await panel.attempts())[0], /^✓ Landed Sell 25 % of RABBIT/);
      await panel.reload();
      await panel.untilText(".instant", "0.5 SOL of 1 SOL left");
      await chip("0.5");
      await panel.until("the last one", async () => (await landed()) === 3);
      await panel.untilText(".instant", "Instant mode has spent its 1 SOL.");
      await enters("0.1");
      await panel.press(".instant button", "End");
      await panel.until("its end", async () => !(await panel.$(".instant")));
      await chip("0.5");
      await panel.untilText(".send", "Simulate: buy 0.5 SOL");
      assert.equal((await panel.attempts()).length, 3);
      assert.deepEqual(
        await panel.page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes("limit"))),
        [],
      );
    },
  );

  inChromium("Enter held down on an amount in instant mode sends once", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "none", latencyMs: 900 }] } });
    await panel.beginInstant("0.5", "5");
    await panel.inside((root) =>
      [...root.querySelectorAll(".amount .chips button")].find(({ textContent }) => textContent === "0.5").focus(),
    );
    for (let repeats = 0; repeats < 60; repeats++) {
      await panel.page.keyboard.down("Enter");
      await pause(50);
    }
    await panel.page.keyboard.up("Enter");
    await panel.untilText(".attempt", "Landed");
    assert.equal((await panel.attempts()).length, 1);
  });
});
