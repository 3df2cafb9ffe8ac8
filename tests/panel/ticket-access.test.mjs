// The ticket for people who cannot see it, cannot hold a mouse still, or have a small window.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";

await inEachBrowser((at) => {
  /** In the ticket's column, and the rows below it. */
  const inBothThemes = async (state) => assert.deepEqual(await violations(at.panel, ".side"), [], state);

  at.inChromium("axe finds nothing in any state of the ticket, in both themes", async () => {
    const panel = await at.open({
      faults: { script: [{ kind: "none" }, { kind: "transactionFails" }, { kind: "noAnswer" }] },
    });
    await inBothThemes("empty");
    await panel.write("amount", "1,000");
    await panel.page.keyboard.press("Tab");
    await inBothThemes("a problem");
    await panel.write("amount", "1");
    await panel.click(".details summary");
    await panel.click(".more summary");
    await inBothThemes("a quote");
    await panel.write("amount", "20");
    await inBothThemes("a figure to type");
    await panel.write("amount", "2");
    await inBothThemes("a tick");
    await panel.write("amount", "0.5");
    await inBothThemes("a calm quote");
    for (const fate of ["Landed", "Failed", "Unknown"]) {
      await panel.click(".send");
      await panel.untilText(".attempt", fate);
      await inBothThemes(fate);
      if (fate !== "Unknown") await panel.write("amount", fate === "Landed" ? "0.4" : "0.3");
    }
    await panel.click(".attempt summary");
    await panel.click(".sides .sell");
    await inBothThemes("the other side");
  });

  test("everything to press is 44 pixels high, and nothing is wider than a window of 320", async () => {
    const { panel } = at;
    await panel.page.setViewport({ width: 320, height: 640 });
    await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.trade("0.5", "Unknown");
    await panel.click(".fold");
    await panel.click(".more summary");
    assert.deepEqual(await panel.misfits(".side :is(button, select, summary, .control, label.accept)"), []);
  });

  test("reads a quote out after a moment of quiet, and an outcome; the focus goes to the outcome", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "none" }, { kind: "rateLimited" }] } });
    await panel.write("amount", "1");
    assert.equal(await panel.text('.desk > [role="status"]'), "", "not at each keystroke");
    await panel.untilText('.desk > [role="status"]', "About 34,200,000 tokens");
    await panel.click(".send");
    await panel.untilText('.desk > [role="status"]', "Landed (simulated). +34.2M RABBIT for 1 SOL");
    await panel.until("the focus", () => panel.inside((root) => root.activeElement?.className === "result"));
    await panel.trade("0.9");
    await panel.untilText('.desk > [role="alert"]', "Rejected (simulated). The service refused it");
  });

  at.inChromium("reads no quote after the outcome that it was typed for, and the quote of the next order", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "none" }, { kind: "none", latencyMs: 500 }] } });
    const status = () => panel.text('.desk > [role="status"]');
    const type = (isUntilLanded) =>
      panel.inside(async (root, isUntilLanded) => {
        const field = root.querySelector('[name="amount"]');
        for (let at = 0; !at || (isUntilLanded && root.querySelectorAll(".attempt.landed").length < 2); at++) {
          field.value = `0.3${at % 10}`;
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }, isUntilLanded);
    await type(false);
    await panel.send("Landed");
    await pause(1_000);
    assert.match(await status(), /^Landed/);
    await panel.write("amount", "0.4");
    await panel.untilText('.desk > [role="status"]', "About");
    await panel.send();
    // The answer comes while somebody types.
    await type(true);
    await panel.untilText('.desk > [role="status"]', "About");
  });

  test("two panels of one name share what is unknown", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.page.evaluate(() => {
      const [first] = document.querySelectorAll("launchpad-desk");
      const second = document.createElement("launchpad-desk");
      second.sandbox = first.sandbox;
      first.after(second);
    });
    await panel.trade("1", "Unknown");
    const other = (look) =>
      panel.page.evaluate(
        (look) => (0, eval)(`(${look})`)(document.querySelectorAll("launchpad-desk")[1].shadowRoot),
        look.toString(),
      );
    await panel.until("the other one's row", () => other((root) => root.querySelector(".attempt.unknown") !== null));
    await other((root) => {
      const field = root.querySelector('[name="amount"]');
      field.value = "1";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await pause(50);
    assert.equal(
      await other((root) => root.querySelector(".send").textContent.trim()),
      "Locked: settle the earlier trade",
    );
  });
});
