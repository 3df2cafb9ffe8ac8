// Positions and history: the tabs below the chart.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { ADA, BOB, RABBIT } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  /** Sends what is entered, and waits for what becomes of it. */
  const order = async (side, amount) => {
    const { panel } = at;
    const newest = await panel.attribute(".attempt", "data-intent");
    await panel.write("amount", amount);
    await panel.untilText(".send", `Simulate: ${side}`);
    await panel.click(".ticket .send");
    await panel.until("another one", async () => (await panel.attribute(".attempt", "data-intent")) !== newest);
    await panel.until("its outcome", async () => !(await panel.text(".attempt")).includes("Sending"));
  };
  const buy = (amount) => order("buy", amount);
  const tab = (name) => at.panel.click(`#tab-${name}`);
  const cells = (row) => at.panel.texts(`${row} th, ${row} td`);
  /** What a file holds that the button saves. */
  const saved = async (label) => {
    await at.panel.page.evaluate(() => {
      const { createObjectURL } = URL;
      window.saved = undefined;
      URL.createObjectURL = (blob) => {
        window.saved = blob.text();
        return createObjectURL(blob);
      };
      HTMLAnchorElement.prototype.click = () => {};
    });
    await at.panel.press("button", label);
    return at.panel.page.evaluate(() => window.saved);
  };

  inChromium("without any, says what to do next", async () => {
    const panel = await at.open();
    assert.match(await panel.text("[role=tabpanel]"), /^Nothing held yet\. Buy with the ticket/);
    await tab("trades");
    assert.match(await panel.text("[role=tabpanel]"), /^Nothing sent yet\. Each trade/);
  });

  test("the arrow keys go from tab to tab", async () => {
    const panel = await at.open();
    await tab("positions");
    for (const name of ["trades", "bundle", "tokens", "wallets", "positions"]) {
      await panel.page.keyboard.press("ArrowRight");
      await panel.until(name, () =>
        panel.inside(
          (root, name) =>
            root.activeElement?.id === `tab-${name}` && root.activeElement.getAttribute("aria-selected") === "true",
          name,
        ),
      );
    }
  });

  inChromium("a position has its cost, and its profit after all fees", async () => {
    const panel = await at.open();
    await buy("1");
    const [token, wallet, held, worth, cost, profit, sell] = await cells(".positions tbody tr");
    assert.deepEqual([token, wallet, held], ["RABBIT", "Ada", "34.2M"]);
    // The sell of everything pays back what the buy has moved, less both trading fees; the network fee of each is a cost.
    assert.equal(worth, "0.9753 SOL");
    assert.equal(await panel.attribute(".positions td:nth-child(4) .figure", "value"), "0.975303639 SOL");
    assert.equal(cost, "0.0₇2924");
    assert.equal(profit, "−0.0247 SOL −2.47 %");
    assert.equal(await panel.attribute(".positions td:nth-child(6) .figure", "value"), "−0.024701361 SOL");
    assert.equal(sell, "25 % 50 % 100 % Exits");
    assert.deepEqual(await violations(panel), []);
    assert.match(await panel.text(".totals"), /^Realised 0 SOL · unrealised −0\.0247 SOL/);
  });

  inChromium(
    "what a SOL costs in dollars is the page's word: shown beside the SOL, to the cent, for two minutes",
    async () => {
      const panel = await at.open();
      const rate = (usd) => panel.set({ solPriceUsd: usd });
      const dollarsIn = async () => (await panel.text(".desk")).match(/\$[\d.,KM]+/g) ?? [];
      /** What the exact figure there is in dollars, at 142.37, by other maths than the panel's. */
      const expected = async (selector) => {
        const exact = await panel.inside((root, selector) => root.querySelector(`${selector} data`).value, selector);
        const sol = Number(exact.replace(/,| SOL/g, "").replace("−", "-"));
        return `≈ ${sol < 0 ? "−" : ""}$${(Math.round(Math.abs(sol) * 14_237) / 100).toLocaleString("en", { minimumFractionDigits: 2 })}`;
      };
      await buy("1");
      await tab("positions");
      await panel.write("amount", "0.5");
      assert.deepEqual(await dollarsIn(), []);
      await panel.page.evaluate(() => {
        const { setTimeout } = window;
        window.setTimeout = (act, ms) =>
          ms > 100_000 ? ((window.later = act), (window.laterMs = ms)) : setTimeout(act, ms);
      });
      await rate("142.37");
      // 71.185 dollars: a half goes up.
      await panel.untilText("#amount-worth", "≈ $71.19");
      assert.equal(await panel.attribute("#amount", "aria-describedby"), "amount-note amount-worth");
      assert.equal(await panel.text(".header .facts .usd"), await expected(".header .facts"));
      const [worth, , gain] = [4, 5, 6].map((nth) => `.positions td:nth-child(${nth})`);
      assert.ok((await panel.text(worth)).endsWith(await expected(worth)), await panel.text(worth));
      assert.match(await expected(gain), /^≈ −\$\d/);
      assert.ok((await panel.text(gain)).endsWith(await expected(gain)), await panel.text(gain));
      await panel.click(".sides .sell");
      await panel.write("amount", "50 %");
      await panel.untilText(".quote", "SOL");
      assert.equal(await panel.text("#amount-worth"), await expected(".quote .headline"));
      for (const part of [".head", ".side", ".below"]) assert.deepEqual(await violations(panel, part), []);
      // Set again, with the same text, it counts from then.
      await panel.page.evaluate(() => (window.laterMs = 0));
      await rate("142.37");
      assert.ok((await panel.page.evaluate(() => window.laterMs)) > 119_000);
      await rate("1000000");
      await panel.untilText(".header .facts .usd", /^≈ \$\d\d\.\dM$/);
      await panel.page.evaluate(() => window.later());
      await panel.until("none, once it is old", async () => !(await dollarsIn()).length);
      assert.deepEqual(panel.faults, []);
      for (const [usd, why] of [
        [142.37, "is not a text"],
        ["1e2", "is not a number"],
        ["0", "must be above zero"],
      ]) {
        await rate("142.37");
        await panel.until("dollars", async () => (await dollarsIn()).length);
        await rate(usd);
        await panel.until("none, if it cannot be read", async () => !(await dollarsIn()).length);
        const fault = await panel.until("the page's error", () => panel.faults.shift());
        assert.ok(fault.includes("solPriceUsd") && fault.includes(why), fault);
      }
      await rate(null);
      assert.deepEqual(await dollarsIn(), []);
    },
  );

  inChromium("one tap on a part of a position opens the plan of it in the ticket, and sends nothing", async () => {
    const panel = await at.open();
    await buy("1");
    await panel.pick("wallet", BOB);
    for (const part of ["25 %", "50 %", "100 %"]) {
      const button = `.positions .button[aria-label="Sell ${part} of the RABBIT of Ada"]`;
      assert.equal(await panel.text(button), part);
      await panel.click(button);
      await panel.untilText(".ticket .send", `Simulate: sell ${part}`);
      assert.equal(await panel.value("wallet"), ADA);
      assert.equal(await panel.inside((root) => root.activeElement?.className.includes("send")), true);
    }
    assert.equal((await panel.attempts()).length, 1);
    await panel.click(".ticket .send");
    await panel.untilText(".attempt", /Landed Sell/);
    assert.equal((await panel.attempts()).length, 2);
    assert.match(
      await panel.text("[role=tabpanel]"),
      /^Everything is sold\..*Realised −0\.0247 SOL · unrealised 0 SOL/,
    );
  });

  test("Enter held down on 100 % opens the plan, and does not send it", async () => {
    const panel = await at.open();
    await buy("1");
    // The outcome may be there a frame before its position.
    await panel.until("its position", () => panel.$(".positions .button"));
    await panel.inside((root) => root.querySelector(".positions .button:nth-child(3)").focus());
    await panel.painted();
    await panel.page.keyboard.down("Enter");
    await panel.untilText(".ticket .send", "Simulate: sell 100 %");
    await panel.until("the focus on the button", () =>
      panel.inside((root) => root.activeElement?.className.includes("send")),
    );
    for (let repeats = 0; repeats < 3; repeats++) await panel.page.keyboard.down("Enter");
    await panel.page.keyboard.up("Enter");
    await pause(300);
    assert.equal((await panel.attempts()).length, 1);
    await panel.key("Enter");
    await panel.until("the sale", async () => (await panel.attempts()).length === 2);
  });

  inChromium("the history has what the panel sent, with its outcome; never what only the sandbox knows", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "noAnswer" }, { kind: "rateLimited" }] } });
    await buy("1");
    await panel.pick("wallet", BOB);
    await buy("0.5");
    await tab("trades");
    const rows = await panel.texts(".history tbody tr");
    assert.equal(rows.length, 2);
    assert.deepEqual(await violations(panel), []);
    assert.match(rows[0], /Buy RABBIT for 0\.5 SOL Bob Rejected The service refused it/);
    assert.match(rows[1], /Buy RABBIT for 1 SOL Ada Unknown We do not know yet/);
    assert.doesNotMatch(rows.join(), /Landed/);
    await panel.click(".history .button");
    assert.equal(await panel.inside((root) => root.activeElement?.classList.contains("unknown")), true);
  });

  test("a closed position says what it gained, and is saved as a picture that says whether it was simulated", async () => {
    const panel = await at.open();
    const trade = async (side, amount) => {
      await panel.click(`.sides .${side}`);
      await order(side, amount);
    };
    const closed = () => panel.texts(".closed li");
    await tab("positions");
    await trade("buy", "1");
    await trade("sell", "50 %");
    assert.deepEqual(await closed(), [], "half of it is still held");
    await trade("sell", "100 %");
    await panel.until("a closed position", async () => (await closed()).length);
    assert.doesNotMatch(await panel.text(".ticket"), /Would fail/, "nobody has asked for another sale");
    // In a market that stands still, what is lost is the fees of the three trades.
    const [row, ...more] = await closed();
    assert.match(row, /^RABBIT Ada · held \d+[sm] −0\.0\d+ SOL 0\.9\d× Save picture$/);
    assert.deepEqual(more, []);
    const realised = await panel.inside((root) => root.querySelector(".totals .figure").value);
    assert.equal(
      await panel.inside((root) => root.querySelector(".closed .figure").value),
      realised,
      "as the books have it",
    );
    await panel.page.setViewport({ width: 320, height: 640 });
    assert.deepEqual(await violations(panel), []);
    assert.deepEqual(await panel.misfits(".closed button"), []);
    const picture = await panel.page.evaluate(async () => {
      const written = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        if (this.canvas.width === 1200) written.push(text);
        return fillText.call(this, text, ...place);
      };
      const { createObjectURL } = URL;
      const saved = new Promise((resolve) => {
        URL.createObjectURL = (blob) => (resolve(blob), createObjectURL(blob));
      });
      HTMLAnchorElement.prototype.click = () => {};
      document.querySelector("launchpad-desk").shadowRoot.querySelector(".closed button").click();
      const blob = await saved;
      const { width, height } = await createImageBitmap(blob);
      return { written, type: blob.type, width, height };
    });
    assert.deepEqual([picture.type, picture.width, picture.height], ["image/png", 1200, 630]);
    const [symbol, multiple, profit, held, note] = picture.written;
    assert.equal(symbol, "RABBIT");
    assert.ok(row.includes(`${profit} ${multiple}`), `${row}, and the picture: ${profit} ${multiple}`);
    assert.match(held, /^Held for \d+[sm] · after all fees, without rent$/);
    assert.equal(note, "Simulated: no real money");
    // While a trade is in doubt, nothing is said.
    await panel.toggleDrawer();
    await panel.choose("fault", "lost");
    await trade("buy", "0.25");
    await panel.until("none, in doubt", async () => !(await closed()).length);
  });

  inChromium("is read page by page, and saved whole: every figure exact, as CSV and as JSON", async () => {
    const panel = await at.open();
    for (let count = 0; count < 11; count++) {
      await buy(`0.01${"0".repeat(count)}`);
      await panel.untilText(".attempt", "Landed");
      await panel.untilText(".ticket .send", /^Simulate: buy again/);
    }
    await tab("trades");
    const count = async () => (await panel.texts(".history tbody tr")).length;
    assert.equal(await panel.text(".history-foot span"), "Page 1 of 2, 11 trades");
    assert.equal(await count(), 10);
    await panel.press(".history-foot button", "Older");
    await panel.untilText(".history-foot span", "Page 2 of 2");
    assert.equal(await count(), 1);
    const csv = (await saved("CSV")).split("\r\n");
    assert.equal(
      csv[0],
      "time,intentId,operation,mint,symbol,wallet,simulated,outcome,found,tokens,sol,netSol,feesSol,networkFeeSol,estimated,signature,reason",
    );
    assert.equal(csv.length, 13);
    assert.match(
      csv[11],
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z,[0-9a-f-]+,buy,${RABBIT},RABBIT,${ADA},true,landed,,\\d+\\.\\d{1,6},0\\.01,-0\\.01149344,0\\.000123458,0\\.000005,,SIM\\w+,$`,
      ),
    );
    const [newest, ...others] = JSON.parse(await saved("JSON"));
    assert.equal(others.length, 10);
    assert.deepEqual(JSON.parse(newest.body).amountInLamports, 10_000_000);
    assert.match(newest.answer.receipt.tokens, /^\d+$/);
  });
});
