// Live mode: behind a gateway that answers its health check, and never with anything else instead.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Sandbox } from "launchpad-desk/sandbox";
import { openPage } from "../../scripts/browsers.mjs";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { ADA, CYD, RABBIT } from "./panel.mjs";

const BEA = "SimTraderBea1111111111111111111111111111111";
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization",
  "access-control-expose-headers": "*",
};

/** A gateway that answers as a service would, reports doubt while it `loses`, and records what it got. */
const gateway = { well: true, loses: false, confirms: true, simulates: false, cors: CORS, got: [] };
const sandbox = new Sandbox();
// It closes no idle connection: a browser that sends on it at that moment would send again.
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const end = (status, body, headers = {}) =>
    response.writeHead(status, { ...gateway.cors, "content-type": "application/json", ...headers }).end(body);
  if (["OPTIONS", "HEAD"].includes(request.method)) return end(204);
  if (request.url === "/health")
    return gateway.well
      ? end(200, JSON.stringify({ status: "ok", simulated: gateway.simulates }))
      : end(503, '{"status":"down"}');
  if (request.url === "/v1/ready")
    return end(200, JSON.stringify({ desk: "alpha", caller: "ada", nowMs: Date.now(), simulated: gateway.simulates }));
  if (request.method === "GET")
    return end(200, JSON.stringify({ intentId: request.url.split("/").at(-1), state: "in_doubt", outcome: null }));
  const body = Buffer.concat(await request.toArray()).toString();
  gateway.got.push({ path: request.url, body: JSON.parse(body), headers: request.headers });
  if (gateway.loses) return end(504, '{"message":"no answer"}', { "intent-state": "in_doubt" });
  const reply = await sandbox.fetch(`http://x${request.url}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  // A sandbox marks its signatures; a service does not.
  const text = (await reply.text()).replaceAll("SIM", "5Kt");
  end(reply.status, gateway.confirms ? text : text.replaceAll('"success":true,', ""), { "intent-state": "ended" });
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());
const url = `http://127.0.0.1:${server.address().port}`;

await inEachBrowser((at) => {
  const { inChromium } = at;
  const open = (site = "live.html", more = {}) => {
    Object.assign(gateway, { well: true, loses: false, confirms: true, simulates: false, cors: CORS, got: [] });
    const query = new URLSearchParams({ "base-url": url, mint: RABBIT, wallet: ADA, ...more });
    const page = `${at.panel.url}${site}?${query}`;
    at.panel.elsewhere.push(url);
    return { page, opened: () => at.panel.open(page) };
  };

  const started = async (more) => {
    await open("live.html", more).opened();
    return at.panel;
  };

  const isOpen = async () => (await at.panel.$('.desk[aria-busy="false"]')) !== null;

  test("opens no other world where the gateway is not well, and this one when it is", async () => {
    const { panel } = at;
    const { page } = open();
    gateway.well = false;
    await panel.page.goto(page);
    await panel.untilText(".opening", "The desk cannot open: The gateway reports a problem. Nothing can be sent.");
    assert.equal(await panel.$(".ticket"), null);
    gateway.well = true;
    await panel.click(".opening button");
    await panel.untilText(".badge", "Live: real money");
    assert.deepEqual(gateway.got, []);
    panel.forgive(/503/);
  });

  test("says whether the gateway or the page's own policy refuses it", async () => {
    const { panel } = at;
    const { page } = open();
    gateway.cors = {};
    await panel.page.goto(page);
    const { origin } = new URL(panel.url);
    await panel.untilText(
      ".opening",
      `The desk cannot open: The gateway answers, but not to pages of ${origin}: add it to the gateway's origins.`,
    );
    await panel.page.goto(open("").page);
    await panel.untilText(
      ".opening",
      `The desk cannot open: This page's Content-Security-Policy forbids requests to the gateway: add ${url} to its connect-src.`,
    );
    // Each browser reports both in its own words.
    panel.faults = [];
  });

  inChromium("says that a gateway simulates, and sends nothing once it has gone live", async () => {
    const { panel } = at;
    const { opened } = open();
    gateway.simulates = true;
    await opened();
    await panel.untilText(".badge", "Simulated: no real money");
    await panel.write("amount", "0.25");
    await panel.write("ticket-accept", "0.25");
    await panel.untilText(".send", "Simulate: buy 0.25 SOL");
    await panel.set({ words: { "The gateway now trades with real money. Reload the page.": "" } });
    await panel.write("amount", "0.25");
    await panel.write("ticket-accept", "0.25");
    await panel.painted();
    gateway.simulates = false;
    await panel.click(".send");
    await panel.untilText(".consent", "The gateway now trades with real money. Reload the page.");
    assert.deepEqual(gateway.got, []);
    await opened();
    await panel.untilText(".badge", "Live: real money");
  });

  test("a press from before a machine's sleep sends nothing after it", async () => {
    const panel = await started();
    await panel.write("amount", "0.25");
    await panel.write("ticket-accept", "0.25");
    await panel.untilText(".send", "Buy 0.25 SOL");
    await panel.page.evaluate(() => {
      const [{ now }, asks, stands] = [Date, globalThis.fetch, performance.now()];
      performance.now = () => stands;
      globalThis.fetch = async (url, init) => {
        const reply = await asks(url, init);
        if (url.endsWith("/v1/ready")) Date.now = () => now() + 60_000;
        return reply;
      };
    });
    await panel.click(".send");
    await panel.untilText(".consent", "It was not sent: it took too long.");
    assert.deepEqual([gateway.got, await panel.attempts()], [[], []]);
  });

  for (const [what, without, said] of [
    [
      "where the browser stores nothing",
      () =>
        (indexedDB.open = () => {
          throw new DOMException("denied", "SecurityError");
        }),
      "Live mode needs a browser that stores data for this site: without that a reload would forget the trades in flight.",
    ],
    [
      "without locks of the browser: two tabs could send the same trade",
      () => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }),
      "Live mode needs a page over https, in a browser with Web Locks",
    ],
  ])
    test(`does not open ${what}`, async () => {
      const { panel } = at;
      await panel.page.evaluateOnNewDocument(without);
      await panel.page.goto(open().page);
      await panel.untilText(".opening", `The desk cannot open: ${said}`);
      assert.equal(await panel.$(".ticket"), null);
    });

  test("sends once, for what is accepted unseen, and links to what is real", async () => {
    const panel = await started();
    await panel.write("amount", "0.25");
    await panel.untilText(".send", "Type 0.25 to accept the risk");
    await panel.untilText(
      ".consent",
      "Up to 0.25 SOL is at risk. Type 0.25 to accept it, and trades up to it in this session.",
    );
    await panel.write("ticket-accept", "0.25");
    await panel.untilText(".send", "Buy 0.25 SOL");
    await panel.send("Landed");
    assert.equal(gateway.got.length, 1);
    assert.deepEqual(
      [gateway.got[0].path, gateway.got[0].body.amountInLamports, gateway.got[0].body.fromWallet],
      ["/v1/trade/buy", 250_000_000, ADA],
    );
    assert.doesNotMatch(await panel.text(".attempt"), /simulated/i);
    const links = await panel.inside((root) =>
      [...root.querySelectorAll(".attempt a")].map(({ target, rel }) => [target, rel].join(" ")),
    );
    assert.deepEqual([...new Set(links)], ["_blank noopener noreferrer"]);
    await panel.untilText("#wallet-note", "Holds");
    assert.match(
      await panel.text(".positions tbody tr"),
      /^SimM…1111 SimT…1111 [\d.]+M 25 % 50 % 100 %$/,
      "held, as the reply says",
    );
    assert.equal((await panel.text(".desk")).match(/not known|no prices/g).length, 1, "what is missing is said once");
    assert.match(
      await panel.text(".attempt"),
      /Buy SimM…1111 for 0\.25 SOL \+8,\d{3},\d{3}\.\d+ SimM…1111 for 0\.25 SOL, 0\.0₇[23]\d{3} SOL each/,
    );
  });

  inChromium("priority that costs much is typed, though nobody quotes the trade", async () => {
    const panel = await started();
    const chip = (name) => panel.press(".priority button", name);
    await panel.write("amount", "1");
    await chip("Custom");
    await panel.write("prioritySol", "60");
    await panel.untilText(".consent", "Priority costs 60 SOL, 6,000 % of this trade. Type 60 to accept.");
    await panel.untilText(".consent", "Up to 61 SOL is at risk.");
    await panel.write("ticket-accept", "0.5");
    await panel.untilText(".send", "Type 60 to accept the risk");
    await panel.click(".sides .sell");
    await panel.write("amount", "100");
    await panel.write("prioritySol", "0.05");
    await panel.untilText(".consent", "Priority costs 0.05 SOL. Type 0.05 to accept.");
  });

  inChromium("asks once a session how much may be at risk, and again only for more", async () => {
    const { panel } = at;
    const { opened } = open();
    await opened();
    await panel.write("amount", "0.25");
    await panel.write("ticket-accept", "0.2");
    assert.equal(await panel.text(".send"), "Type 0.25 to accept the risk");
    await panel.write("ticket-accept", "0.25");
    await panel.send("Landed");
    for (const load of [async () => {}, opened]) {
      await load();
      await panel.write("amount", "0.2");
      await panel.untilText(".send", "Buy 0.2 SOL");
      assert.equal(
        await panel.text(".consent"),
        "Up to 0.2 SOL is at risk, within this session's limit of 0.25 SOL. Ask again",
      );
      await panel.write("amount", "0.26");
      await panel.untilText(".send", "Type 0.26 to accept the risk");
    }
    await panel.write("amount", "0.2");
    await panel.click(".consent button");
    await panel.untilText(".send", "Type 0.2 to accept the risk");
    await panel.click(".sides .sell");
    await panel.write("amount", "100");
    await panel.untilText(".send", "Sell 100");
    assert.equal(await panel.text(".consent"), "The proceeds are known once it has landed.");
    assert.equal(gateway.got.length, 1);
  });

  test("an unknown one locks every page, and is settled by whoever has looked it up", async () => {
    const panel = await started();
    gateway.loses = true;
    await panel.buyUnseen("0.1", "Unknown");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    const other = await openPage(panel.page.browserContext());
    await other.goto(panel.page.url());
    const lock = () =>
      other.evaluate(() => {
        const root = document.querySelector("launchpad-desk")?.shadowRoot;
        const field = root?.querySelector('[name="amount"]');
        if (!field) return "";
        field.value = "1";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        return root.querySelector(".send").textContent.trim();
      });
    await panel.until("the lock in another page", async () => (await lock()) === "Locked: settle the earlier trade");
    await panel.page.bringToFront();
    await panel.click(".settle button");
    await panel.untilText(".settle", "You can look it up in an explorer.");
    await panel.untilText(".settle", "It may still land within two minutes");
    const choices = () => panel.texts(".settle button");
    assert.deepEqual(await choices(), ["It landed"], "nobody can say yet that it did not");
    await panel.moveClock(121_000);
    await panel.write("amount", "0.2");
    await panel.until("both", async () => (await choices()).length === 2);
    const press = (text) => panel.press(".settle button", text);
    const focused = () => panel.inside((root) => root.activeElement?.innerText.replace(/\s+/g, " ").trim());
    await press("It landed");
    await panel.until("the question", async () =>
      /^Be sure that it landed\..*the wallet can trade this token again\.$/.test(await focused()),
    );
    await press("Cancel");
    await panel.until("the focus where it was", async () => (await focused()) === "It landed");
    assert.deepEqual(await choices(), ["It landed", "It did not land"]);
    // A second click or Enter on the same button is not an answer.
    const button = await panel.$(".settle .did_not_land");
    await button.click();
    await button.click();
    await panel.page.keyboard.press("Enter");
    await panel.untilText(
      ".settle",
      "Be sure that it did not land. The wallet can then trade this token again: if it did land after all, sending it again trades twice.",
    );
    await pause(300);
    assert.match(await panel.text(".attempt"), /Unknown/);
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    assert.deepEqual(await violations(panel, ".side"), []);
    await press("Yes, it did not land");
    await panel.untilText(".attempt", "It did not land: you have checked.");
    await panel.until("the focus on its row", () =>
      panel.inside((root) => root.activeElement?.classList.contains("did_not_land")),
    );
    await panel.until("no lock in the other page", async () => (await lock()) === "Type 1 to accept the risk");
    await other.close();
    panel.forgive(/504/);
  });

  inChromium(
    "one that was accepted and not confirmed is not found to have landed where its answer could not be stored",
    async () => {
      const { panel } = at;
      const { opened } = open();
      gateway.confirms = false;
      await opened();
      await panel.page.evaluate(() => {
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = function (...row) {
          if (this.name === "attempts") throw new DOMException("full", "QuotaExceededError");
          return put.apply(this, row);
        };
      });
      await panel.buyUnseen("0.1");
      await panel.untilText(".consent", "Its outcome could not be stored in this browser");
      await opened();
      await panel.untilText(".attempt", "The service accepted it but does not say whether it landed");
      assert.doesNotMatch(await panel.text(".attempt"), /It landed|landed: 1 wallet has traded/);
    },
  );

  inChromium("a bundle refuses a wallet that the page does not offer in its row, before anything is sent", async () => {
    const panel = await started();
    await panel.click("#tab-bundle");
    await panel.inside((root) => {
      root.querySelector(".paste").open = true;
      root.querySelector("#bundle-table").value = "nobody,0.1";
    });
    await panel.press(".paste button");
    await panel.untilText(".leg .result", "nobody is not a wallet of this panel");
    await panel.untilText(".bundle .send", "Check the wallet in nobody");
    await panel.press(".bundle .send");
    await panel.until("the focus on it", () => panel.inside((root) => root.activeElement?.name.endsWith("wallet")));
    assert.deepEqual(gateway.got, []);
  });

  inChromium("a bundle sells the tokens that stand there, whatever decimals they have", async () => {
    const panel = await started({ tokens: JSON.stringify([{ mint: RABBIT, symbol: "NINE", decimals: 9 }]) });
    await panel.click("#tab-bundle");
    await panel.press(".bundle .switch button", 1);
    await panel.write("row-1-amount", "1.5");
    await panel.untilText(".bundle .send", "Sell from 1 wallet");
    await panel.click(".bundle .send");
    await panel.until("its request", () => gateway.got.length === 1);
    assert.equal(Number(gateway.got[0].body.sells[0].amountInToken), 1.5);
  });

  inChromium(
    "a reply finer than the decimals that the page gave leaves the desk open, also after a reload",
    async () => {
      const panel = await started({ tokens: JSON.stringify([{ mint: RABBIT, symbol: "TWO", decimals: 2 }]) });
      await panel.buyUnseen("0.1", "Landed");
      await panel.click("#tab-trades");
      await panel.untilText("#tabpanel", "1 trade");
      await panel.reload();
      await panel.click("#tab-trades");
      await panel.untilText("#tabpanel", "1 trade");
    },
  );

  inChromium("an amount that the page sets is what to buy with, though Sell is chosen", async () => {
    const panel = await started();
    await panel.click(".sides .sell");
    await panel.write("amount", "100%");
    await panel.set({ amount: "0.5" });
    await panel.click(".sides .buy");
    await panel.until("the amount", async () => (await panel.value("amount")) === "0.5");
    await panel.click(".sides .sell");
    await panel.until("what was typed", async () => (await panel.value("amount")) === "100%");
  });

  inChromium("a token of a caller that the page sets later is the one that is sent", async () => {
    const panel = await started();
    await panel.set({ token: "token-of-somebody" });
    await panel.untilOpen();
    await panel.buyUnseen("0.1");
    await panel.until("its request", () => gateway.got.length === 1);
    assert.equal(gateway.got[0].headers.authorization, "Bearer token-of-somebody");
  });

  inChromium(
    "a token and a wallet that the page names later are those that are traded, though the desk did not offer them",
    async () => {
      const panel = await started();
      const token = "SimMoonOtter1111111111111111111111111111111";
      await panel.set({ mint: token });
      await panel.until("the token", async () => (await panel.attribute(".under .mono", "title")) === token);
      await panel.untilOpen();
      await panel.set({ wallet: BEA });
      await panel.until("the wallet", async () => (await isOpen()) && (await panel.value("wallet")) === BEA);
      await panel.buyUnseen("0.1");
      await panel.until("its request", () => gateway.got.length === 1);
      const { mint, fromWallet } = gateway.got[0].body;
      assert.deepEqual([mint, fromWallet], [token, BEA]);
      await panel.untilText(".attempt", "Rejected");
      panel.forgive(/400/);
    },
  );

  inChromium(
    "new lists of the same tokens and wallets change nothing, longer ones open nothing anew, and what is typed outlives other lists",
    async () => {
      const panel = await started();
      const set = (wallets) => panel.set({ tokens: [], wallets: wallets.map((wallet) => ({ wallet })) });
      const wallets = () => panel.inside((root) => root.querySelectorAll("[name=wallet] option").length);
      const entered = () => Promise.all(["wallet", "amount", "slippage"].map((name) => panel.value(name)));
      const isSame = () => panel.inside((root) => root.querySelector("form.ticket") === globalThis.ticket);
      await set([BEA]);
      await panel.until("the second wallet", async () => (await isOpen()) && (await wallets()) === 2);
      await panel.pick("wallet", BEA);
      await panel.write("slippage", "1");
      await panel.write("amount", "0.1");
      await panel.inside((root) => void (globalThis.ticket = root.querySelector("form.ticket")));
      await set([BEA]);
      await panel.painted();
      await pause(300);
      assert.equal(await isSame(), true, "it has not opened anew");
      assert.deepEqual(await entered(), [BEA, "0.1", "1"]);
      await set([BEA, CYD]);
      await panel.until("the third wallet", async () => (await isOpen()) && (await wallets()) === 3);
      assert.equal(await isSame(), true, "nor for a wallet more");
      assert.deepEqual(await entered(), [BEA, "0.1", "1"], "as the trader has picked and typed it");
      await set([CYD]);
      await panel.until("two wallets", async () => (await isOpen()) && (await wallets()) === 2);
      assert.deepEqual((await entered()).slice(0, 2), [ADA, ""], "of another wallet nothing is taken over");
      await panel.write("amount", "0.2");
      await panel.page.evaluate(async (wallet) => {
        const [desk, main] = [document.querySelector("launchpad-desk"), document.querySelector("main")];
        desk.remove();
        desk.wallet = wallet;
        await desk.updateComplete;
        main.append(desk);
      }, BEA);
      await panel.until(
        "the wallet named meanwhile",
        async () => (await isOpen()) && (await panel.value("wallet")) === BEA,
      );
      assert.equal(await panel.value("amount"), "");
    },
  );

  inChromium("Max says why it enters nothing, by its button and by its key, until something is entered", async () => {
    const panel = await started();
    await panel.press(".ticket .amount .chips button", "Max");
    await panel.untilText("#amount-note", "Max is not known: the wallet's balance has not been read.");
    await panel.untilText('.desk > [role="alert"]', "Max is not known");
    await panel.write("amount", "0.1");
    assert.equal(await panel.text("#amount-note"), "");
    await panel.click(".sides .buy");
    await panel.page.keyboard.press("m");
    await panel.untilText("#amount-note", "Max is not known");
    assert.equal(await panel.value("amount"), "0.1");
  });

  inChromium("without a gateway's address it says so, and simulates nothing", async () => {
    const { panel } = at;
    await panel.page.goto(`${panel.url}live.html?mode=live`);
    await panel.untilText(".opening", "Live mode needs a gateway: set the attribute base-url");
    assert.equal(await panel.$(".ticket"), null);
  });
});
