// The ticket: what is typed, what is quoted, what is at risk, and a button that keeps its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { inEachBrowser } from "./each-browser.mjs";
import { BOB, CYD, DESKTOP, HALF, PHONE, SIDE, SMALL, TABLET, TWO_TOKENS } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const button = () => at.panel.text(".send");
  const problem = (name) =>
    at.panel.inside((root, name) => {
      const field = root.querySelector(`[name="${name}"]`);
      const note = root.getElementById(field.getAttribute("aria-describedby"));
      return {
        invalid: field.getAttribute("aria-invalid"),
        text: note.classList.contains("problem") ? note.textContent : "",
      };
    }, name);
  const box = (selector) => at.panel.box(selector);
  const clickChip = (text) => at.panel.press(".chips button", text);
  const sent = async () => (await at.panel.attempts()).length;

  test("quotes at each keystroke, with a dot or a comma", async () => {
    const panel = await at.open();
    assert.equal(await button(), "Enter an amount");
    await panel.write("amount", "1");
    await panel.untilText(".quote", "≈ 34.2M RABBIT");
    await panel.page.keyboard.type(",");
    await panel.page.keyboard.type("5");
    await panel.untilText(".quote", "≈ 50.");
    await panel.untilText(".quote", "At least");
    await panel.untilText(".quote", "Impact");
    assert.equal(await button(), "Simulate: buy 1.5 SOL");
  });

  test("the quote is short, and exact where it has the focus and where it is copied", async () => {
    const panel = await at.open();
    await panel.write("amount", "1");
    await panel.untilText(".quote", "≈ 34.2M RABBIT");
    const exact = "34,199,203.120618 RABBIT";
    assert.deepEqual(
      await panel.inside((root) => {
        const figure = root.querySelector(".quote .headline .figure");
        figure.focus();
        const copied = {};
        const copying = Object.assign(new Event("copy", { bubbles: true, composed: true, cancelable: true }), {
          clipboardData: { setData: (type, text) => (copied[type] = text) },
        });
        const asUsual = figure.dispatchEvent(copying);
        return { copied, asUsual, tab: figure.tabIndex };
      }),
      { copied: { "text/plain": exact }, asUsual: false, tab: 0 },
    );
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.down("Shift");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.up("Shift");
    const { shown, value } = await panel.inside((root) => ({
      shown: getComputedStyle(root.activeElement, "::after").content,
      value: root.activeElement.value,
    }));
    assert.equal(value, exact);
    // Firefox exposes the source of the text, Chromium the text.
    assert.ok([`"${exact}"`, "attr(value)"].includes(shown), shown);
  });

  test("turns no field red while somebody types; a field that was left says what is wrong", async () => {
    const panel = await at.open();
    for (const part of ["0", "0.", "0.0"]) {
      await panel.write("amount", part);
      assert.deepEqual(await problem("amount"), { invalid: "false", text: "" });
    }
    assert.equal(await button(), "Enter an amount");
    await panel.write("amount", "1,000");
    assert.deepEqual(await problem("amount"), { invalid: "false", text: "" });
    assert.equal(await button(), "Check the amount");
    await panel.page.keyboard.press("Tab");
    await panel.until("the problem", async () => (await problem("amount")).invalid === "true");
    assert.match((await problem("amount")).text, /^Amount may be 1\.000 or 1000: type 1.0 or 1000$/);
    await panel.write("amount", "1.5");
    assert.deepEqual(await problem("amount"), { invalid: "false", text: "" });
  });

  inChromium("a field that was left unfinished says in what", async () => {
    const panel = await at.open();
    const says = async (name, text, words) => {
      await panel.write(name, text);
      assert.deepEqual(await problem(name), { invalid: "false", text: "" });
      await panel.page.keyboard.press("Tab");
      await panel.until(words, async () => (await problem(name)).text === words);
    };
    await says("amount", "0", "Amount must be above zero");
    await says("amount", "5.", "Amount ends with a decimal mark");
    await says("amount", "1,", "Amount ends with a decimal mark");
    await says("amount", "", "Amount is missing");
    await says("slippage", "1.", "Slippage ends with a decimal mark");
    await panel.write("slippage", "1");
    await clickChip("Custom");
    await says("prioritySol", "0", "Priority must be above zero");
    await says("prioritySol", "0,", "Priority ends with a decimal mark");
    await panel.click(".sides .sell");
    await says("amount", "0 %", "Amount must be above zero");
    await says("amount", "%", "Amount is missing");
  });

  test("a slippage over 100 is refused, and a press of the button leads to it", async () => {
    const panel = await at.open();
    await panel.write("amount", "1");
    for (const much of ["150", "5000"]) {
      await panel.write("slippage", much);
      assert.equal(await button(), "Check the slippage");
      await panel.click(".send");
      await panel.until("the problem", async () => /over 100/.test((await problem("slippage")).text));
      assert.equal(await panel.inside((root) => root.activeElement.name), "slippage");
    }
    assert.equal(await sent(), 0);
  });

  for (const key of ["Control", "Meta"])
    test(`Enter in a field sends nothing; with ${key} it is a press of the button, and never passes consent`, async () => {
      const panel = await at.open();
      const ctrlEnter = async () => {
        await panel.painted();
        await panel.page.keyboard.down(key);
        await panel.page.keyboard.press("Enter");
        await panel.page.keyboard.up(key);
      };
      await panel.write("amount", "1");
      await panel.page.keyboard.press("Enter");
      await panel.write("slippage", "2");
      await panel.page.keyboard.press("Enter");
      await pause(200);
      assert.equal(await sent(), 0);
      await panel.write("amount", "20");
      await ctrlEnter();
      await pause(200);
      assert.equal(await sent(), 0);
      assert.equal(await panel.inside((root) => root.activeElement.name), "ticket-accept", "it leads to the consent");
      await panel.write("amount", "1");
      await panel.painted();
      await panel.inside(
        (root, ctrlKey) =>
          root
            .querySelector('[name="amount"]')
            .dispatchEvent(
              new KeyboardEvent("keydown", {
                key: "Enter",
                ctrlKey,
                metaKey: !ctrlKey,
                repeat: true,
                bubbles: true,
                composed: true,
              }),
            ),
        key === "Control",
      );
      await pause(200);
      assert.equal(await sent(), 0, "it is held down from before");
      await ctrlEnter();
      await panel.untilText(".attempt", "Landed");
      assert.equal(await sent(), 1);
    });

  inChromium("20 SOL at 65.85 % impact takes the percent typed, and the button's colour says so", async () => {
    const panel = await at.open();
    await panel.write("amount", "20");
    await panel.untilText(".consent", "65.85 % impact: much of the money is lost at once. Type 66 to accept.");
    assert.equal(await button(), "Type 66 to accept the risk");
    assert.match(await panel.attribute(".send", "class"), /\btype\b/);
    await panel.click(".send");
    await panel.write("ticket-accept", "60");
    await panel.click(".send");
    assert.equal(await sent(), 0);
    await panel.write("ticket-accept", "66");
    await panel.untilText(".send", "Simulate: buy 20 SOL");
    await panel.write("amount", "21");
    assert.match(await button(), /^Type \d+ to accept the risk$/, "an edit ends consent");
    await panel.write("amount", "20");
    await panel.write("ticket-accept", "66 %");
    await panel.send("Landed");
    assert.equal(await sent(), 1);
    assert.equal(
      await panel.inside((root) => root.querySelector('[name="ticket-accept"]')?.value ?? ""),
      "",
      "a send ends consent",
    );
  });

  inChromium("impact from 3 % on is a caution, from 5 % a tick; slippage over 10 % and 20 % alike", async () => {
    const panel = await at.open();
    const level = async (amount, slippage) => {
      await panel.write("slippage", slippage);
      await panel.write("amount", amount);
      await panel.untilText(".quote", "≈");
      return panel.inside((root) => root.querySelector(".consent").classList[1]);
    };
    assert.equal(await level("0.5", "0.5"), "calm");
    assert.equal(await level("1", "0.5"), "caution");
    assert.equal(await level("2", "0.5"), "tick");
    assert.equal(await level("0.5", "11"), "caution");
    assert.equal(await level("0.5", "21"), "tick");
    assert.equal(await button(), "Tick to accept the risk");
    await panel.click('[name="ticket-accept"]');
    await panel.untilText(".send", "Simulate: buy 0.5 SOL");
    await panel.send("Landed");
  });

  inChromium("what the quote says will fail is not offered, and says how much there is", async () => {
    const panel = await at.open();
    await panel.pick("wallet", CYD);
    await panel.write("amount", "1");
    await panel.untilText(".send", "Not enough SOL: at most 0.9985");
    await panel.untilText(".consent", "It would fail: ");
    assert.equal(await panel.$('[name="ticket-accept"]'), null);
    await panel.click(".send");
    await pause(200);
    assert.equal(await sent(), 0);
    assert.equal(await panel.inside((root) => root.activeElement.name), "amount");
    await clickChip("Max");
    assert.equal(await panel.value("amount"), "0.99785132", "its rent minimum and the fee of selling again stay");
    await panel.untilText(".send", "Simulate: buy 0.99785132 SOL");
  });

  inChromium("the slippage at first fits the market that is shown, and says what it is", async () => {
    const { panel } = at;
    const aside = () => panel.text(".slippage .aside");
    await at.open();
    assert.deepEqual(
      [await panel.value("slippage"), await aside()],
      ["0.5", null],
      "a market that stands still has the service's default",
    );
    await at.open(null, "?name=living");
    const [, moved] = /^Moves up to ([\d.]+) % in 5 s$/.exec(await aside());
    const slippage = await panel.value("slippage");
    assert.ok(slippage === "5" || Number(slippage) >= Number(moved), `${slippage} for ${moved}`);
    assert.ok(["0.5", "1", "2", "5"].some((each) => each === slippage));
    assert.equal(await panel.inside((root) => root.querySelector(".slippage [aria-pressed=true]").innerText), slippage);
    await panel.click("#tab-bundle");
    assert.equal(await panel.value("bundle-slippage"), slippage);
    await panel.write("slippage", "3");
    assert.equal(await aside(), null);
  });

  test("an outcome has the room that it needs, at each width and in longer languages", async () => {
    const { panel } = at;
    const failing = { kind: "transactionFails", refusal: "below_minimum_tokens" };
    await at.open({ faults: { script: [failing] } });
    await panel.trade("0.1");
    await panel.untilText(".result", "The price moved past your slippage. Nothing was traded; the network took");
    // In another language it may be two fifths longer.
    await panel.inside((root) => {
      const text = root.querySelector(".result");
      text.append(` ${text.innerText.slice(0, Math.ceil(text.innerText.length * 0.4))}`);
    });
    for (const [width, height] of [SMALL, PHONE, HALF, SIDE, TABLET, DESKTOP, [1440, 900]]) {
      await panel.page.setViewport({ width, height });
      const { text, room, button } = await panel.inside((root) => {
        const box = (selector) =>
          (({ top, bottom, left, right }) => ({ top, bottom, left, right }))(
            root.querySelector(selector).getBoundingClientRect(),
          );
        return { text: box(".ticket .result"), room: box(".ticket .consent"), button: box(".ticket .send") };
      });
      assert.ok(
        text.top >= room.top - 0.5 &&
          text.bottom <= room.bottom + 0.5 &&
          text.left >= room.left &&
          room.bottom <= button.top + 0.5,
        `at ${width} px: ${JSON.stringify({ text, room, button })}`,
      );
    }
  });

  inChromium("amount and wallet survive a change of side, and a part is a chip", async () => {
    const panel = await at.open();
    await panel.pick("wallet", BOB);
    await panel.trade("1", "Landed");
    await panel.click(".sides .sell");
    await clickChip("50 %");
    await panel.untilText(".send", "Simulate: sell 50 %");
    assert.equal(await panel.value("wallet"), BOB);
    await panel.click(".sides .buy");
    assert.equal(await panel.value("amount"), "1");
    await panel.click(".sides .sell");
    assert.equal(await panel.value("amount"), "50 %");
    await panel.click(".send");
    await panel.untilText(".attempt", /Sell 50 % of RABBIT −17\.1M RABBIT for 0\.49\d* SOL(?!,)/);
  });

  inChromium("an amount of tokens sells just that; another wallet pays the network where it is asked to", async () => {
    const panel = await at.open();
    await panel.trade("1", "Landed");
    await panel.click(".sides .sell");
    await panel.write("amount", "1000000,5");
    await panel.click(".more summary");
    await panel.pick("feePayer", BOB);
    await panel.untilText(".send", "Simulate: sell 1000000.5 RABBIT");
    await panel.click(".details summary");
    await panel.untilText(".details", "Total: Bob −0.00001 SOL");
    await panel.click(".send");
    await panel.untilText(".attempt", /^✓ Landed Sell 1,000,000\.5 RABBIT −1M RABBIT for 0\.02\d* SOL(?!,)/);
    await panel.write("amount", "99999999");
    await panel.untilText(".send", "Not enough RABBIT: at most 33,199,202.620618");
  });

  inChromium("the priority is stated in SOL and is in the network's cost", async () => {
    const panel = await at.open();
    await panel.write("amount", "1");
    await panel.untilText(".priority", "No priority fee");
    await clickChip("Fast");
    await panel.untilText(".priority", "0.0001 SOL for priority");
    await panel.click(".details summary");
    await panel.untilText(".details", "Network cost 0.000105 SOL");
    await clickChip("Custom");
    await panel.write("prioritySol", "0,002");
    await panel.untilText(".priority", "0.002 SOL for priority");
    await panel.untilText(".details", "Network cost 0.002005 SOL");
  });

  inChromium("every risk that takes consent is said, and priority worth half of the trade is typed", async () => {
    const panel = await at.open();
    const place = async () => (await box(".send")).y - (await box(".ticket")).y;
    const first = await place();
    await panel.write("amount", "20");
    await panel.write("slippage", "100");
    await panel.untilText(".consent", "65.85 % impact: much of the money is lost at once. Type 66 to accept.");
    await panel.untilText(".consent", "100 % slippage lets the price move that far against you.");
    await clickChip("Custom");
    await panel.write("prioritySol", "1");
    await panel.untilText(".consent", "Priority costs 1 SOL, 5 % of this trade.");
    await panel.untilText(".consent", "100 % slippage");
    assert.equal(await button(), "Type 66 to accept the risk");
    await panel.write("slippage", "0.5");
    await panel.write("amount", "1");
    await panel.write("prioritySol", "0.2");
    await panel.untilText(".consent", "Priority costs 0.2 SOL, 20 % of this trade. I accept this");
    await panel.write("prioritySol", "60");
    await panel.untilText(".consent", "Priority costs 60 SOL, 6,000 % of this trade. Type 60 to accept.");
    assert.equal(await button(), "Type 60 to accept the risk");
    assert.equal(await place(), first, "the button stays");
    assert.ok((await box(".consent .accept")).y >= (await box(".consent")).y, "the gravest is seen; the others scroll");
    await panel.write("ticket-accept", "60 sol");
    await panel.untilText(".send", "Simulate: buy 1 SOL");
    await panel.write("amount", "20");
    await panel.untilText(".consent", "Type 60 to accept.");
    await panel.untilText(".consent", "impact: much of the money is lost at once.");
  });

  for (const [width, height] of [PHONE, SMALL]) {
    test(`quote and button are wholly in the window before anybody has scrolled, at ${width}×${height}`, async () => {
      const { panel } = at;
      await panel.page.setViewport({ width, height });
      await at.open();
      await panel.write("amount", "1");
      await panel.untilText(".quote", "≈");
      await panel.page.evaluate(() => scrollTo(0, 0));
      await pause(200);
      const [amount, bar, send] = [await box('[name="amount"]'), await box(".bar"), await box(".send")];
      assert.ok(bar.bottom <= height && send.bottom <= bar.bottom, `the bar ends at ${bar.bottom}`);
      if (height === 640)
        assert.ok(amount.bottom <= bar.top, `the amount ends at ${amount.bottom}, the bar begins at ${bar.top}`);
    });
  }

  for (const [width, height] of [DESKTOP, PHONE, SMALL]) {
    test(`the button is in the window and never moves by a pixel at ${width}×${height}`, async () => {
      const { panel } = at;
      await panel.page.setViewport({ width, height });
      await at.open();
      await panel.inside((root) => root.querySelector('[name="amount"]').scrollIntoView({ block: "center" }));
      // Firefox rounds where it has scrolled to a moment later.
      await pause(200);
      const first = await box(".send");
      const stays = async (when) => {
        const { x, y, width: wide, height: high } = await box(".send");
        assert.deepEqual({ x, y, wide, high }, { x: first.x, y: first.y, wide: first.width, high: first.height }, when);
      };
      assert.ok(first.top >= 0 && first.bottom <= height, `in the window: ${first.top} to ${first.bottom}`);
      const write = (text) =>
        panel.inside((root, text) => {
          const field = root.querySelector('[name="amount"]');
          field.value = text;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }, text);
      for (const text of ["1", "2", "20", "1,000", "200", ""]) {
        await write(text);
        await pause(50);
        await stays(`with ${text}`);
      }
      await write("1");
      await panel.untilText(".quote", "≈");
      await panel.press(".send");
      await panel.untilText(".attempt", "Landed");
      await pause(100);
      const { width: wide, height: high, top, bottom } = await box(".send");
      assert.deepEqual([wide, high], [first.width, first.height]);
      assert.ok(width < 800 || (top === first.top && bottom === first.bottom));
    });
  }

  inChromium("an amount of one token is dropped for another, and a percentage is kept", async () => {
    const panel = await at.open(TWO_TOKENS);
    await panel.click(".sides .sell");
    await panel.write("amount", "1000");
    await panel.switchTo("TWO");
    assert.equal(await panel.value("amount"), "");
    await clickChip("50 %");
    await panel.switchTo("ONE");
    assert.equal(await panel.value("amount"), "50 %");
  });

  inChromium("what the page names later changes that alone: what the trader has picked and typed stays", async () => {
    const { panel } = at;
    await at.open(TWO_TOKENS);
    await panel.set({ mint: "mint-one", amount: "5" });
    await panel.until("the amount", async () => (await panel.value("amount")) === "5");
    await panel.switchTo("TWO");
    await panel.write("amount", "0.1");
    await panel.set({ wallet: BOB });
    await panel.until("the wallet", async () => (await panel.value("wallet")) === BOB);
    assert.equal(await panel.value("amount"), "0.1");
    await panel.untilText(".quote", "TWO");
  });

  inChromium("what the page has fixed stays as it is, and a fixed token that is not there is said", async () => {
    const { panel } = at;
    const world = TWO_TOKENS;
    await at.open(world, "?fixed=mint+amount&mint=mint-two&amount=0.2");
    assert.equal(await panel.$(".header .others"), null);
    assert.equal(await panel.$("#tab-bundle"), null);
    await panel.write("amount", "5");
    assert.equal(await panel.value("amount"), "0.2");
    await panel.untilText(".quote", "TWO");
    await panel.send("Landed");
    await panel.page.goto(`${panel.url}?fixed=mint&mint=mint-three#${encodeURIComponent(JSON.stringify(world))}`);
    await panel.untilText(".opening", "The desk cannot open: There is no token mint-three here.");
  });
});
