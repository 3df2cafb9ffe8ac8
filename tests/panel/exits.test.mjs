// Exits of a position: a plan is started beside it, carried out by the desk like any trade, kept over a reload, and never sold twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { ADA, BOB, RABBIT } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const bought = async (sandbox = {}) => {
    const panel = await at.open(sandbox);
    await panel.trade("1", "Landed");
    await panel.click(".exits-button");
    return panel;
  };
  /** A token that others have bought, too: its price can fall while it is held. */
  const OTHERS = { tokens: [{ mint: RABBIT, symbol: "RABBIT", name: "Moon Rabbit", soldBps: 3_000 }] };
  const press = (name) => at.panel.press(".exits button", name);
  /** Starts what sells at once. */
  const startAnyway = async () => {
    await press("Start");
    await at.panel.untilText(".exits", "RABBIT at once: the position is at 0.975x now.");
    await pause(600);
    await press("Start all the same");
  };
  const enter = async (fields) => {
    for (const [name, text] of Object.entries(fields)) {
      await at.panel.write(`exits-${name}`, text);
      await at.panel.page.keyboard.press("Tab");
    }
  };
  const whats = () => at.panel.texts(".attempt .what");
  /** The exits that are kept, as text. */
  const kept = () =>
    at.panel.page.evaluate(() => Object.entries(localStorage).find(([name]) => name.includes("exits"))?.[1] ?? "[]");
  const planKept = async () => JSON.parse(await kept())[0].plan;
  const noneKept = () => at.panel.until("no exits kept", async () => (await kept()) === "[]");
  /** Keeps back the locks that a trade needs, until what this resolves to is called. */
  const holdLocks = async (of = "") => {
    await at.panel.page.evaluate((of) => {
      const held = new Promise((resolve) => (globalThis.letGo = resolve));
      navigator.locks.request = async (...asked) => {
        if (asked[0].includes(of)) await held;
        return LockManager.prototype.request.apply(navigator.locks, asked);
      };
    }, of);
    return () => at.panel.page.evaluate(() => globalThis.letGo());
  };

  test("a stop sells everything by itself, once, and stands among the trades", async () => {
    const panel = await bought();
    assert.deepEqual(await violations(panel, "#tabpanel"), []);
    await enter({ takeProfit: "", stopLoss: "0.99" });
    const press = (root) => (root.querySelector(".exits .start").click(), root.host.updateComplete);
    for (let half = 0; half < 2; half++) await panel.inside(press);
    await panel.untilText(".exits .start", "Start all the same");
    await pause(600);
    await panel.inside(press);
    await panel.untilText(".attempt", /Landed Sell 34,199,203\.120618 RABBIT /);
    assert.equal((await whats()).length, 2);
    await panel.untilText("#tabpanel", "Everything is sold.");
    await panel.untilText("#tabpanel", "Realised −0.0");
    await panel.untilText("#tabpanel .closed", "RABBIT");
    await panel.reload();
    await panel.untilText("#tabpanel", "Everything is sold.");
    assert.equal((await whats()).length, 2);
  });

  inChromium("while the market stands still, too, it names the slippage that is in the ticket's field", async () => {
    const panel = await bought();
    await panel.standStill();
    for (const [typed, named] of [
      ["15", "at up to 15 % slippage."],
      ["5", "at up to 10 % slippage."],
    ]) {
      await panel.write("slippage", typed);
      await panel.untilText(".exits", named);
    }
  });

  inChromium("multiples and changes are read as people type them", async () => {
    const panel = await bought();
    await enter({ takeProfit: "2,5x 50 %, +300 % 12,5%", stopLoss: "\u221230 %", trailing: "", slippage: "7,5 %" });
    await press("Start");
    await panel.untilText(".exits", "50% at 2.5x; 12.5% at 4x; all at 0.7x or below");
    assert.deepEqual((await planKept()).slippage, { percent: 7.5 });
  });

  const numberIn = (text, pattern) => Number(pattern.exec(text)?.[1].replaceAll(",", ""));

  inChromium(
    "a price and a market cap are read as the multiple at which they act, all fees counted, and said",
    async () => {
      const panel = await bought(OTHERS);
      await enter({ takeProfit: "mc 100 50%, 2.5x 50%", stopLoss: "0.00000004" });
      await panel.untilText(".exits .read", "Read as: 50% at");
      const read = await panel.text(".exits .read");
      const [rung, stop] = [
        numberIn(read, /50% at (\S+)x \(≈ 0\.0₆1000 SOL\)/),
        numberIn(read, /all at (\S+)x or below \(≈ 0\.0₇(?:4000|3999|4001) SOL\)/),
      ];
      // The rule of the core: what a sale of all brings at that price, after every fee, by what was paid.
      assert.ok(stop > 0.7 && stop < 0.95, read);
      assert.ok(Math.abs(rung / stop / (1e-7 / 4e-8) - 1) < 0.02, `${read}: nearly as the prices`);
      await press("Start");
      await panel.untilText(".exits", `50% at ${rung}x; 50% at 2.5x; all at ${stop}x or below`);
      assert.equal((await planKept()).stopLoss, `${stop}x`);
      const line = async () =>
        numberIn(await panel.attribute(".canvas", "aria-label"), /Marked: stop \S+, ([\d.]+) SOL/);
      await panel.until("its line", line);
      assert.ok(Math.abs((await line()) / 4e-8 - 1) < 0.0005, `${await line()}`);
      // Above the price of now it would act at once.
      await press("End exits");
      await panel.until("its fields", () => panel.$("#exits-stopLoss"));
      await enter({ takeProfit: "", stopLoss: "0.00000005 SOL" });
      await press("Start");
      await panel.untilText(".exits .problem", "at once: the position is at");
    },
  );

  inChromium("a line that is dragged types into the plan; of a running one none moves", async () => {
    const panel = await bought(OTHERS);
    await panel.chart();
    const { mouse } = panel.page;
    const lines = async () => {
      await panel.inside((root) => root.querySelector(".canvas").scrollIntoView({ block: "center" }));
      const { x, y, width, height } = await panel.box(".canvas");
      const found = [];
      for (let down = 4; down < height - 30; down += 4) {
        await mouse.move(x + width / 3, y + down);
        if (await panel.inside((root) => root.querySelector(".canvas").style.cursor === "ns-resize"))
          found.push([x + width / 3, y + down]);
      }
      return found;
    };
    await panel.until("the line of the plan", async () =>
      /Marked: not started: stop 0\.7x, 0\.0/.test(await panel.attribute(".canvas", "aria-label")),
    );
    const [place] = (await lines()).slice(-1);
    assert.ok(place, "a line that can be dragged");
    await mouse.move(...place);
    await mouse.down();
    for (let up = 10; up <= 40; up += 10) await mouse.move(place[0], place[1] - up);
    assert.equal(await panel.value("exits-stopLoss"), "0.7x", "nothing is typed before it is dropped");
    await mouse.up();
    await panel.until("another stop", async () => (await panel.value("exits-stopLoss")) !== "0.7x");
    const atPrice = await panel.value("exits-stopLoss");
    assert.match(atPrice, /^0\.[789]\d*x$/);
    assert.ok(Number.parseFloat(atPrice) > 0.7, atPrice);
    await panel.press(".chart .axis");
    await panel.until("the market cap", async () => (await panel.text("#chart-title")).startsWith("Market cap"));
    await panel.painted();
    const [onCap] = (await lines()).slice(-1);
    assert.ok(onCap, "it can be dragged on the axis of the market cap, too");
    await mouse.move(...onCap);
    await mouse.down();
    for (const down of [10, 20]) await mouse.move(onCap[0], onCap[1] + down);
    await mouse.up();
    await panel.painted();
    const stop = await panel.value("exits-stopLoss");
    assert.match(stop, /^0\.[678]\d*x$/);
    assert.ok(Number.parseFloat(stop) < Number.parseFloat(atPrice), stop);
    assert.equal(await panel.value("exits-takeProfit"), "2x 50%");
    await panel.untilText(".exits .read", `all at ${stop} or below`);
    assert.equal((await whats()).length, 1, "nothing of it acts");
    await press("Start");
    await panel.untilText(".exits", `50% at 2x; all at ${stop} or below`);
    await panel.until("its line", async () =>
      (await panel.attribute(".canvas", "aria-label")).includes(`Marked: stop ${stop}, `),
    );
    await panel.painted();
    assert.deepEqual(await lines(), []);
  });

  inChromium("exits say what is so now, in the words of their fields", async () => {
    const panel = await bought();
    await enter({ takeProfit: "2x 50%", stopLoss: "3x" });
    await press("Start");
    await panel.untilText(".exits .problem", "Stop loss must be below Take profit 1");
    await enter({ takeProfit: "0.5x 50%, 5x 50%", stopLoss: "", slippage: "3 %" });
    await press("Start");
    await panel.untilText(".exits .problem", "It sells 17.1M RABBIT at once: the position is at 0.975x now.");
    assert.equal((await panel.attempts()).length, 1);
    await pause(600);
    await press("Start all the same");
    await panel.until("the first rung", async () => (await whats()).length === 2);
    await panel.untilText(".attempt", "Landed");
    await panel.untilText(".exits", /\. 50% at 5x Pause/);
    assert.deepEqual((await planKept()).slippage, { percent: 3 });
  });

  inChromium("a curve that completes ends their protection aloud", async () => {
    const { panel } = at;
    const wallets = [ADA, BOB].map((wallet) => ({ wallet, lamports: "300000000000" }));
    await bought({ launchpad: { completion: "partial" }, wallets });
    await panel.inside((root) => {
      globalThis.heard = [];
      addEventListener("desk-unprotected", ({ detail }) => globalThis.heard.push(detail));
      // Another alert may come right after it.
      const place = root.querySelector('.spoken[role="alert"]');
      globalThis.alerts = [];
      const watched = { childList: true, characterData: true, subtree: true };
      new MutationObserver(() => globalThis.alerts.push(place.textContent)).observe(place, watched);
    });
    await enter({ takeProfit: "" });
    await press("Start");
    await panel.untilText(".exits", "Running, now at 0.9");
    await panel.pick("wallet", BOB);
    await panel.write("amount", "150");
    await panel.untilText(".quote", "≈");
    await panel.write("ticket-accept", /Type (\S+)/.exec(await panel.text(".consent"))[1]);
    await panel.press(".ticket .send");
    const why = "the curve is complete, so no rule of the plan sells any more; only closing now tries to, once";
    await panel.untilText(".exits", "They protect it no longer: the curve is complete.");
    await panel.until("the alert", () =>
      panel.page.evaluate(
        (why) => globalThis.alerts.includes(why),
        `The exits of RABBIT protect it no longer: ${why}.`,
      ),
    );
    const heard = await panel.page.evaluate(() => globalThis.heard);
    assert.deepEqual(
      heard.map(({ wallet, what, reason }) => [wallet, what, reason]),
      [[ADA, "completed", why]],
    );
  });

  inChromium(
    "it says what it will do, pauses over a reload, goes on, is drawn, and sells all at one press",
    async () => {
      const panel = await bought(OTHERS);
      await panel.chart();
      await press("In steps");
      assert.equal(await panel.value("exits-takeProfit"), "1.5x 30%, 2x 30%, 4x 40%");
      await panel.untilText(
        ".exits",
        "The desk sells by itself, without asking, while this page is open, at up to 10 % slippage.",
      );
      await panel.press(".priority .chips button", "Fast");
      await panel.untilText(".exits", "at up to 10 % slippage. 0.0001 SOL for priority.");
      await panel.press(".priority .chips button", "Normal");
      await press("Start");
      await panel.untilText(
        ".exits",
        "Running, now at 0.975x. 30% at 1.5x; 30% at 2x; 40% at 4x; all at 0.7x or below",
      );
      await panel.until("its lines", async () =>
        /Marked: 1\.5x, 0\.0+\d+ SOL.*Marked: stop 0\.7x, 0\.0+\d+ SOL/.test(
          await panel.attribute(".canvas", "aria-label"),
        ),
      );
      await press("Pause");
      await panel.untilText(".exits", "Paused");
      await panel.reload();
      await panel.untilText(".exits", "Paused, now at 0.975x.");
      await press("Resume");
      await panel.untilText(".exits", "Running");
      assert.equal((await whats()).length, 1);
      await press("Sell all now");
      await panel.untilText("#tabpanel", "Everything is sold.");
      assert.match((await whats())[0], /^Sell [\d,]+\.\d+ RABBIT$/);
    },
  );

  inChromium(
    "exits of a token whose decimals are not those that the desk counts by order nothing, and say so",
    async () => {
      const panel = await bought({ launchpad: { tokenDecimals: 3 } });
      await enter({ takeProfit: "", stopLoss: "0.99x" });
      await startAnyway();
      await panel.untilText(".exits .problem", "an exit would sell another amount");
      await pause(2_500);
      assert.equal((await whats()).length, 1);
    },
  );

  inChromium("why a sale was refused stands there until the next one is sent", async () => {
    const refused = { kind: "transactionFails", refusal: "below_minimum_lamports" };
    const panel = await bought({ ...OTHERS, faults: { script: [{ kind: "none" }, ...Array(5).fill(refused)] } });
    await enter({ takeProfit: "", stopLoss: "0.99x" });
    await startAnyway();
    // The wait before each is twice that before the last.
    await panel.until("three sales", async () => (await panel.texts(".attempt.failed")).length === 3);
    await panel.untilText(".exits .problem", "past your slippage");
    await pause(2_500);
    assert.match(await panel.text(".exits .problem"), /past your slippage/);
  });

  inChromium("a plan that cannot be used says why, and starts nothing", async () => {
    const panel = await bought(OTHERS);
    for (const [fields, why] of [
      [{ stopLoss: "30%" }, "Stop loss"],
      [{ stopLoss: "0.7x", takeProfit: "2x" }, "Take profit"],
      [{ takeProfit: "2x 60%, 3x 60%" }, "Take profit"],
      [{ takeProfit: "2x 50% 4x 25%" }, "Take profit"],
      [{ takeProfit: "2x 50%", trailing: "x" }, "Trailing stop"],
      [{ trailing: "30% 1.5x 2x" }, "Trailing stop"],
      [{ trailing: "", breakEvenAfter: "0.5x" }, "Stop at cost after"],
      [{ breakEvenAfter: "", timeMs: "30" }, "Sell all after is not a time such as 90s, 30m or 2h"],
      [{ timeMs: "", onGraduation: "200%" }, "Sell all at curve sold"],
      [{ stopLoss: "1.000" }, "Stop loss may be 1.000 or 1000"],
      [{ stopLoss: "0.00000011 SOL", onGraduation: "" }, "Stop loss must be below Take profit 1"],
      [
        { stopLoss: "0.00000001" },
        "Stop loss is no price of this curve: while you hold these tokens it is from 0.0000000",
      ],
      [{ stopLoss: "mc $60k" }, "Stop loss, market cap, "],
      [{ stopLoss: "mc 60k" }, "Stop loss is no price of this curve"],
    ]) {
      await enter(fields);
      await press("Start");
      await panel.untilText(".exits .problem", why);
      assert.doesNotMatch(await panel.text(".exits .problem"), /takeProfit|stopLoss|breakEven|onGrad|timeMs|\[/);
    }
    assert.equal(await kept(), "[]");
    await enter({ takeProfit: "2 50", stopLoss: "0.7", trailing: "30 0.5", breakEvenAfter: "1.4" });
    await enter({ timeMs: "90m", onGraduation: "95" });
    await press("Start");
    await panel.untilText(
      ".exits",
      "50% at 2x; all at 0.7x or below; all at 30% below the best, once it had 0.5x; all at 1x or below, once it had 1.4x; all after 90m; all with 95% of the curve sold",
    );
    await panel.until("its lines", async () =>
      /Marked: trail 30%, 0\.0+\d+ SOL\./.test(await panel.attribute(".canvas", "aria-label")),
    );
    assert.doesNotMatch(await panel.attribute(".canvas", "aria-label"), /even/, "it was never so good");
  });

  inChromium(
    "a typed plan is tried on what others have traded of the token: the package's report, which sends nothing",
    async () => {
      const panel = await at.open(null);
      await panel.standStill();
      await panel.trade("0.5", "Landed");
      await panel.press(".priority button", "Fast");
      await panel.click(".exits-button");
      await enter({ takeProfit: "2x" });
      await press("Try on the past");
      await panel.untilText(".exits .problem", "Take profit");
      await enter({ takeProfit: "1.02x 50%", stopLoss: "0.97x" });
      await press("Try on the past");
      await panel.until("the report", () =>
        panel.inside((root) => Boolean(root.querySelector(".report .page")?.shadowRoot?.querySelector("h1"))),
      );
      const { text, back, card, fonts, charts, wide } = await panel.inside((root) => {
        const page = root.querySelector(".report .page");
        const body = page.shadowRoot.querySelector("body");
        return {
          text: body.innerText,
          back: getComputedStyle(body).backgroundColor,
          card: getComputedStyle(root.querySelector(".card")).backgroundColor,
          fonts: [body, root.querySelector(".card")].map((part) => getComputedStyle(part).fontFamily),
          charts: [...body.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().height),
          wide: page.scrollWidth - page.clientWidth,
        };
      });
      assert.match(
        text,
        /RABBIT: 50% at 1\.02x; all at 0\.97x or below\n[^]*[+-]?\d\.\d+ SOL\n[^]*Equity[^]*Results[^]*by the reason they ended for[^]*The tape/,
      );
      const [, arrived] = /orders that arrived\s+(\d+),/.exec(text);
      const [, priority] = /\bpriority\s+-([\d.]+)/.exec(text);
      assert.equal(Math.round(Number(priority) * 1e9), Number(arrived) * 100_000, "each order pays for Fast, buys too");
      assert.equal(back, card, "the panel's own colour");
      assert.equal(fonts[0], fonts[1]);
      assert.ok(charts.length > 2 && charts.every((height) => height >= 4), String(charts));
      assert.equal(wide, 0);
      const [, trades] =
        /^It proves nothing about a real market\. On (\d+) trades of RABBIT by others that the sandbox remembers: bought for 0\.5\d* SOL/.exec(
          await panel.text(".report"),
        );
      assert.ok(Number(trades) > 50, trades);
      assert.equal((await whats()).length, 1);
      assert.deepEqual(await violations(panel, "#tabpanel"), []);
    },
  );

  test("an exit of unknown outcome is not sold again, over a reload too, until it is settled", async () => {
    const panel = await bought({ faults: { script: [{ kind: "none" }, { kind: "noAnswer" }] } });
    await enter({ takeProfit: "", stopLoss: "0.99x" });
    await startAnyway();
    await panel.untilText(".attempt", "Unknown");
    await pause(2_500);
    await panel.reload();
    await pause(2_500);
    assert.equal((await whats()).length, 2);
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
    await panel.untilText("#tabpanel", "Everything is sold.");
    await pause(2_500);
    assert.equal((await whats()).length, 2);
    await noneKept();
  });

  inChromium(
    "where the browser has dropped the list of what was sent, nothing is sold before the trader has looked",
    async () => {
      const { panel } = at;
      const forget = async () => {
        await panel.page.evaluate(async () => {
          for (const { name } of await indexedDB.databases()) {
            if (!/ (panel|journal) /.test(name)) continue;
            await new Promise((resolve, reject) =>
              Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject }),
            );
          }
        });
        await panel.reload();
      };
      await bought({ faults: { script: [{ kind: "none" }, { kind: "noAnswer" }] } });
      // Half of it is sold at once, and again whenever nobody remembers that.
      await enter({ takeProfit: "0.5x 50%", stopLoss: "" });
      await startAnyway();
      await panel.untilText(".attempt", "Unknown");
      await panel.untilText(".exits", "An exit is not settled");
      const held = () => panel.attribute(".positions .figure", "value");
      const left = await held();
      await forget();
      await panel.untilText(".exits .problem", "nobody here knows whether that exit was sold");
      await pause(2_500);
      assert.deepEqual([await whats(), await held()], [[], left]);
      await press("End exits");
      await panel.until("the row without exits", async () => !(await panel.$(".exits .problem")));
    },
  );

  inChromium("exits end with a position that was sold otherwise: what is bought later has none", async () => {
    const panel = await bought();
    await press("Start");
    await panel.until("its first look", async () => /"shown":"?\d/.test(await kept()));
    await panel.click(".sides .sell");
    // Of half of it, what is left has its own multiple: all of it would bring more than the curve has.
    await panel.trade("50 %");
    await panel.untilText(".positions", "17.1M");
    await panel.untilText(".exits", /Running, now at 0\.9[56]\d*x/);
    await panel.trade("100 %");
    await panel.untilText("#tabpanel", "Everything is sold.");
    // At once: old exits would sell what is bought now by the cost of what is sold.
    await panel.click(".sides .buy");
    await panel.write("amount", "0.5");
    await panel.untilText(".send", "Simulate: buy 0.5 SOL");
    await panel.click(".ticket .send");
    await panel.untilText(".positions", "100 %");
    await noneKept();
    assert.doesNotMatch(await panel.text("#tabpanel"), /Running|Paused/);
  });

  inChromium("an exit that waits while the trader sells all by hand, and buys again, sends nothing", async () => {
    const panel = await bought();
    await enter({ takeProfit: "", stopLoss: "0.99x" });
    const letGo = await holdLocks(" exit-");
    await startAnyway();
    await panel.untilText(".exits", "An exit is not settled");
    await panel.click(".sides .sell");
    await panel.trade("100 %");
    await panel.untilText("#tabpanel", "Everything is sold.");
    await panel.click(".sides .buy");
    await panel.trade("1.1");
    await panel.untilText(".positions", "100 %");
    await letGo();
    await noneKept();
    await pause(1_500);
    assert.equal((await panel.attempts()).filter((row) => /Landed Sell/.test(row)).length, 1);
  });

  inChromium("a clock that is set back between a sale by hand and the start of exits does not end them", async () => {
    const panel = await bought(OTHERS);
    await panel.click(".sides .sell");
    await panel.trade("100 %");
    await panel.untilText("#tabpanel", "Everything is sold.");
    await panel.click(".sides .buy");
    await panel.trade("0.5");
    await panel.untilText(".positions", "100 %");
    await panel.moveClock(-3_600_000);
    await press("Start");
    await panel.untilText(".exits", "Running, now at 0.9");
    await pause(2_500);
    assert.match(await panel.text(".exits"), /Running, now at 0\.9/);
    await panel.reload();
    await panel.untilText(".exits", "Running, now at 0.9");
  });

  inChromium("exits say what they leave: they are of what was there when they were started", async () => {
    const panel = await bought();
    await press("Start");
    await panel.untilText(".exits", "Running");
    assert.doesNotMatch(await panel.text(".exits"), /have no exits/);
    await panel.trade("0.5");
    await panel.untilText(".exits", "more have no exits.");
    assert.match(await panel.text(".exits"), /They sell 34\.2M RABBIT\. 16\.\d+M RABBIT more have/);
  });

  inChromium("exits that are ended before their order's request goes out send nothing", async () => {
    const panel = await bought();
    await enter({ takeProfit: "", stopLoss: "0.99x" });
    const letGo = await holdLocks();
    await startAnyway();
    await panel.untilText(".exits", "An exit is not settled");
    await press("End exits");
    await letGo();
    await pause(1_500);
    assert.doesNotMatch((await panel.attempts())[0], /Landed Sell/);
    await panel.untilText(".positions", "34.2M");
  });

  inChromium("what stands in the storage is no plan unless the core takes it", async () => {
    const panel = await bought();
    await press("Start");
    await panel.untilText(".exits", "Running, now at 0.975x");
    const wrong = { plan: { stopLoss: "9x" }, position: { id: "a" } };
    const keep = (text) =>
      panel.page.evaluate((text) => {
        for (const name of Object.keys(localStorage)) if (name.includes("exits")) localStorage.setItem(name, text);
      }, text);
    await keep(JSON.stringify([wrong, ...JSON.parse(await kept())]));
    await panel.reload();
    await panel.untilText(".exits", "Running, now at 0.975x");
    await panel.untilText('.desk > [role="alert"]', "The exits of a position could not be read, so they have ended.");
    await panel.untilText("#tabpanel > .problem", "The exits of a position could not be read, so they have ended.");
    for (const text of ["{", "[7, null, {}]", JSON.stringify([wrong])]) {
      await keep(text);
      await panel.reload();
      await panel.untilText(".positions", "34.2M");
      await pause(1_500);
      assert.equal((await whats()).length, 1);
      assert.doesNotMatch(await panel.text("#tabpanel"), /Running|Paused/);
    }
  });
});
