// The page in real browsers, as `npm start` serves it: every operation, every kind of outcome, by mouse and by
// keyboard, in both themes, on a phone's width. Amounts are held against an oracle of the test's own.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { servePage } from "../../scripts/serve.mjs";
import { SOL_DECIMALS, amount, sol, solChange } from "../../www/desk/money.js";
import { NETWORK_FEE, RENT, atWorst, buy, freshCurve, sell } from "./curve.mjs";
import { Panel } from "./panel.mjs";

const SOL = 1_000_000_000n;
const RABBIT = "SimMoonRabbit111111111111111111111111111111";
const BOAT = "SimPaperBoat1111111111111111111111111111111";
const CYD = "SimTraderCyd1111111111111111111111111111111";

const rabbits = (units) => amount(units, 6);
const inSol = (lamports) => amount(lamports, SOL_DECIMALS);

const server = await servePage(0);
after(() => server.close());
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const name of ["chromium", "firefox"]) {
  describe(name, async () => {
    const browser = await launchBrowser(name);
    let panel;
    after(() => browser.close());
    beforeEach(async () => {
      panel = new Panel(await openPage(browser), server.url);
      await panel.page.setViewport({ width: 1100, height: 900 });
      await panel.open();
    });
    afterEach(async () => {
      const { faults, page } = panel;
      await page.close();
      assert.deepEqual(faults, []);
    });

    test("says that it is a simulation", async () => {
      assert.equal(await panel.text(".simulated"), "Sandbox: no real money");
      assert.equal(await panel.text(".outcome"), "Nothing sent yet.");
      assert.deepEqual(await panel.wallet("Ada"), { level: "level 0", SOL: "100" });
    });

    test("quotes at each keystroke, to the last unit", async () => {
      await panel.page.focus('[name="amountInLamports"]');
      let typed = "";
      for (const key of "12.5") {
        await panel.page.keyboard.press(key);
        typed += key;
        const spend = BigInt(Math.round(Number(typed) * 10)) * (SOL / 10n);
        const { tokens } = buy(freshCurve(), spend);
        await panel.untilText(".headline", `You receive ${rabbits(tokens)} RABBIT`);
        await panel.untilText(".quote", `Minimum, at 0.5 % slippage ${rabbits(atWorst(tokens, 50n))} RABBIT`);
        assert.equal(await panel.fact("Net for Ada"), solChange(-spend - RENT - NETWORK_FEE));
        assert.equal(await panel.fact("Token account"), `opens, ${sol(RENT)} rent`);
        assert.equal(await panel.fact("Network fee"), sol(NETWORK_FEE));
      }
      await panel.write("slippage", "12");
      const { tokens } = buy(freshCurve(), (SOL * 25n) / 2n);
      await panel.untilText(".quote", `Minimum, at 12 % slippage ${rabbits(atWorst(tokens, 1_200n))} RABBIT`);
      await panel.untilText(".notes", "The slippage is wide");
    });

    test("says what is wrong with a field as it is typed, and takes it back", async () => {
      await panel.write("amountInLamports", "0.1234567891");
      const wrong = { text: "Amount to spend must be a whole number of lamports", visible: true, invalid: "true" };
      assert.deepEqual(await panel.problem("amountInLamports"), wrong);
      await panel.write("amountInLamports", "18446744073.709551616");
      assert.equal((await panel.problem("amountInLamports")).text, "Amount to spend is over 18446744073.709551615 SOL", "in the field's own unit");
      await panel.write("amountInLamports", "18446744073.709551615");
      assert.deepEqual(await panel.problem("amountInLamports"), { text: "", visible: false, invalid: null });
      await panel.write("amountInLamports", "0.123456789");
      await panel.untilText(".headline", "You receive");
      await panel.write("slippage", "a lot");
      assert.equal((await panel.problem("slippage")).text, "Slippage is not a decimal number");
      await panel.untilText(".headline", "No quote");
      await panel.page.click("summary");
      await panel.write("priorityUnitLimit", "1.5");
      assert.equal((await panel.problem("priorityUnitLimit")).text, "Priority unit limit must be a whole number of priority units");
    });

    test("sends nothing that is wrong, and leads to the first field that is", async () => {
      await panel.page.click(".send");
      assert.equal((await panel.problem("amountInLamports")).text, "Amount to spend is missing");
      assert.equal(await panel.page.evaluate(() => document.activeElement.name), "amountInLamports");
      await panel.write("amountInLamports", "1");
      await panel.page.click("summary");
      await panel.write("priorityUnitPrice", "x");
      await panel.page.click("summary");
      await panel.page.click(".send");
      assert.equal(await panel.page.evaluate(() => document.activeElement.name), "priorityUnitPrice");
      assert.equal(await panel.text(".outcome"), "Nothing sent yet.");
      assert.deepEqual(await panel.trades(), []);
    });

    test("buys, sells all of it, and the token account is closed", async () => {
      const curve = freshCurve();
      const bought = buy(curve, SOL);
      await panel.write("amountInLamports", "1");
      await panel.send("landed");
      await panel.untilText(".outcome", "Buy landed");
      assert.equal(await panel.value("amountInLamports"), "", "a second press must not buy again");
      const left = 100n * SOL - bought.paid - RENT - NETWORK_FEE;
      assert.deepEqual(await panel.wallet("Ada"), { level: "level 1", SOL: inSol(left), RABBIT: rabbits(bought.tokens) });
      await panel.untilText(".record", "Account level 1");

      await panel.choose("sellByPercentage");
      await panel.page.click(".presets button:nth-child(3)");
      assert.equal(await panel.value("percentage"), "100");
      const received = sell(curve, bought.tokens);
      await panel.untilText(".headline", `You receive ${sol(received)}`);
      assert.equal(await panel.fact("Token account"), `closes, ${sol(RENT)} back`);
      await panel.send("landed");
      await panel.untilText(".outcome", "Token account closed yes");
      assert.deepEqual(await panel.wallet("Ada"), { level: "level 1", SOL: inSol(left + received + RENT - NETWORK_FEE) });
      const [sold, first, ...more] = await panel.trades();
      assert.deepEqual(more, []);
      assert.match(sold, /^Sell % RABBIT landed Ada sold .*; token account closed Network fee 0\.000005 SOL, paid by Ada SIM/);
      assert.match(first, /^Buy RABBIT landed Ada bought /);
    });

    test("sells an amount of the token that is picked", async () => {
      await panel.pick("mint", BOAT);
      const curve = freshCurve();
      const bought = buy(curve, SOL / 2n);
      await panel.page.click(".presets button:nth-child(2)");
      await panel.send("landed");
      await panel.choose("sell");
      await panel.page.click(".presets button");
      assert.equal(await panel.value("amountInToken"), rabbits(bought.tokens).replaceAll(",", ""));
      await panel.write("amountInToken", "1000000.0000001");
      assert.match((await panel.problem("amountInToken")).text, /^Amount to sell is finer than the token's 6 decimals/);
      await panel.write("amountInToken", "1000000.000001");
      await panel.send("landed");
      sell(curve, 1_000_000_000_001n);
      assert.equal((await panel.wallet("Ada")).BOAT, rabbits(bought.tokens - 1_000_000_000_001n));
      await panel.pick("mint", RABBIT);
      await panel.untilText(".legs .reading", "Holds 0 RABBIT");
    });

    test("buys for several wallets in one transaction, and sells for them", async () => {
      await panel.choose("bundleBuy");
      await panel.write("buys[0].amountInLamports", "2");
      await panel.write("buys[1].amountInLamports", "0.00000000001");
      assert.equal((await panel.problem("buys[0].amountInLamports")).text, "");
      assert.equal((await panel.problem("buys[1].amountInLamports")).text, "Amount to spend must be a whole number of lamports");
      await panel.write("buys[1].amountInLamports", "0.5");
      const curve = freshCurve();
      const [ada, bob] = [buy(curve, 2n * SOL), buy(curve, SOL / 2n)];
      await panel.untilText(".headline", `You receive ${rabbits(ada.tokens + bob.tokens)} RABBIT`);
      await panel.send("landed");
      assert.equal((await panel.wallet("Ada")).RABBIT, rabbits(ada.tokens));
      assert.equal((await panel.wallet("Bob")).RABBIT, rabbits(bob.tokens));
      assert.equal((await panel.wallet("Ada")).SOL, inSol(98n * SOL - RENT - 2n * NETWORK_FEE));
      await panel.untilText(".record", "Account level 2");

      await panel.choose("bundleSellByPercentage");
      await panel.write("sells[0].percentage", "50");
      await panel.write("sells[1].percentage", "100");
      const received = sell(curve, ada.tokens / 2n) + sell(curve, bob.tokens);
      await panel.untilText(".headline", `You receive ${sol(received)}`);
      await panel.send("landed");
      assert.equal((await panel.wallet("Ada")).RABBIT, rabbits(ada.tokens - ada.tokens / 2n));
      assert.equal((await panel.wallet("Bob")).RABBIT, undefined);

      await panel.choose("bundleSell");
      await panel.write("sells[0].amountInToken", "1");
      await panel.page.click('[aria-label="Remove wallet 2"]');
      await panel.send("landed");
      assert.equal((await panel.wallet("Ada")).RABBIT, rabbits(ada.tokens - ada.tokens / 2n - 1_000_000n));
    });

    test("adds and removes rows of a bundle, and keeps each field's place", async () => {
      await panel.choose("bundleBuy");
      await panel.page.click(".add");
      assert.equal(await panel.page.evaluate(() => document.activeElement.name), "buys[2].amountInLamports");
      assert.equal(await panel.value("buys[2].fromWallet"), CYD);
      await panel.page.keyboard.type("0.25");
      await panel.write("buys[0].amountInLamports", "1");
      await panel.page.click('[aria-label="Remove wallet 2"]');
      assert.equal(await panel.value("buys[1].fromWallet"), CYD);
      assert.equal(await panel.value("buys[1].amountInLamports"), "0.25");
      const curve = freshCurve();
      const total = buy(curve, SOL).tokens + buy(curve, SOL / 4n).tokens;
      await panel.untilText(".headline", `You receive ${rabbits(total)} RABBIT`);
      await panel.page.click('[aria-label="Remove wallet 1"]');
      assert.equal(await panel.page.$('.remove:not([hidden])'), null);
    });

    test("tells a trade that would fail, and one that did", async () => {
      await panel.pick("fromWallet", CYD);
      await panel.write("amountInLamports", "5");
      await panel.untilText(".headline", "Would fail the wallet has too few lamports for this trade");
      await panel.send("failed");
      await panel.untilText(".outcome", "nothing moved but the network fee");
      assert.deepEqual(await panel.wallet("Cyd"), { level: "level 0", SOL: inSol(SOL - NETWORK_FEE) });
      assert.equal(await panel.value("amountInLamports"), "5", "what failed may be mended and sent again");
      assert.match((await panel.trades())[0], /^Buy RABBIT failed insufficient_lamports/);
    });

    test("fails where the price moves past the slippage", async () => {
      await panel.conditions("rivals");
      await panel.write("amountInLamports", "1");
      await panel.write("slippage", "0");
      await panel.untilText(".headline", "You receive");
      await panel.send("failed");
      await panel.untilText(".outcome", "the price moved past the slippage");
      assert.deepEqual(await panel.wallet("Ada"), { level: "level 0", SOL: inSol(100n * SOL - NETWORK_FEE) });
    });

    test("calls an outcome unknown that is unknown, and rejected what is rejected", async () => {
      await panel.conditions("lost");
      await panel.write("amountInLamports", "1");
      await panel.send("unknown");
      await panel.untilText(".outcome", "Outcome unknown: the trade may have been made");
      assert.equal(await panel.value("amountInLamports"), "", "a second press must not buy again");
      assert.equal((await panel.wallet("Ada")).level, "level 1");
      await panel.conditions("busy");
      await panel.write("amountInLamports", "1");
      await panel.send("rejected");
      assert.equal(await panel.value("amountInLamports"), "1");
      assert.equal((await panel.trades()).length, 1);
      await panel.conditions("broken");
      await panel.send("unknown");
      assert.equal((await panel.trades()).length, 1);
    });

    test("sends once, however often the button is pressed", async () => {
      await panel.conditions("slow");
      await panel.write("amountInLamports", "1");
      // All in one turn of the page, so that no answer can come between, however slow the machine.
      const [send, simulation] = await panel.page.evaluate(() => {
        const send = document.querySelector(".send");
        send.focus();
        for (const _ of [1, 2, 3]) send.click();
        send.form.requestSubmit();
        document.querySelector('[value="sell"]').click();
        document.querySelector('[value="buy"]').click();
        return [`${send.textContent} ${send.ariaDisabled}`, document.querySelector(".simulation").disabled];
      });
      assert.equal(send, "Sending… true");
      assert.equal(simulation, true, "the world is not swapped under a trade");
      await panel.outcome("landed");
      assert.equal(await panel.attribute(".send", "aria-disabled"), "false");
      assert.equal((await panel.trades()).length, 1);
      assert.equal((await panel.wallet("Ada")).level, "level 1");
      assert.equal(await panel.page.evaluate(() => document.activeElement.className), "send", "the focus stays");
    });

    test("leaves what is typed while a trade is in flight, and takes out what was sent", async () => {
      await panel.conditions("slow");
      await panel.choose("bundleBuy");
      await panel.write("buys[0].amountInLamports", "1");
      await panel.write("buys[1].amountInLamports", "2");
      // In one turn of the page, as above.
      const button = await panel.page.evaluate(() => {
        const send = document.querySelector(".send");
        send.click();
        const next = document.querySelector('[name="buys[1].amountInLamports"]');
        next.value = "0.25";
        next.dispatchEvent(new Event("input", { bubbles: true }));
        return send.textContent;
      });
      assert.equal(button, "Sending…");
      await panel.outcome("landed");
      assert.equal(await panel.value("buys[0].amountInLamports"), "");
      assert.equal(await panel.value("buys[1].amountInLamports"), "0.25");
      const curve = freshCurve();
      const [ada, bob] = [buy(curve, SOL), buy(curve, 2n * SOL)];
      assert.deepEqual([(await panel.wallet("Ada")).RABBIT, (await panel.wallet("Bob")).RABBIT], [rabbits(ada.tokens), rabbits(bob.tokens)]);
    });

    test("starts over", async () => {
      await panel.write("amountInLamports", "1");
      await panel.send("landed");
      await panel.page.click(".simulation button");
      assert.deepEqual(await panel.wallet("Ada"), { level: "level 0", SOL: "100" });
      assert.deepEqual(await panel.trades(), []);
      await panel.untilText(".outcome", "The simulation starts over");
    });

    test("works by keyboard alone", async () => {
      const { keyboard } = panel.page;
      const focused = () => panel.page.evaluate(() => document.activeElement.name);
      const ringed = () =>
        panel.page.evaluate(() => getComputedStyle(document.activeElement.closest(".control") ?? document.activeElement.nextElementSibling).outlineStyle);
      await keyboard.press("Tab");
      assert.equal(await focused(), "operation");
      assert.equal(await ringed(), "solid");
      for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await keyboard.press(key);
      await panel.untilText(".send", "Bundle buy");
      for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) await keyboard.press(key);
      for (const next of ["mint", "fromWallet", "amountInLamports"]) {
        await keyboard.press("Tab");
        assert.equal(await focused(), next);
        assert.equal(await ringed(), "solid");
      }
      await keyboard.type("0.75");
      await keyboard.press("Enter");
      await panel.outcome("landed");
      assert.equal(await focused(), "amountInLamports", "the focus stays where the trader is");
      assert.equal((await panel.wallet("Ada")).RABBIT, rabbits(buy(freshCurve(), (SOL * 3n) / 4n).tokens));
    });

    test("is announced: the outcome and the quote's headline are live", async () => {
      assert.equal(await panel.attribute(".outcome", "aria-live"), "polite");
      assert.equal(await panel.attribute(".headline", "role"), "status");
    });

    // Firefox's driver has no way to set the preference; the page's colours follow `color-scheme` all the same.
    const wear = (theme) =>
      name === "chromium"
        ? panel.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }])
        : panel.page.evaluate((theme) => (document.documentElement.style.colorScheme = theme), theme);

    for (const theme of ["light", "dark"]) {
      test(`has nothing that axe finds fault with, ${theme}`, async () => {
        await wear(theme);
        const background = await panel.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(background, theme === "light" ? "rgb(245, 245, 242)" : "rgb(18, 20, 19)");
        // Colours in transition would be measured half-way.
        await panel.page.evaluate(() => {
          const still = new CSSStyleSheet();
          still.replaceSync("* { transition: none !important }");
          document.adoptedStyleSheets = [still];
        });
        await panel.page.evaluate(axe);
        const audit = async (state) => {
          const { violations, passes } = await panel.page.evaluate(() => globalThis.axe.run());
          const found = violations.map(({ id, nodes }) => `${state}: ${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
          assert.deepEqual(found, []);
          assert.ok(passes.some(({ id }) => id === "color-contrast"), "axe looked at colours");
        };
        await audit("start");
        await panel.page.click("summary");
        await panel.page.click(".send");
        await audit("a field in want");
        await panel.write("amountInLamports", "1000");
        await audit("a trade that would fail");
        await panel.send("failed");
        await audit("failed");
        await panel.write("amountInLamports", "2");
        await audit("a quote with a warning");
        await panel.send("landed");
        await audit("landed");
        await panel.conditions("lost");
        await panel.choose("bundleSellByPercentage");
        await panel.write("sells[0].percentage", "50");
        await panel.page.click('[aria-label="Remove wallet 2"]');
        await audit("a bundle of sells");
        await panel.send("unknown");
        await audit("unknown");
      });
    }

    test("fits a width of 320 pixels", async () => {
      await panel.page.setViewport({ width: 320, height: 640 });
      const fits = async (state) => {
        const { width, scroll, out } = await panel.page.evaluate(() => ({
          width: innerWidth,
          scroll: document.documentElement.scrollWidth,
          out: [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > 320).map((element) => element.outerHTML.slice(0, 100)),
        }));
        assert.equal(width, 320);
        assert.ok(scroll <= 320, `${state}: ${scroll} pixels wide`);
        assert.deepEqual(out, [], state);
      };
      await fits("start");
      await panel.write("amountInLamports", "1.234567891");
      await panel.page.click("summary");
      await fits("quote");
      await panel.send("landed");
      await fits("landed");
      await panel.choose("bundleBuy");
      await panel.write("buys[0].amountInLamports", "0.123456789");
      await panel.write("buys[1].amountInLamports", "0.123456789");
      await fits("bundle");
      await panel.send("landed");
      await panel.choose("buy");
      await panel.write("amountInLamports", "123456789012345678901234567890");
      await fits("a number without end");
      await panel.write("amountInLamports", "99999");
      await panel.send("failed");
      await fits("failed");
    });
  });
}
