// Keys for what is done most: they work in the panel, not in its fields, and none of them sends.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { BOB } from "./panel.mjs";

await inEachBrowser((at) => {
  const focused = () => at.panel.inside((root) => root.activeElement?.className ?? "");

  test("keys choose the side, an amount and a wallet, and lead to the button; Enter there sends", async () => {
    const { panel } = at;
    const { keyboard } = panel.page;
    await at.open();
    await panel.click(".sides .buy");
    await keyboard.press("2");
    await panel.untilText(".send", "Simulate: buy 0.5 SOL");
    await panel.until("the button", async () => (await focused()).includes("send"));
    for (const key of ["b", "r", "w", "3", "1"]) await keyboard.press(key);
    await panel.untilText(".send", "Simulate: buy 0.1 SOL");
    assert.equal(await panel.value("wallet"), BOB);
    await pause(200);
    assert.deepEqual(await panel.attempts(), [], "no key has sent anything");
    await panel.key("Enter");
    await panel.untilText(".attempt", "Landed");
    await panel.until("its outcome", async () => (await focused()) === "result");
    await keyboard.press("s");
    await panel.until("the button, though what had the focus is gone", async () => (await focused()).includes("send"));
    await keyboard.press("4");
    await panel.untilText(".send", "Simulate: sell 100 %");
  });

  test("in a field a key is a character, and with Ctrl it is the browser's", async () => {
    const { panel } = at;
    const { keyboard } = panel.page;
    await at.open();
    await panel.write("amount", "1");
    await keyboard.press("2");
    assert.equal(await panel.value("amount"), "12");
    await keyboard.type("s?");
    assert.equal(await panel.attribute(".sides .buy", "aria-pressed"), "true");
    assert.equal(await panel.attribute("#keys", "hidden"), "");
    await panel.click(".sides .buy");
    await panel.inside((root) =>
      root
        .querySelector(".sides .buy")
        .dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true, bubbles: true, composed: true })),
    );
    assert.equal(await panel.attribute(".sides .buy", "aria-pressed"), "true");
  });

  test("they work without the focus only once the trader has turned that on, over a reload too, and in no field of the page", async () => {
    const { panel } = at;
    const { keyboard } = panel.page;
    const side = () => panel.attribute(".sides .sell", "aria-pressed");
    const outside = () =>
      panel.page.evaluate(() => {
        const field = document.querySelector("#elsewhere") ?? document.createElement("button");
        field.id = "elsewhere";
        document.body.append(field);
        field.focus();
      });
    await at.open();
    await outside();
    await keyboard.press("s");
    await panel.painted();
    assert.equal(await side(), "false");
    await panel.press(".keys-button");
    await panel.press("[name=keys-everywhere]");
    await outside();
    await keyboard.press("s");
    await panel.until("the side", async () => (await side()) === "true");
    await panel.reload();
    await panel.page.evaluate(() => {
      document.body.append(Object.assign(document.createElement("p"), { id: "note", contentEditable: "true" }));
      document.querySelector("#note").focus();
    });
    await keyboard.press("s");
    await panel.painted();
    assert.equal(await side(), "false", "there it is a character");
    assert.equal(await panel.page.evaluate(() => document.querySelector("#note").innerText), "s");
    await outside();
    await keyboard.press("s");
    await panel.until("the side again", async () => (await side()) === "true");
    assert.deepEqual(await panel.attempts(), []);
  });

  test("what is typed in a closed shadow root is no key of the panel: in a widget of the page, and in the panel itself", async () => {
    const { panel } = at;
    const { keyboard } = panel.page;
    await at.open();
    await panel.press(".keys-button");
    await panel.press("[name=keys-everywhere]");
    const moved = (look) => panel.page.evaluate(look);
    await moved(() => {
      globalThis.moved = document.querySelector("launchpad-desk");
      for (const [name, host] of [
        ["widget", "x-widget"],
        ["plain", "section"],
        ["around", "div"],
      ]) {
        const root = document.body.appendChild(document.createElement(host)).attachShadow({ mode: "closed" });
        globalThis[name] = root.appendChild(name === "around" ? globalThis.moved : document.createElement("input"));
      }
    });
    const inside = (selector) => `globalThis.moved.shadowRoot.querySelector(${JSON.stringify(selector)})`;
    await panel.until("the panel there", () => moved(`${inside('.desk[aria-busy="false"]')} !== null`));
    const side = () => moved(`${inside(".sides .sell")}.getAttribute("aria-pressed")`);
    for (const field of ["globalThis.widget", "globalThis.plain", inside('.ticket [name="amount"]')]) {
      await moved(`${field}.focus()`);
      await keyboard.press("s");
      await panel.painted();
      assert.equal(await side(), "false", field);
    }
    assert.deepEqual(await moved(() => [globalThis.widget.value, globalThis.plain.value]), ["s", "s"]);
    await moved(() => document.activeElement.blur());
    await moved(`${inside('.ticket [name="amount"]')}.blur()`);
    await keyboard.press("s");
    await panel.until("the side, with the focus nowhere", async () => (await side()) === "true");
  });

  test("of two panels a key of the page is for the one that was pressed last", async () => {
    const panel = await at.open();
    await panel.press(".keys-button");
    await panel.press("[name=keys-everywhere]");
    await panel.page.evaluate(() => {
      const second = document.createElement("launchpad-desk");
      [second.name, second.sandbox] = ["second", {}];
      document.querySelector("main").append(second);
    });
    const second = (look) =>
      panel.page.evaluate(`(${look})(document.querySelectorAll("launchpad-desk")[1].shadowRoot)`);
    await panel.until("the second", () => second((root) => root.querySelector('.desk[aria-busy="false"]') !== null));
    await second((root) => {
      root
        .querySelector(".quote, .ticket")
        .dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true }));
      document.activeElement?.blur();
    });
    await panel.page.keyboard.press("s");
    await panel.until("its side", () => second((root) => root.querySelector(".sides .sell").ariaPressed === "true"));
    assert.equal(await panel.attribute(".sides .sell", "aria-pressed"), "false");
  });

  test("the question mark lists them all", async () => {
    const panel = await at.open();
    await panel.click(".sides .buy");
    await panel.page.keyboard.press("?");
    await panel.untilText("#keys", "None of them sends.");
    await panel.untilText("#keys", "R To the button that repeats the trade");
    assert.deepEqual(await violations(panel, "#keys"), []);
    await panel.page.keyboard.press("?");
    await panel.until("it closed", async () => (await panel.attribute("#keys", "hidden")) === "");
  });
});
