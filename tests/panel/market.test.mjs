// The market around the ticket: it moves by itself, is drawn and described in words, survives a reload, and fails on request.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { inEachBrowser } from "./each-browser.mjs";
import { BOB, RABBIT } from "./panel.mjs";

await inEachBrowser((at) => {
  let panel;
  const { inChromium } = at;
  beforeEach(() => ({ panel } = at));
  const open = (sandbox = null) => at.open(sandbox);
  /** What the wallet holds, as the ticket says it. */
  const holds = () => panel.text("#wallet-note");

  test("moves visibly from the first second", async () => {
    await open();
    const price = await panel.text(".price .tick");
    assert.match(price, /^0\.0[₀-₉]\d{4} 0\.0+\d+ SOL$/, "as people write it, and in full for a screen reader");
    const first = await panel.text(".trades tbody tr");
    await panel.until("another price", async () => (await panel.text(".price .tick")) !== price);
    await panel.until("another trade", async () => (await panel.text(".trades tbody tr")) !== first);
  });

  inChromium("leaves nothing behind in the page as it moves", async () => {
    await open();
    await panel.toggleDrawer();
    await panel.press(".drawer .switch button", 3);
    const nodes = () => panel.inside((root) => root.querySelector(".trades tbody").childNodes.length);
    const newest = () => panel.text(".trades tbody tr");
    await panel.until("a full tape", async () => (await panel.texts(".trades tbody tr")).length === 30);
    const before = await nodes();
    for (let moves = 0, last = await newest(); moves < 8; moves++, last = await newest())
      await panel.until("another trade", async () => (await newest()) !== last);
    assert.equal(await nodes(), before);
  });

  inChromium("renders what shows it as it moves, and nothing else", async () => {
    await open();
    await panel.trade("0.5", "Landed");
    await panel.click("#tab-trades");
    const session = await panel.page.createCDPSession();
    const scripts = new Map();
    session.on("Debugger.scriptParsed", ({ scriptId }) => scripts.set(scriptId, ""));
    for (const domain of ["Debugger", "Profiler"]) await session.send(`${domain}.enable`);
    for (const scriptId of scripts.keys())
      scripts.set(scriptId, (await session.send("Debugger.getScriptSource", { scriptId })).scriptSource);
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    /** What each of these functions was called since the last question: the smallest that has such a template. */
    const called = async (templates) => {
      const { result } = await session.send("Profiler.takePreciseCoverage");
      const functions = result
        .flatMap(({ scriptId, functions }) => functions.map(({ ranges: [range] }) => ({ scriptId, ...range })))
        .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
      const text = ({ scriptId, startOffset, endOffset }) => scripts.get(scriptId)?.slice(startOffset, endOffset) ?? "";
      return templates.map((template) => functions.find((each) => text(each).includes(template))?.count ?? 0);
    };
    const newest = () => panel.text(".trades tbody tr");
    const moves = async () => {
      for (let count = 0, last = await newest(); count < 3; count++, last = await newest())
        await panel.until("another trade", async () => (await newest()) !== last);
    };
    // What is read out after a trade is over.
    await panel.untilText(".desk > .spoken", "Landed");
    await called([]);
    await moves();
    const still = ['id="keys"', 'id="drawer"', 'class="outcomes"', 'class="tablist"', 'class="badge '];
    const counts = await called(['part="header"', 'part="trades"', 'part="chart"', 'part="ticket"', ...still]);
    assert.ok(
      counts.slice(0, 4).every((count) => count >= 3),
      `${counts}`,
    );
    assert.deepEqual(
      counts.slice(4),
      still.map(() => 0),
    );
    await panel.toggleDrawer();
    assert.ok((await called(still)).every((count) => count > 0));
  });

  test("is drawn by a file that comes later, and said in words and in a table", async () => {
    await open();
    await panel.chart();
    assert.match(
      await panel.attribute(".canvas", "aria-label"),
      /^Price of RABBIT over \d+m: from 0\.0+\d+ to 0\.0+\d+ SOL, [+−]\d.* %; lowest .* highest .* SOL traded\.$/,
    );
    await panel.click(".chart .switch button:nth-child(2)");
    assert.match(await panel.attribute(".curve svg", "aria-label"), /^The curve of RABBIT: [\d.]+ % sold/);
    await panel.click(".chart .switch button:nth-child(3)");
    assert.match(await panel.text(".chart tbody tr"), /^\d\d:\d\d:\d\d 0\.0/);
  });

  test("marks one's own trades and their average cost, on the picture and in words", async () => {
    // What was ever shown as text; and of each canvas, what stands there and where, and how far right the volumes below the candles reach.
    await panel.page.evaluateOnNewDocument(() => {
      window.drawn = new Set();
      const { fillText, fillRect, clearRect } = CanvasRenderingContext2D.prototype;
      const shown = (context) => (context.canvas.shown ??= { texts: [], right: 0 });
      Object.assign(CanvasRenderingContext2D.prototype, {
        fillText(text, x, ...more) {
          window.drawn.add(text);
          const { width } = this.measureText(text);
          shown(this).texts.push({
            text,
            left: Math.round(this.textAlign === "right" ? x - width : this.textAlign === "center" ? x - width / 2 : x),
          });
          return fillText.call(this, text, x, ...more);
        },
        fillRect(x, y, width, height) {
          // So the chart clears a canvas, or with clearRect, before it draws all of it again.
          if (this.globalCompositeOperation === "copy") this.canvas.shown = undefined;
          if (/, 0\.35\d*\)$/.test(this.fillStyle)) shown(this).right = Math.max(shown(this).right, x + width);
          return fillRect.call(this, x, y, width, height);
        },
        clearRect(...place) {
          this.canvas.shown = undefined;
          return clearRect.call(this, ...place);
        },
      });
    });
    await open();
    await panel.standStill();
    await panel.chart();
    const drawn = () => panel.page.evaluate(() => ["B", "S", "cost"].filter((text) => window.drawn.has(text)));
    const send = async (count) => {
      await panel.click(".send");
      await panel.until("it to land", async () => (await panel.texts(".attempt.landed")).length === count);
    };
    const words = () => panel.attribute(".canvas", "aria-label");
    await pause(500);
    assert.deepEqual(await drawn(), []);
    const byPrice = await words();
    await panel.click(".chart .axis");
    await panel.until("its market cap", async () => (await words()).startsWith("Market cap of RABBIT over"));
    // There are a thousand million whole tokens.
    const ends = (text) =>
      text
        .match(/from ([\d.,]+) to ([\d.,]+) SOL/)
        .slice(1)
        .map((end) => Number(end.replaceAll(",", "")));
    ends(await words()).forEach((end, at) =>
      assert.ok(Math.abs(end / (ends(byPrice)[at] * 1e9) - 1) < 0.001, `${end} and ${ends(byPrice)[at]}`),
    );
    assert.equal(
      Math.abs(ends(await words())[1] / parseFloat(await panel.text(".header .facts .figure")) - 1) < 0.001,
      true,
    );
    await panel.write("slippage", "5");
    await panel.write("amount", "1");
    await send(1);
    await panel.until("the buy and its cost", async () => (await drawn()).join() === "B,cost");
    assert.match(await words(), /Marked: cost, \d\d\.\d+ SOL\. Of your trades: 1 bought, 0 sold\.$/);
    // No time stands there twice, and the newest candle is not below a label.
    await panel.write("amount", "0.1");
    await panel.until("the label", async () => (await words()).includes("after buy"));
    for (const width of [320, 1280]) {
      await panel.page.setViewport({ width, height: 800 });
      await panel.until("its size", () =>
        panel.inside(
          (root, width) =>
            root.querySelector(".canvas canvas").clientWidth > width / 4 &&
            root.querySelector(".canvas").clientWidth < width,
          width,
        ),
      );
      let shown, texts, times;
      // A busy machine draws the new size late, and each canvas by itself.
      await panel.until("two times below it", async () => {
        await panel.painted();
        shown = await panel.inside((root) =>
          [...root.querySelectorAll(".canvas canvas")].flatMap((canvas) => canvas.shown ?? []),
        );
        texts = shown.flatMap(({ texts }) => texts);
        times = texts.filter(({ text }) => /^\d\d:\d\d/.test(text)).map(({ text }) => text);
        return times.length > 1;
      });
      assert.deepEqual(times, [...new Set(times)]);
      const label = Math.min(
        ...texts.filter(({ text }) => ["cost", "after buy"].includes(text)).map(({ left }) => left),
      );
      const right = Math.max(...shown.map(({ right }) => right));
      assert.ok(
        right > 50 && right < label - 3,
        `at ${width} the newest candle ends at ${right}, the first label begins at ${label}`,
      );
    }
    await panel.reload();
    await panel.until("the market cap again", async () => (await words())?.startsWith("Market cap of RABBIT"));
    assert.equal(await panel.attribute(".chart .axis", "aria-pressed"), "true");
    await panel.click(".chart .axis");
    await panel.until("its price again", async () => (await words()).startsWith("Price of RABBIT"));
    assert.match(await words(), /Marked: cost, 0\.0+\d+ SOL\. Of your trades: 1 bought, 0 sold\.$/);
    await panel.click(".sides .sell");
    await panel.write("amount", "50 %");
    await send(2);
    await panel.until("the sell", async () => (await drawn()).includes("S"));
    assert.match(await words(), /Of your trades: 1 bought, 1 sold\.$/);
    // The cost is the picked wallet's.
    await panel.pick("wallet", BOB);
    await panel.until("no cost", async () => !(await words()).includes("cost"));
  });

  test("flashes at a tick, and only then", async () => {
    await open();
    await panel.inside((root) => {
      window.flashes = [];
      root.addEventListener("animationstart", ({ target, animationName }) =>
        window.flashes.push(`${target.className} ${animationName}`),
      );
    });
    const flashes = () =>
      panel.page.evaluate(() => window.flashes.filter((flash) => flash === "tick desk-tick").length);
    await panel.until("a flash", flashes);
    await panel.standStill();
    await pause(500);
    const before = await flashes();
    await pause(1_000);
    assert.equal(await flashes(), before);
  });

  inChromium("says what the token is worth in all and how far its curve has come, and copies its mint", async () => {
    await panel.page.evaluateOnNewDocument(
      () => (navigator.clipboard.writeText = async (text) => void (window.copied = text)),
    );
    await open({});
    const facts = () => panel.text(".header .facts");
    const bar = () => panel.attribute(".header .gauge rect", "width");
    assert.equal(await facts(), "Market cap 27.96 SOL Curve sold 0 %");
    assert.equal(await bar(), "0");
    await panel.trade("1", "Landed");
    await panel.untilText(".header .facts", "Market cap 29.83 SOL Curve sold 4.31 %");
    assert.equal(await bar(), "4.31");
    assert.equal(await panel.attribute(".header .facts .figure", "value"), "29.830218087 SOL");
    await panel.click(".under .mono");
    await panel.untilText('.desk > [role="status"]', "The mint was copied.");
    assert.equal(await panel.page.evaluate(() => window.copied), RABBIT);
  });

  test("is drawn in the colours of another theme at once, also while time stands still", async () => {
    await open();
    await panel.chart();
    await panel.standStill();
    await pause(500);
    const drawn = () => panel.inside((root) => root.querySelector(".canvas canvas").toDataURL());
    const light = await drawn();
    const put = (theme) => panel.inside((root, theme) => root.host.setAttribute("theme", theme), theme);
    await put("dark");
    await panel.until("other colours", async () => (await drawn()) !== light);
    await put("light");
    await panel.until("the first ones", async () => (await drawn()) === light);
  });

  inChromium("draws the step of the quoted trade on the curve", async () => {
    await open();
    await panel.click(".chart .switch button:nth-child(2)");
    assert.equal(await panel.$(".curve .step"), null);
    await panel.write("amount", "2");
    await panel.until("the step", () => panel.$(".curve .step.buy"));
    assert.match(await panel.attribute(".curve svg", "aria-label"), /After your buy it would be 0\.0+\d+ SOL\.$/);
  });

  test("goes on where it stood after a reload", async () => {
    await open();
    await panel.standStill();
    const price = await panel.text(".price .tick");
    const trade = await panel.text(".trades tbody tr");
    await panel.reload();
    assert.equal(await panel.text(".price .tick"), price);
    assert.equal(await panel.text(".trades tbody tr"), trade);
  });

  inChromium("keeps a trade over a reload; asks before it starts over, and forgets everything then", async () => {
    await open({});
    await panel.trade("1", "Landed");
    const after = await holds();
    await panel.reload();
    await panel.toggleDrawer();
    const press = (text) => panel.press(".drawer button", text);
    await press("Start over");
    await panel.untilText(".ask", "Everything in this sandbox is lost");
    await press("Keep it");
    assert.notEqual(after, "Holds 100 SOL");
    assert.equal(await holds(), after);
    await press("Start over");
    await press("Yes, start over");
    await panel.untilText("#wallet-note", "Holds 100 SOL");
    await panel.untilOpen();
    assert.deepEqual(await panel.attempts(), []);
    await panel.reload();
    assert.equal(await holds(), "Holds 100 SOL");
  });

  inChromium("goes wrong as its drawer says, and funds a wallet", async () => {
    await open({});
    await panel.toggleDrawer();
    await panel.choose("fault", "busy");
    await panel.trade("1", "Rejected");
    await panel.press(".drawer button", "10 SOL for Ada");
    await panel.untilText("#wallet-note", "Holds 110 SOL");
  });
});
