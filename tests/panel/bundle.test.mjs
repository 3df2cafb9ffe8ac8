// The table for bundles: one row for each wallet, filled by hand, by tools or from a spreadsheet.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { CROWDED, TWO_TOKENS } from "./panel.mjs";

const WALLETS = ["Ada", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"].map((label) => ({
  wallet: `wallet-${label.toLowerCase()}`,
  label,
  lamports: 10_000_000_000,
}));
const world = { wallets: WALLETS };

await inEachBrowser((at) => {
  const { inChromium } = at;
  const open = async (sandbox = world) => {
    const panel = await at.open(sandbox);
    await panel.click("#tab-bundle");
    return panel;
  };
  const rows = () =>
    at.panel.inside((root) =>
      [...root.querySelectorAll(".leg")].map((row) => ({
        wallet: row.querySelector("select").value,
        amount: row.querySelector("[name$=amount]").value,
        slippage: row.querySelector("[name$=slippage]").value,
        result: row.querySelector(".result").innerText.replace(/\s+/g, " ").trim(),
      })),
    );
  const press = (text) => at.panel.press(".bundle button", text);
  /** Gives each row this amount. */
  const fill = async (amount) => {
    await at.panel.write("bundle-total", amount);
    await press("Same for each");
  };
  /** Fills in this amount for all wallets, which takes so many transactions. */
  const fillAll = async (amount, count) => {
    await press("Add all");
    await fill(amount);
    if (count > 2) await at.panel.press('[name="bundle-plain"]');
    await at.panel.untilText(".parts", `${count} transactions`);
  };
  const amounts = async () => (await rows()).map(({ amount }) => amount);
  const write = (label, text) => at.panel.write(label, text);
  const pasted = async (table) => {
    await at.panel.inside((root, table) => {
      root.querySelector(".paste").open = true;
      root.querySelector("#bundle-table").value = table;
    }, table);
    await press("Fill the rows");
    await at.panel.until("the rows", () =>
      at.panel.inside((root) => root.querySelector(".paste button").disabled === false),
    );
  };
  const send = () => at.panel.click(".bundle .send");
  /** Presses what comes after a send, once it has been there for long enough to be meant. */
  const goOn = async (word) => {
    await at.panel.untilText(".bundle .send", word);
    await pause(1_000);
    await send();
    await pause(600);
  };

  const results = async () => (await rows()).map(({ result }) => result.split(" ")[0]);
  /** Sends what is left, and sees that all eight have landed. */
  const landAll = async () => {
    await send();
    await at.panel.untilText(".bundle .quote", "Everything was sent.");
    assert.deepEqual(await results(), times(8, "Landed"));
  };
  const times = (count, word) => Array(count).fill(word);

  inChromium("names each field by its wallet, quotes each row, and sends all in one transaction", async () => {
    const panel = await open();
    assert.deepEqual(
      (await rows()).map(({ wallet }) => wallet),
      ["wallet-ada", "wallet-bo"],
    );
    await write("Amount for Ada", "0,5");
    await write("Amount for Bo", "0.25");
    await write("Slippage for Bo", "2");
    const [ada, bo] = await rows();
    assert.match(ada.result, /^≈ 17\.\dM RABBIT$/);
    assert.match(bo.result, /^≈ 8\.\d+M RABBIT$/);
    assert.match(await panel.text(".legs tfoot"), /^2 trades 0\.75 SOL ≈ 2\d\.\dM RABBIT$/);
    assert.equal(await panel.text(".bundle .send"), "Simulate: buy for 0.75 SOL with 2 wallets");
    await send();
    await panel.untilText(".attempt", "Landed");
    assert.deepEqual(
      (await rows()).map(({ result }) => result.replace(/[\d.]+M/, "…")),
      ["Landed ≈ … RABBIT, estimated", "Landed ≈ … RABBIT, estimated"],
    );
    assert.equal(await panel.text(".legs tfoot"), null, "no totals without a figure");
    assert.match(
      await panel.text(".attempt .sentence"),
      /^2 wallets have traded: ≈ \+2\d\.\dM RABBIT, estimated, for 0\.7529\d+ SOL in all, with 0\.00297688 SOL of rent for token accounts$/,
    );
    await panel.click("#tab-positions");
    assert.deepEqual(await panel.texts(".positions tbody td:nth-child(2)"), ["Ada", "Bo"]);
  });

  inChromium("at 320 pixels each cost stands in its line, and none is cut off", async () => {
    const { panel } = at;
    const size = panel.page.viewport();
    await open();
    await panel.page.setViewport({ width: 320, height: 640 });
    await write("Amount for Ada", "0.2");
    await write("Amount for Bo", "0.25");
    await panel.until("the costs", () => panel.$(".bundle-act .consent dl"));
    const costs = await panel.inside((root) => {
      const [box, quote] = [".consent", ".headline"].map((part) => root.querySelector(`.bundle-act ${part}`));
      return {
        room: box.clientHeight,
        needed: box.scrollHeight,
        isQuoteCut: quote.scrollWidth > quote.clientWidth,
        amounts: [...box.querySelectorAll("dd")].map((amount) => amount.scrollWidth <= amount.clientWidth),
      };
    });
    await panel.page.setViewport(size);
    assert.ok(costs.needed <= costs.room, JSON.stringify(costs));
    assert.deepEqual([costs.isQuoteCut, ...costs.amounts], [false, true, true, true]);
  });

  inChromium("a row that was left unfinished says in what", async () => {
    const panel = await open();
    const says = async (text, words) => {
      await write("Amount for Ada", text);
      await panel.page.keyboard.press("Tab");
      await panel.until(words, async () => (await rows())[0].result === words);
    };
    await says("0", "The amount must be above zero");
    await says("5.", "The amount ends with a decimal mark");
    await says("", "The amount is missing");
    await panel.write("Amount for Ada", "1.2.3.");
    await panel.untilText(".bundle .quote", "The amount has group marks");
    await fill("0");
    await panel.untilText("#bundle-total-note", "Amount to fill in must be above zero");
  });

  test("two clicks send it once, and sending it again needs a press that only prepares it", async () => {
    // The second click comes while the first one's answer is awaited, on a slow machine, too.
    const panel = await open({ ...world, faults: { script: [{ kind: "none", latencyMs: 2_000 }] } });
    await fill("0.1");
    await send();
    await pause(130);
    await send();
    await panel.untilText(".attempt", "Landed");
    assert.equal((await panel.attempts()).length, 1);
    await panel.untilText(".bundle .send", "Again");
    assert.equal(await panel.text(".bundle .quote"), "Everything was sent.");
    await goOn("Again");
    assert.equal((await panel.attempts()).length, 1);
    await panel.untilText(".bundle .send", "Simulate: buy for 0.2 SOL");
  });

  inChromium(
    "Ctrl and Enter send it once: held down from before they send nothing, and pressed twice no second time",
    async () => {
      const panel = await open({ ...world, faults: { script: [{ kind: "none", latencyMs: 3_000 }] } });
      await fill("0.1");
      await panel.untilText(".bundle .send", "Simulate: buy for 0.2 SOL");
      await panel.painted();
      // At once: later ones could come after it has landed.
      const enter = (...repeats) =>
        panel.inside((root, repeats) => {
          const keys = { key: "Enter", ctrlKey: true, bubbles: true, composed: true };
          for (const repeat of repeats)
            root.querySelector("#bundle-total").dispatchEvent(new KeyboardEvent("keydown", { ...keys, repeat }));
        }, repeats);
      await enter(true);
      await pause(200);
      assert.deepEqual(await panel.attempts(), []);
      await enter(false, false);
      await panel.untilText(".attempt", "Sending");
      await enter(...Array(20).fill(true), false);
      await panel.untilText(".attempt", "Landed");
      await enter(false);
      await pause(300);
      assert.equal((await panel.attempts()).length, 1);
    },
  );

  inChromium("one of unknown outcome is locked, and is not offered again", async () => {
    const panel = await open({ ...world, faults: { script: [{ kind: "noAnswer" }] } });
    await fill("0.1");
    await send();
    await panel.untilText(".attempt", "Unknown");
    await panel.untilText(".bundle .send", "Locked: settle the earlier trade");
  });

  inChromium(
    "one that failed is offered again and not as the next one, and all of what is said of it is seen",
    async () => {
      const { panel } = at;
      const failing = { kind: "transactionFails", refusal: "below_minimum_tokens" };
      await open({ ...world, faults: { script: [failing, failing] } });
      await fill("0.1");
      await send();
      await panel.untilText(
        ".bundle .notice",
        "Ada: The price moved past your slippage. Nothing was traded; the network took 0.00001 SOL.",
      );
      await panel.untilText(".bundle .send", "Again");
      const isSeen = () =>
        panel.inside((root) => {
          const [notice, text] = [".notice", ".notice p"].map((selector) =>
            root.querySelector(`.bundle ${selector}`).getBoundingClientRect(),
          );
          return notice.top <= text.top && text.bottom <= notice.bottom;
        });
      for (const width of [320, 1280]) {
        await panel.page.setViewport({ width, height: 800 });
        assert.ok(await isSeen(), `at ${width} px`);
      }
      await goOn("Again");
      await press("Add all");
      await press("Same for each");
      await panel.untilText(".bundle .send", "Simulate: send all 8: buy for 0.8 SOL with 8 wallets");
      await send();
      await panel.untilText(".bundle .notice", "It is still to be sent, and 1 more after it.");
      assert.ok(await isSeen());
      await goOn("Again");
      await panel.untilText(".bundle .send", "Simulate: send all 8");
      await landAll();
    },
  );

  inChromium("a wallet that is added is one that is in no row yet; one that is in two is warned of", async () => {
    const panel = await open();
    for (let count = 2; count < 8; count++) await press("Add a wallet");
    assert.deepEqual(
      (await rows()).map(({ wallet }) => wallet),
      WALLETS.map(({ wallet }) => wallet),
    );
    assert.equal(await panel.inside((root) => root.querySelector(".bundle .add").disabled), true);
    await panel.pick("row-2-wallet", "wallet-ada");
    await panel.untilText(".leg:nth-child(2) .result", "Ada is in row 1 too: it trades twice");
    assert.ok(await panel.$('[aria-label="Amount for Ada, row 2"]'));
    assert.equal(await panel.inside((root) => root.querySelector(".bundle .add").disabled), false);
    const { height, bottom } = await panel.inside((root) => {
      const scroll = root.querySelector(".bundle .scroll").getBoundingClientRect();
      return {
        height: scroll.height,
        bottom: root.querySelector(".legs tfoot td").getBoundingClientRect().bottom - scroll.bottom,
      };
    });
    assert.ok(height <= 330, `${height} px`);
    assert.ok(Math.abs(bottom) < 4, "the totals are at the bottom of what is seen");
    await panel.press('[aria-label="Remove Cy"]');
    await panel.until("seven rows", async () => (await rows()).length === 7);
    assert.match(await panel.inside((root) => root.activeElement?.ariaLabel), /^Amount for Dee$/);
  });

  inChromium("fills in the same for each, splits a total exactly, and by weight", async () => {
    const panel = await open();
    await press("Add a wallet");
    await fill("0,3");
    assert.deepEqual(await amounts(), ["0.3", "0.3", "0.3"]);
    await panel.write("bundle-total", "1");
    await press("Split evenly");
    assert.deepEqual(await amounts(), ["0.333333334", "0.333333333", "0.333333333"]);
    await press("Split by weight");
    await panel.untilText("#bundle-total-note", "Each row needs a weight");
    assert.deepEqual(
      await amounts(),
      ["0.333333334", "0.333333333", "0.333333333"],
      "no row is without an amount meanwhile",
    );
    await write("Weight of Ada", "1");
    await write("Weight of Bo", "2");
    await write("Weight of Cy", "1.5.");
    await press("Split by weight");
    await panel.untilText("#bundle-total-note", "Each row needs a weight");
    await write("Weight of Cy", "3");
    await panel.write("bundle-total", "0.000000100");
    await press("Split by weight");
    assert.deepEqual(await amounts(), ["0.000000017", "0.000000033", "0.00000005"]);
    await panel.write("bundle-total", "1,000");
    await press("Split evenly");
    assert.equal(await panel.text("#bundle-total-note"), "Amount to fill in may be 1.000 or 1000: type 1.0 or 1000");
    // What the panel fills in is never ambiguous itself.
    await panel.write("bundle-total", "3.7020");
    await press("Split evenly");
    assert.deepEqual(await amounts(), ["1.2340", "1.2340", "1.2340"]);
    assert.equal(await panel.text("#bundle-total-note"), "");
    assert.ok(
      (await rows()).every(({ result }) => !result.includes("may be")),
      JSON.stringify(await rows()),
    );
  });

  inChromium("weights are pasted, too, and split the total that stands there", async () => {
    const panel = await open();
    await panel.write("bundle-total", "1.5");
    await pasted("Wallet\tWeight\nAda\t1\nBo\t0,5");
    assert.deepEqual(await amounts(), ["1", "0.5"]);
    await panel.write("bundle-total", "");
    await pasted("wallet,weight\nCy,1\nDee,x");
    assert.deepEqual(await amounts(), ["", ""]);
    assert.match((await rows())[1].result, /^line 3: weight is not a number$|^Weight is not a number$/);
    assert.deepEqual(await violations(panel), []);
  });

  inChromium("the ticket's priority holds here, and its cost stands there in SOL", async () => {
    const panel = await open();
    await panel.page.evaluate(() =>
      document.body.addEventListener("desk-plan", ({ detail }) => (window.plan = detail.plan)),
    );
    await fill("0.1");
    await panel.untilText(".bundle .terms", "Priority as in the ticket, Normal: no priority fee.");
    await panel.press(".priority button", "Fast");
    await panel.untilText(".bundle .terms", "Priority as in the ticket, Fast: 0.0002 SOL for 2 trades.");
    await panel.inside((root) => (root.querySelector(".bundle .details").open = true));
    await panel.untilText(".bundle .details", "0.00021 SOL");
    await panel.press(".priority button", "Custom");
    await panel.untilText(".bundle .send", "Check the priority");
    await panel.write("prioritySol", "0.001");
    await panel.untilText(".bundle .terms", "Custom: 0.002 SOL for 2 trades.");
    await send();
    await panel.untilText(".attempt", "Landed");
    const { priorityUnitLimit, priorityUnitPrice } = JSON.parse(await panel.page.evaluate(() => window.plan.body));
    assert.deepEqual(
      [priorityUnitLimit, priorityUnitPrice, (priorityUnitLimit * priorityUnitPrice) / 1e6],
      [400_000, 5_000_000, 2_000_000],
    );
  });

  test("a pasted table becomes rows, each of them, and what is wrong says where", async () => {
    const panel = await open();
    await pasted("Wallet;Amount (SOL);Slippage\r\nAda;0,5;1\r\nwallet-bo;1,000;\r\n nobody ;0.1;\r\n");
    const [ada, bo, nobody] = await rows();
    assert.deepEqual([ada.wallet, ada.amount, ada.slippage], ["wallet-ada", "0.5", "1"]);
    assert.deepEqual(
      [bo.wallet, bo.amount, bo.result],
      ["wallet-bo", "1,000", "line 3: amount may be 1.000 or 1000: type 1.0 or 1000"],
    );
    assert.deepEqual(
      [nobody.wallet, nobody.amount, nobody.result],
      ["nobody", "0.1", "nobody is not a wallet of this panel"],
    );
    assert.equal(await panel.text(".bundle .send"), "Check the amount for Bo");
    await send();
    assert.equal(await panel.inside((root) => root.activeElement?.ariaLabel), "Amount for Bo");
    assert.deepEqual(await violations(panel), []);
    await write("Amount for Bo", "1");
    await panel.press('[aria-label="Remove nobody"]');
    await panel.untilText(".bundle .send", "Simulate: buy for 1.5 SOL");
    await pasted("wallet,amount,note\nada,1,x");
    await panel.untilText(".pasted-problems", "line 1: the column note is unknown");
    assert.equal((await rows()).length, 1);
    assert.match(await panel.text(".bundle .send"), /^Check /);
  });

  test("a name with spaces is its wallet, from a list of names and from a table with amounts", async () => {
    const { panel } = at;
    const wallet = (wallet, label) => ({ wallet, label, lamports: 10_000_000_000 });
    const snipers = [
      wallet("w-1", "Sniper 1"),
      wallet("w-2", "Sniper 2"),
      wallet("w-3", "Twin"),
      wallet("w-4", "Twin"),
    ];
    await open({ wallets: snipers });
    const read = async () => (await rows()).map(({ wallet, amount }) => [wallet, amount]);
    await pasted("Sniper 2\nsniper 1");
    assert.deepEqual(await read(), [
      ["w-2", ""],
      ["w-1", ""],
    ]);
    for (const table of [
      "Sniper 1 0.5\nSniper 2 0.25",
      "Sniper 1\t0.5\nSniper 2\t0.25",
      "wallet,sol\nSniper 1,0.5\nw-2,0.25",
    ]) {
      await pasted(table);
      assert.deepEqual(
        await read(),
        [
          ["w-1", "0.5"],
          ["w-2", "0.25"],
        ],
        table,
      );
    }
    await panel.untilText(".bundle .send", "Simulate: buy for 0.75 SOL with 2 wallets");
    await pasted("Sniper 1,0.5\nTwin,0.25");
    assert.equal((await rows())[1].result, "Several wallets have the name Twin: use its id");
    assert.match(await panel.text(".bundle .send"), /^Check /);
  });

  inChromium("a name that goes on where a wallet's id ends has two readings, and is refused", async () => {
    const lamports = 10_000_000_000;
    await open({
      wallets: [
        { wallet: "Sniper", label: "Main", lamports },
        { wallet: "w-1", label: "Sniper 1", lamports },
      ],
    });
    await pasted("Sniper 1 0.5");
    assert.match((await rows())[0].result, /more than one known name/);
  });

  inChromium(
    "a group takes the place of the rows, and of what was wrong with them; a payer that was chosen stays",
    async () => {
      const panel = await open();
      const payer = () => panel.inside((root) => root.querySelector("#bundle-payer").value);
      await panel.pick("bundle-payer", "wallet-hal");
      await pasted("wallet,amount,note\nada,1,x");
      await panel.untilText(".pasted-problems", "line 1: the column note is unknown");
      assert.equal(await payer(), "wallet-hal");
      await panel.click("#tab-wallets");
      await panel.press(".wallet-list input", 1);
      await panel.untilText(".lists .use", "Bundle with this wallet, replaces 1 row");
      await panel.press(".lists .use");
      await panel.until("the row", async () => (await rows())[0]?.wallet === "wallet-bo");
      assert.equal(await panel.$(".pasted-problems"), null);
      assert.equal(await payer(), "wallet-hal");
      await panel.untilText(".bundle .send", "Enter");
    },
  );

  inChromium("a sell by percent of each, from a table, and a failure fails all of it", async () => {
    const panel = await open({
      ...world,
      faults: { script: [{ kind: "none" }, { kind: "transactionFails", refusal: "below_minimum_lamports" }] },
    });
    await fill("0.5");
    await send();
    await panel.untilText(".attempt", "Landed");
    await press("Sell percent");
    await pasted("ada\t50 %\nbo\t100%".replace("ada", "wallet-ada").replace("bo", "wallet-bo"));
    assert.deepEqual(
      (await rows()).map(({ amount, result }) => [amount, result.replace(/[\d.]+/, "…")]),
      [
        ["50", "≈ … SOL"],
        ["100", "≈ … SOL"],
      ],
    );
    await panel.untilText(".bundle .send", "Simulate: sell from 2 wallets");
    assert.match(await panel.text(".legs .paid"), /^2\d\.\dM RABBIT$/, "short: every digit breaks on a phone");
    await send();
    await panel.untilText(".attempt", "Ada: The price moved past your slippage. Nothing was traded");
    assert.deepEqual(
      (await rows()).map(({ result }) => result),
      ["Failed", "Failed"],
    );
    await pasted("wallet-ada\t50\nwallet-bo\t100");
    await panel.untilText("#bundle-total-note", "No % sign: read as tokens.");
    // The one of another unit has no amount: in the unit of the others it would be another trade.
    await pasted("wallet-ada\t50\nwallet-bo\t20\nwallet-cy\t30 %");
    assert.equal(await panel.text('.bundle .switch [aria-pressed="true"]'), "Sell tokens");
    assert.deepEqual(await amounts(), ["50", "20", ""]);
  });

  inChromium("another token ends what was consented to, and keeps no amount of tokens", async () => {
    const panel = await open({ ...world, ...TWO_TOKENS });
    await fill("0.9");
    await panel.click('[name="bundle-accept"]');
    await panel.untilText(".bundle .send", "Simulate: buy for 1.8 SOL");
    await panel.switchTo("TWO");
    await panel.untilText(".legs tfoot", "TWO");
    assert.equal(await panel.inside((root) => root.querySelector('[name="bundle-accept"]').checked), false);
    await press("Sell tokens");
    assert.equal(await panel.inside((root) => root.querySelector("#bundle-total").value), "", "it was SOL");
    await write("Amount for Ada", "5");
    await panel.switchTo("ONE");
    assert.deepEqual(await amounts(), ["", ""]);
  });

  inChromium("a table with too many rows is not read, and nothing is sent before somebody has seen that", async () => {
    const panel = await open();
    await fill("0.1");
    await panel.untilText(".bundle .send", "Simulate: buy for 0.2 SOL");
    const tables = [
      [
        Array.from({ length: 302 }, (_, at) => `wallet-${at},0.1`).join("\n"),
        "The pasted table was not read: it has more than 300 rows. The rows below are those from before.",
      ],
      [
        `wallet-ada,${"0".repeat(200_000)}1`,
        "The pasted text was not read: it has more than 150,000 characters. The rows below are those from before.",
      ],
    ];
    for (const [table, why] of tables) {
      await pasted(table);
      await panel.untilText(".pasted-problems", why);
      assert.equal(await panel.text(".bundle .send"), "Check the pasted table");
      await send();
      await pause(200);
      assert.deepEqual([(await panel.attempts()).length, await amounts()], [0, ["0.1", "0.1"]]);
      await press("Continue without these");
      await panel.untilText(".bundle .send", "Simulate: buy for 0.2 SOL");
    }
  });

  test("a long table is drawn a few rows at a time, and nothing is sent meanwhile", async () => {
    const panel = await open();
    await fill("0.1");
    await panel.page.evaluate(() => {
      const root = document.querySelector("launchpad-desk").shadowRoot;
      window.seen = [];
      const look = () => {
        window.seen.push([root.querySelectorAll(".leg").length, root.querySelector(".bundle .send").innerText]);
        if (root.querySelectorAll(".leg").length < 300) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await pasted(Array.from({ length: 300 }, (_, at) => `${WALLETS[at % 8].wallet},0.00${(at % 9) + 1}`).join("\n"));
    assert.equal((await rows()).length, 300);
    const seen = await panel.page.evaluate(() => window.seen);
    const counts = new Set(seen.map(([count]) => count));
    assert.ok(counts.size > 4, `${[...counts]}`);
    const between = seen.filter(([count]) => count > 2 && count < 300).map(([, text]) => text);
    assert.deepEqual([...new Set(between)], ["Check the pasted table"]);
    await panel.untilText(".bundle .send", "send all 300");
    assert.equal(
      await panel.inside((root) => root.querySelector(".bundle .add").disabled),
      true,
      "there is no room for more",
    );
  });

  inChromium(
    "says the same everywhere: how many wallets, trades and transactions, and what each sum is of",
    async () => {
      const panel = await open();
      assert.equal(await panel.$('[name="bundle-plain"]'), null, "two empty rows need no table");
      assert.match(await panel.text(".bundle"), /One transaction: all of it lands, or nothing\./);
      await pasted(Array.from({ length: 33 }, (_, at) => `${["Ada", "Bo", "Cy"][at % 3]},0.1`).join("\n"));
      const parts = Number(/: (\d+) transactions/.exec(await panel.text(".parts"))[1]);
      assert.ok(parts > 1);
      assert.match(
        await panel.text(".bundle"),
        new RegExp(`${parts} transactions, one after the other: each lands whole or not at all\\.`),
      );
      assert.doesNotMatch(await panel.text(".bundle"), /all of it lands/);
      assert.match(await panel.text(".legs tfoot"), new RegExp(`^33 trades in all ${parts} transactions 3\\.3 SOL `));
      assert.match(await panel.text(".bundle-act"), /^All in one press, up to the first that does not land\./);
      assert.match(await panel.text(".bundle .quote"), /^≈ 10\dM RABBIT/);
      await panel.untilText(".bundle .send", "Tick to accept the risk");
      await panel.press('.bundle [name="bundle-accept"]');
      await panel.untilText(".bundle .send", "Simulate: send all 33: buy for 3.3 SOL with 3 wallets");
      await send();
      await panel.untilText(".attempt", "3 wallets have traded");
    },
  );

  inChromium("what is edited while it is in flight does not make its rows unsent", async () => {
    const panel = await open({ ...world, faults: { script: [{ kind: "none", latencyMs: 2_000 }] } });
    await fill("0.1");
    await send();
    await panel.untilText(".attempt", "Sending");
    await panel.write("bundle-slippage", "2");
    await panel.untilText(".attempt", "Landed");
    assert.deepEqual(
      (await rows()).map(({ result }) => result.split(" ")[0]),
      ["Landed", "Landed"],
    );
    assert.equal(await panel.text(".bundle .send"), "Enter an amount");
    await send();
    await pause(500);
    assert.equal((await panel.attempts()).length, 1);
  });

  inChromium("goes out as several transactions where one has no room, by one press, up to one that fails", async () => {
    const { panel } = at;
    const failing = { kind: "transactionFails", refusal: "below_minimum_tokens" };
    await open({ ...world, faults: { script: [{ kind: "none" }, failing] } });
    await press("Add all");
    await fill("0.1");
    assert.match(await panel.text(".parts"), /: 2 transactions, .*: 1: Ada, Bo, Cy, Dee; 2: Eve, Fay, Gus, Hal\.$/);
    await panel.press('[name="bundle-plain"]');
    await panel.untilText(".parts", "4 transactions");
    assert.equal(await panel.text(".bundle .send"), "Simulate: send all 8: buy for 0.8 SOL with 8 wallets");
    await send();
    await panel.untilText(".bundle .notice", "It is still to be sent, and 2 more after it.");
    assert.deepEqual(await results(), [...times(2, "Landed"), ...times(2, "Failed"), ...times(4, "≈")]);
    await panel.untilText(".bundle .send", "Again");
    await fill("0.05");
    assert.deepEqual(
      (await rows()).map(({ amount, result }) => `${amount} ${result.split(" ")[0]}`),
      [...times(2, "0.1 Landed"), ...times(6, "0.05 ≈")],
      "what is sent stays so",
    );
    await panel.untilText(".bundle .send", "Simulate: send all 6: buy for 0.3 SOL with 6 wallets");
    assert.deepEqual(await violations(panel), []);
    for (const width of [390, 320]) {
      await panel.page.setViewport({ width, height: 844 });
      assert.ok(
        await panel.inside(() => document.documentElement.scrollWidth <= innerWidth),
        `nothing is wider than ${width} px`,
      );
    }
    await landAll();
    assert.equal(
      (await panel.attempts()).filter((attempt) => attempt.includes("Landed")).length,
      3,
      "the newest are shown",
    );
  });

  inChromium(
    "of several transactions none goes out after a press of Stop, or an edit, and it says how far it is",
    async () => {
      const panel = await open({ ...world, faults: { script: times(8, { kind: "none", latencyMs: 1_500 }) } });
      await fillAll("0.1", 4);
      await send();
      await panel.untilText(".bundle-act", "Sending 1 of 4.");
      await panel.press(".bundle .halt");
      await panel.untilText(".bundle .notice", "3 more transactions to send.");
      assert.deepEqual(await results(), [...times(2, "Landed"), ...times(6, "≈")]);
      await goOn("Continue");
      await panel.untilText(".bundle .send", "send all 6");
      await send();
      await panel.untilText(".bundle-act", "Sending 1 of 3.");
      await panel.write("bundle-slippage", "2");
      await panel.until("the second to land", async () => (await results())[3] === "Landed");
      await pause(500);
      assert.deepEqual(await results(), [...times(4, "Landed"), ...times(4, "≈")]);
    },
  );

  inChromium("a transaction that the chain takes back meanwhile is not sent again by the same press", async () => {
    const panel = await open({ ...world, faults: { script: times(8, { kind: "none", latencyMs: 1_500 }) } });
    await fillAll("0.1", 4);
    await send();
    await panel.untilText(".bundle-act", "Sending 2 of 4.");
    // As another page that has looked it up.
    await panel.withKept((rows, put, tell) => {
      const first = rows.find(({ settled }) => settled);
      put({ ...first, fate: { is: "did_not_land", by: "chain" } });
      tell(first.intentId);
    });
    await panel.untilText(".bundle .notice", "3 more transactions to send.");
    assert.deepEqual(await results(), [...times(2, "Did"), ...times(2, "Landed"), ...times(4, "≈")]);
    assert.equal((await panel.attempts()).length, 2);
  });

  inChromium("of several transactions none goes out if one would fail: nobody has seen the risk of all", async () => {
    const panel = await open({ wallets: [...WALLETS.slice(0, 7), { ...WALLETS[7], lamports: 1_000_000_000 }] });
    await fillAll("2", 2);
    assert.deepEqual((await results()).slice(-2), ["≈", "Would"]);
    assert.equal(await panel.text(".bundle .send"), "Would fail: change it");
  });

  inChromium("the risk of several transactions is that of all, and is accepted once", async () => {
    const panel = await open();
    await fillAll("0.4", 2);
    await panel.untilText(".bundle .consent", "% impact");
    await panel.untilText(".bundle .send", "Tick to accept the risk");
    await send();
    await panel.press('.bundle [name="bundle-accept"]');
    await panel.untilText(".bundle .send", "Simulate: send all 8");
    await landAll();
  });

  inChromium("the costs of several transactions, and their priority, are those of all of them", async () => {
    const panel = await open();
    await fillAll("0.02", 2);
    await panel.press(".priority button", "Fast");
    // Ada signs both, and 8 trades pay 0.0001 SOL each: 0.000845 SOL, and the rent of 8 token accounts.
    await panel.untilText(".bundle .consent", "0.01275252 SOL");
    await panel.press(".priority button", "Custom");
    await panel.write("prioritySol", "0.01");
    await panel.untilText(".bundle .consent", "Priority costs 0.08 SOL, 50 % of this trade. Type 0.08 to accept.");
  });

  inChromium(
    "of several transactions one that no longer brings what stood there at the press does not go out",
    async () => {
      const panel = await open({ ...world, ...CROWDED });
      await panel.standStill();
      await fillAll("0.1", 2);
      await panel.toggleDrawer();
      await panel.untilText(".drawer", "A minute passes now");
      await panel.letMinutePassOn("desk-outcome");
      await send();
      await panel.untilText(".bundle .consent", "The price has moved: this is the new quote.");
      assert.deepEqual(await results(), [...times(4, "Landed"), ...times(4, "≈")]);
      assert.equal((await panel.attempts()).length, 1);
    },
  );
});
