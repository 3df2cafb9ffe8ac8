// The panel in another language: the list of its sentences, and a page that gives a table of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/program.mjs";
import { importedFromPanel, inEachBrowser, withoutBrowser } from "./each-browser.mjs";
import { RABBIT, SMALL } from "./panel.mjs";

const LIST = join(root, "docs/panel-words.json");
const FUNCTIONS = [];

/** The panel's tables, and what sets their language. */
async function load() {
  const path = join(root, "pkg/src/panel/language.ts");
  const contents = `export { messages } from "./messages.js"; export { words } from "./later/words.js";
    export { speak, table } from "./language.js";`;
  const setup = ({ onResolve }) => onResolve({ filter: /\/kit\.js$/ }, () => ({ path }));
  return importedFromPanel(contents, { plugins: [{ name: "kit", setup }] });
}

/** The sentences of the panel's tables, with `{0}` for a part. */
async function sentences() {
  const { text, exported } = await load();
  const { messages, words } = exported;
  const found = [...text.matchAll(/\bsay`([^`]*)`/g)].map(([, sentence]) => {
    let at = 0;
    return sentence.replace(/\$\{[^{}]*\}/g, () => `{${at++}}`);
  });
  const walk = (one) => {
    if (typeof one === "string") found.push(one);
    else if (typeof one === "function") FUNCTIONS.push(String(one));
    else for (const part of Object.values(one)) walk(part);
  };
  walk({ messages, words });
  return [...new Set(found)].filter((sentence) => /\p{L}/u.test(sentence.replace(/\bSOL\b/g, ""))).sort();
}

const SENTENCES = JSON.parse(readFileSync(LIST, "utf8"));
/** A language whose words are longer, each of its sentences in brackets. */
const LONG = Object.fromEntries(SENTENCES.map((english) => [english, `⟦${english.replace(/[aeiou]/g, "$&$&")}⟧`]));
// As long as a button may become: three lines.
LONG["Buy for {0} SOL with {1} wallets"] += ` ⟦${"Geeldböörseen ".repeat(6)}⟧`;
Object.assign(LONG, {
  Max: "⟦Höchstbetrag⟧",
  Exits: "⟦Ausstiegspläne⟧",
  Normal: "⟦Gewöhnlich⟧",
  Fast: "⟦Beschleunigt⟧",
  Custom: "⟦Benutzerdefiniert⟧",
});
/** What is no sentence: names that others have given, units, file formats. */
const NAMES =
  /RABBIT|BOAT|Moon Rabbit|Paper Boat|Main|Sniper|Ada|Bob|Cyd|SOL|CSV|JSON|TradingView Lightweight Charts™|\bmc\b|\bSim\w{1,40}(…\w+)?|\b[\d.]+[KMBTsmhdx]\b/g;

/** The words that are seen or heard outside of the brackets. */
const wordsLeft = (root) => {
  const left = [];
  const hear = (text) => {
    for (let before; before !== text;) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/g, " ")];
    if (/\p{L}{2}/u.test(text)) left.push(text.trim());
  };
  for (const part of root.querySelectorAll("*")) {
    if (part.closest("style, .attempt dl")) continue;
    if (![...part.children].length || [...part.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
      hear(part.textContent);
    for (const name of ["aria-label", "title", "placeholder", "data-name", "data-missing"])
      if (part.hasAttribute(name)) hear(part.getAttribute(name));
  }
  return left;
};

await inEachBrowser((at) => {
  const { inChromium } = at;
  const speak = (words) => at.panel.set({ words });

  test("in another language no English word of the panel is left, and longer words have room at 320 pixels", async () => {
    const { panel } = at;
    await panel.page.setViewport({ width: SMALL[0], height: SMALL[1] });
    await at.open({ tokens: [{ mint: RABBIT, symbol: "RABBIT", name: "Moon Rabbit", soldBps: 3_000 }] });
    await panel.toggleDrawer();
    await panel.until("the drawer", () => panel.$("#fault"));
    await speak(LONG);
    await panel.untilText(".sides .buy", "⟦Buuy⟧");
    const wrong = [];
    const look = async (state) => {
      await panel.painted();
      const left = (await panel.inside(wordsLeft)).filter((text) => /\p{L}{2}/u.test(text.replace(NAMES, "")));
      const wide = await panel.page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > SMALL[0]) left.push(`it scrolls to ${wide}`);
      const isCut = (root) => [...root.querySelectorAll(".send")].some((one) => one.scrollHeight > one.clientHeight);
      if (await panel.inside(isCut)) left.push("the button is cut");
      const overfull = (root) =>
        [...root.querySelectorAll(".ticket .chips button, .sells button, .switch button")]
          .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
          .map((one) => `${one.textContent} is wider than its button`);
      left.push(...(await panel.inside(overfull)));
      for (const text of new Set(left)) wrong.push(`${state}: ${text.slice(0, 100)}`);
    };
    await look("drawer");
    await panel.toggleDrawer();
    await panel.write("amount", "0.5");
    await panel.untilText(".quote", "≈");
    await look("quote");
    await panel.press(".ticket .fold");
    await look("terms");
    await panel.press(".ticket .fold");
    await panel.write("amount", "20");
    await panel.until("a question", () => panel.$('[name="ticket-accept"]'));
    await look("type");
    await panel.trade("0.5");
    await panel.until("the outcome", () => panel.$(".attempt.landed"));
    await look("landed");
    for (const tab of ["trades", "bundle", "tokens", "wallets", "positions"]) {
      await panel.press(`#tab-${tab}`);
      await panel.until(tab, () => panel.$(`[role=tabpanel][aria-labelledby=tab-${tab}]`));
      if (tab === "tokens") await panel.until("the list", () => panel.$(".market-list"));
      if (tab === "wallets") await panel.until("the list", () => panel.$(".wallet-list"));
      if (tab === "bundle") {
        await panel.write("bundle-total", "0.1");
        await panel.press(".bundle .tools .button");
        await panel.untilText(".bundle .send", "Buuy foor");
      }
      await look(tab);
    }
    await panel.press(".exits-button");
    await panel.until("the editor", () => panel.$(".exits .start"));
    await look("editor");
    await panel.write("exits-stopLoss", "0.5x");
    await panel.press(".exits .start");
    await panel.until("running exits", () => panel.inside((root) => /⟦Ruunniing/.test(root.textContent)));
    await look("exits");
    for (const [at, shape] of ["candles", "curve", "table"].entries()) {
      await panel.press(".chart .switch button", at);
      await look(shape);
    }
    await panel.toggleDrawer();
    await panel.choose("fault", "slippage");
    await panel.toggleDrawer();
    await panel.trade("0.25");
    await panel.until("the failure", () => panel.$(".attempt.failed"));
    await look("failed");
    await panel.toggleDrawer();
    await panel.choose("fault", "lost");
    await panel.toggleDrawer();
    await panel.trade("0.25");
    await panel.until("the doubt", () => panel.$(".attempt.unknown"));
    await look("unknown");
    assert.deepEqual(wrong, []);
  });

  inChromium(
    "panels of a page have one language, that of the last table, and what is priced is said anew",
    async () => {
      const panel = await at.open({
        tokens: [{ mint: RABBIT, symbol: "RABBIT", name: "Moon Rabbit", soldBps: 3_000 }],
      });
      await panel.write("amount", "20");
      await panel.untilText(".consent", "Type");
      await speak({ Buy: "Kaufen", "Type {0} to accept.": "Zum Annehmen {0} eingeben." });
      await panel.untilText(".consent", "Zum Annehmen");
      const other = () =>
        panel.page.evaluate(() => document.querySelectorAll("launchpad-desk")[1].renderRoot.textContent);
      await panel.page.evaluate(() => {
        document.body.append(Object.assign(document.createElement("launchpad-desk"), { name: "other" }));
      });
      await panel.until("its ticket", async () => /Kaufen/.test(await other()));
      await panel.write("amount", "21");
      await panel.untilText(".consent", "Zum Annehmen");
      await panel.page.evaluate(() => {
        document.querySelectorAll("launchpad-desk")[1].words = { Buy: "Acheter" };
      });
      await panel.untilText(".sides .buy", "Acheter");
      await panel.untilText(".consent", "to accept");
      assert.match(await other(), /Acheter/);
    },
  );

  test("in a sentence that is read from the right an amount stays whole, and goes where the sentence has it", async () => {
    const panel = await at.open();
    await speak({ "Simulate: {0}": "محاكاة: {0}", "Buy again": "شراء مرة أخرى", "{0} for {1}": "{0} مقابل {1}" });
    await panel.trade("1", "مقابل");
    await panel.untilText(".send", "≈ 32.1M");
    // Where the parts of a text stand, from left to right.
    const places = (selector, ...parts) =>
      panel.inside(
        (root, selector, parts) => {
          const texts = document.createTreeWalker(root.querySelector(selector), NodeFilter.SHOW_TEXT);
          const lefts = [];
          while (texts.nextNode()) {
            for (const part of parts) {
              const from = texts.currentNode.data.indexOf(part);
              if (from < 0) continue;
              const range = document.createRange();
              range.setStart(texts.currentNode, from);
              range.setEnd(texts.currentNode, from + part.length);
              lefts.push([part, range.getBoundingClientRect().left]);
            }
          }
          return lefts.sort(([, one], [, other]) => one - other).map(([part]) => part);
        },
        selector,
        parts,
      );
    assert.deepEqual(await places(".send", "محاكاة", "شراء", "32.1", "M"), ["شراء", "32.1", "M", "محاكاة"]);
    assert.deepEqual(await places(".attempt .sentence", "+", "M", "مقابل", "SOL"), ["SOL", "مقابل", "+", "M"]);
    await panel.trade("0.5");
    await panel.until("the second", async () => (await panel.attempts()).length === 2);
  });

  inChromium("a long word beside the quote gives way to what the trade brings", async () => {
    const panel = await at.open();
    await speak({ Impact: "Auswirkung auf den Preis der Wertmarke" });
    await panel.write("amount", "1");
    await panel.untilText(".quote", "%");
    const parts = await panel.inside((root) =>
      [".headline", ".impact"]
        .map((part) => root.querySelector(`.quote ${part}`))
        .map((part) => part.scrollWidth - part.clientWidth),
    );
    assert.deepEqual(parts, [0, 0]);
  });

  inChromium(
    "two fields with one name in another language are two: the focus goes to the wrong one's own",
    async () => {
      const panel = await at.open();
      await speak({ Slippage: "Feld", "Fee payer": "Feld" });
      await panel.press("#tab-bundle");
      await panel.write("bundle-total", "1");
      await panel.press(".bundle .tools .button");
      await panel.write("bundle-slippage", "x");
      await panel.untilText(".bundle .send", "Check the");
      await panel.press(".bundle .send");
      await panel.until("the focus", () => panel.inside((root) => root.activeElement?.id === "bundle-slippage"));
    },
  );

  inChromium(
    "the button shows in each language what it sends, and sends nothing once others have changed it",
    async () => {
      const panel = await at.open();
      // The second leaves out the amount, the third would be markup.
      await speak({ "Simulate: {0}": "Probe: {0}.", "Buy {0} SOL": "Kaufen", Sell: "<b>Verkaufen</b>" });
      await panel.untilText(".sides .sell", "<b>Verkaufen</b>");
      await panel.write("amount", "0.5");
      await panel.untilText(".send", "Probe: Buy 0.5 SOL.");
      await speak({ "Simulate: {0}": "Probe: {0}.", "Buy {0} SOL": " Für {0} SOL kaufen " });
      await panel.untilText(".send", "Probe: Für 0.5 SOL kaufen.");
      assert.equal(await panel.text(".sides .sell"), "Sell", "another table renders anew");
      await panel.inside((root) => {
        const [label] = [...root.querySelector(".ticket .send").childNodes].filter(({ data }) => data?.includes("0.5"));
        label.data = label.data.replace("0.5", "0.1");
      });
      await panel.send();
      await panel.untilText(".ticket", /the button showed other words/);
      assert.deepEqual(await panel.attempts(), []);
      await panel.write("amount", "0.25");
      await panel.untilText(".send", "Probe: Für 0.25 SOL kaufen.");
      await panel.send("Landed");
      assert.match((await panel.attempts())[0], /for 0\.25 SOL/);
    },
  );
});

