// What is shown is what is sent: whatever a token is called, and whatever a translator makes of the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { DESKTOP, HALF, PHONE, SMALL } from "./panel.mjs";

const MINT = "SimLongName111111111111111111111111111111111";

/** Runs in the page: puts other words into a button, in an element of its own, as translators do. */
const rewrite = (root, selector, words) => {
  const walk = document.createTreeWalker(root.querySelector(selector), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) if (walk.currentNode.data.trim()) texts.push(walk.currentNode);
  const font = document.createElement("font");
  font.textContent = words;
  texts[0].replaceWith(font);
  for (const text of texts.slice(1)) text.remove();
};

/** Runs in the page: the texts of an element from left to right, as they are painted. */
const leftToRight = (root, selector) => {
  const walk = document.createTreeWalker(root.querySelector(selector), NodeFilter.SHOW_TEXT);
  const signs = [];
  while (walk.nextNode()) {
    const { data } = walk.currentNode;
    for (const { index, segment } of new Intl.Segmenter().segment(data)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + segment.length);
      const { left, width } = range.getBoundingClientRect();
      if (width) signs.push({ left, segment });
    }
  }
  return signs
    .toSorted((one, other) => one.left - other.left)
    .map(({ segment }) => segment)
    .join("");
};

await inEachBrowser((at) => {
  const { inChromium } = at;
  const named = (symbol, name = symbol) => at.open({ tokens: [{ mint: MINT, symbol, name }] });

  test("a translator leaves the panel alone, and a button whose words are others sends nothing and says so", async () => {
    const panel = await at.open();
    assert.equal(await panel.inside((root) => root.querySelector(".desk").translate), false);
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "buy 0.1 SOL");
    await panel.painted();
    await panel.inside(rewrite, ".send", "Simulieren: kaufe 0,1 SOL");
    await panel.write("amount", "1");
    await panel.untilText(".quote", "≈ 34.2M RABBIT");
    assert.equal(await panel.text(".send"), "Simulieren: kaufe 0,1 SOL", "what is shown is out of date");
    await panel.click(".send");
    await panel.untilText(".consent", "Nothing was sent");
    assert.match(await panel.inside((root) => root.querySelector("[role=alert]").textContent), /Nothing was sent/);
    await panel.page.keyboard.down("Control");
    await panel.inside((root) => root.querySelector("[name=amount]").focus());
    await panel.key("Enter");
    await panel.page.keyboard.up("Control");
    await panel.painted();
    assert.equal((await panel.attempts()).length, 0);
  });

  inChromium("in instant mode a preset amount whose words are others sends nothing and says so", async () => {
    const panel = await at.open();
    await panel.beginInstant("0.5", "2");
    const chip = ".amount .chips button:nth-child(2)";
    assert.equal(await panel.text(chip), "0.5");
    await panel.inside(rewrite, chip, "0,05");
    await panel.press(chip);
    await panel.untilText(".consent", "Nothing was sent");
    assert.equal((await panel.attempts()).length, 0);
  });

  for (const [kind, symbol] of [
    ["a right-to-left mark", "MO\u200F\u202EON\u2067"],
    ["right-to-left letters", "\u05D0\u05D1\u05D2"],
  ])
    test(`a name with ${kind} turns nothing around that stands beside it`, async () => {
      const { panel } = at;
      await named(symbol);
      await panel.untilText(".rate", "before fees");
      assert.match(await panel.inside(leftToRight, ".rate"), /^1 SOL ≈ [\d.]+M .{3,8}, before fees$/u);
      await panel.write("amount", "1");
      await panel.untilText(".quote", "≈ 34.2M");
      assert.match(await panel.inside(leftToRight, ".quote .headline"), /^≈ 34\.2M .{3,8}$/u);
      await panel.send("Landed");
      assert.match(await panel.inside(leftToRight, ".attempt .what"), /^Buy .{3,8} for 1 SOL$/u);
      await panel.press(".sides .sell");
      await panel.write("amount", "1000");
      await panel.untilText(".send", "sell 1000");
      assert.match(await panel.inside(leftToRight, ".send"), /^Simulate: sell 1000 .{3,8}$/u);
    });

  test("a page that is written from right to left turns no amount around, and every slippage is there", async () => {
    const panel = await at.open();
    await panel.page.evaluate(() => (document.documentElement.dir = "rtl"));
    assert.match(await panel.inside(leftToRight, ".rate"), /^1 SOL ≈ [\d.]+M RABBIT, before fees$/);
    await panel.write("amount", "0.5");
    await panel.untilText(".quote", "≈ 17.4M RABBIT");
    assert.match(await panel.inside(leftToRight, ".quote .headline"), /^≈ 17\.4M RABBIT$/);
    assert.match(await panel.inside(leftToRight, ".consent dd:last-child"), /^[\d.]+ SOL$/);
    assert.deepEqual(await panel.texts(".slippage .chips button"), ["0.5", "1", "2", "5"]);
  });

  for (const symbol of ["W".repeat(60), "Z\u0338\u0327\u031B\u0302\u0311".repeat(10)])
    test(`a name of ${symbol.length} characters covers neither the price nor the sides, and is whole in a title`, async () => {
      const { panel } = at;
      await named(symbol, `${symbol}ok`);
      await panel.write("amount", "1");
      await panel.untilText(".quote", "≈ 34.2M");
      for (const [width, height] of [DESKTOP, HALF, PHONE, SMALL]) {
        await panel.page.setViewport({ width, height });
        await panel.painted();
        const wrong = await panel.inside((root) => {
          const found = [];
          for (const selector of [".price .large .figure", ".sides .buy", ".sides .sell", "[name=amount]", ".send"]) {
            const part = root.querySelector(selector);
            part.scrollIntoView({ block: "center" });
            const { left, right, top, bottom } = part.getBoundingClientRect();
            for (const [x, y] of [
              [left + 2, top + 2],
              [(left + right) / 2, (top + bottom) / 2],
              [right - 2, bottom - 2],
            ]) {
              const there = root.elementFromPoint(x, y);
              if (!there || !(part.contains(there) || there.contains(part)) || x > innerWidth || x < 0)
                found.push(`${selector} at ${x}, ${y}: ${there?.outerHTML.slice(0, 80)}`);
            }
          }
          for (const text of root.querySelectorAll("#token-name, .quote .headline, .unit")) {
            const { right, height } = text.getBoundingClientRect();
            if (right > innerWidth + 1 || height > 80) found.push(`${text.className || text.id}: ${right}, ${height}`);
          }
          if (document.documentElement.scrollWidth > innerWidth) found.push("it scrolls sideways");
          return found;
        });
        assert.deepEqual(wrong, [], `${width}`);
      }
      assert.ok((await panel.attribute("#token-name", "title")).endsWith(`${symbol}ok`));
    });
});