withoutBrowser("the list for translators has every sentence, and none is made in another way", async () => {
  const all = await sentences();
  assert.ok(FUNCTIONS.length > 100);
  // In what makes a sentence, a text without the tag would be in English for ever.
  const untagged = FUNCTIONS.filter((made) => {
    const texts = made.replace(/say`[^`]*`|=== "\w+"/g, "").match(/"[^"]*"|`[^`]*`/g) ?? [];
    return /\p{L}{2}/u.test(texts.join().replace(/\$\{[^{}]*\}|"SOL"/g, ""));
  });
  assert.deepEqual(untagged, []);
  if (process.env.UPDATE) await writeFile(LIST, `${JSON.stringify(all, null, 2)}\n`);
  assert.deepEqual(JSON.parse(await readFile(LIST, "utf8")), all, "run it with UPDATE=1");
});

withoutBrowser("a translation that is blank, or in which a part may be misread, is none", async () => {
  const { exported } = await load();
  const { messages, speak } = exported;
  const english = "Buy {0} SOL";
  for (const found of [
    "",
    " ",
    "\n",
    "1{0}",
    "{0}0",
    "1.{0}",
    "{0},5",
    "\u0661{0}",
    "\u202e{0}",
    "\u2066{0}\u2069",
    // Nobody sees what stands between: the amount would be 10.5, or 0.50.
    "1\u200b{0}",
    "1\u2060.\ufeff{0}",
    "{0}\u00ad0",
    "{0}\u3164\u115f0",
    "1\u0332{0}",
    "1\u200a{0}",
    "1\u202f{0}",
    "1'{0}",
    "1\u066b{0}",
    "{0}\u066c000",
    "1\uff0c{0}",
    "{0}\uff0e5",
    "1_{0}",
    "{0}{0}",
    7,
  ]) {
    speak({ [english]: found });
    assert.equal(messages.send.buy("0.5"), "Buy 0.5 SOL", JSON.stringify(found));
  }
  speak({ [english]: " {0} SOL kaufen, 1 mal " });
  assert.equal(messages.send.buy("0.5"), "0.5 SOL kaufen, 1 mal");
  // Letters of other scripts are joined or parted by such characters, and a sign may stand beside an amount.
  speak({ [english]: "\u200f+{0} می\u200cخرید" });
  assert.equal(messages.send.buy("0.5"), "\u2067\u200f+\u20680.5\u2069 می\u200cخرید\u2069");
  // Right to left, too: presentation forms, and scripts beyond the first planes.
  for (const found of ["\ufeb7\ufeae\ufe8d\ufeed {0}", "\u{1e900} {0}"]) {
    speak({ [english]: found });
    assert.equal(messages.send.buy("0.5"), `\u2067${found.replace("{0}", "\u20680.5\u2069")}\u2069`);
  }
  // Two parts without anything to see between them would be one number: for 0.52 SOL.
  for (const found of ["{0}{1} SOL", "{0}\u200b{1} SOL", "{1}.{0} SOL"]) {
    speak({ "Buy for {0} SOL with {1} wallets": found });
    assert.equal(messages.bundle.buy("0.5", 2), "Buy for 0.5 SOL with 2 wallets", JSON.stringify(found));
  }
  speak(Object.fromEntries(SENTENCES.map((one) => [one, one])));
  assert.deepEqual(Object.keys(exported.table), SENTENCES, "none of the English ones misleads");
  speak(Object.fromEntries(SENTENCES.map((one) => [one, ""])));
  assert.equal(messages.live.nowLive, "The gateway now trades with real money. Reload the page.");
  assert.equal(messages.send.simulated(messages.send.buy("0.5")), "Simulate: buy 0.5 SOL");
  assert.equal(messages.causes.constructor, undefined, "a service may name any code");
});
