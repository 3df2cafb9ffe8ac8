// The operators' page in browsers: a login by the browser's own prompt, what the desk answers as text and never as markup, each act, and
// a policy that runs nothing but the page's own script.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ensureBrowsers, launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { violationsOf } from "../panel/axe.mjs";
import {
  ADA,
  BUY,
  KEY,
  LANDED,
  RABBIT,
  folder,
  gatewayFor,
  inWaves,
  landed,
  openGateway,
  operator,
  caller,
  settingsOf,
  tokenOf,
} from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

/** A wallet that there is not. */
const BO = "SimTraderBo11111111111111111111111111111111";

await ensureBrowsers(["chromium"]);
const browser = await launchBrowser("chromium");
after(() => browser.close());

/** The page of a gateway's desk, as an operator's browser opens it. */
async function openDesk(gateway, { path = "/desk", width = 1280, height = 900, theme = "light" } = {}) {
  const page = await openPage(browser);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.authenticate({ username: "anyone", password: tokenOf("olga") });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(new URL(path, gateway.url));
  await shown(page);
  return { page, errors };
}

/** Waits until the desk is read. */
const shown = (page) => page.waitForFunction(() => !document.querySelector("#desk").hasAttribute("aria-busy"));
const textOf = (page, selector = "main") => page.$eval(selector, (element) => element.innerText);
/** Presses a button of the page, of an intent's if one is named, and waits for the desk as it is then. */
async function press(page, name, intent = "") {
  await page.evaluate(
    (name, intent) => {
      const within = intent
        ? [...document.querySelectorAll("article")].find((card) => card.innerText.includes(`intent ${intent},`))
        : document;
      const found = [...within.querySelectorAll("button")].find((button) => button.textContent === name);
      found.click();
    },
    name,
    intent,
  );
  await shown(page);
}
const section = async (page, name) => {
  const [, text] =
    new RegExp(`\\n${name}\\n+([^]*?)(?=\\n(?:In doubt|Waiting for approval|In flight|Limits)\\n|$)`).exec(
      await textOf(page),
    ) ?? assert.fail(await textOf(page));
  return text;
};

const approving = (more) =>
  settingsOf({
    desks: [
      {
        name: "alpha",
        limits: { maxLamportsPerDay: 50_000_000_000, maxSlippage: 5 },
        approval: { overLamports: 500_000_000 },
      },
    ],
    ...more,
  });

test("an operator sees each trade that waits with its price, approves one, denies one, and stops the desk", async () => {
  const gateway = await gatewayFor({ settings: approving() });
  const buys = [
    { fromWallet: ADA, amountInLamports: 900_000_000 },
    { fromWallet: BO, amountInLamports: 100_000_000 },
  ];
  for (const [intent, path, body] of [
    ["one", "buy", { ...BUY, slippage: 2 }],
    ["two", "bundle/buy", { mint: RABBIT, feePayer: ADA, buys }],
    ["elsewhere", "buy", { ...BUY, mint: "M" }],
  ]) {
    assert.equal((await gateway.post(`/v1/trade/${path}`, body, { intent })).status, 202);
  }
  const { page, errors } = await openDesk(gateway);
  assert.equal(await page.title(), "Desk alpha");
  const waiting = await section(page, "Waiting for approval");
  assert.match(waiting, /Buy of SimMoonRabbit1+, may take [\d.]+ SOL, by ada, intent one, \d+ s ago/);
  assert.match(waiting, /SimTraderAda1+ spends 1 SOL, with a slippage of 2 %\./);
  assert.match(waiting, /34199203\.120618/);
  assert.match(waiting, /The network takes 0\.000005 SOL\. Read at slot \d+ \(\w+\), \d\d:\d\d:\d\d UTC\./);
  assert.match(waiting, /It would fail now: the wallet has too few lamports for .+, at buys\[1\]\./);
  assert.match(
    waiting,
    /0\.0013462 SOL more are rent of accounts in which the launchpad counts what wallets trade\. No trade gives them back\./,
  );
  assert.match(
    waiting,
    /It has no price now: its mint is not an address of the chain\. You can still approve or deny it\./,
  );
  assert.match(await textOf(page), /The desk is active\. A sandbox is behind it: no money moves\./);
  assert.match(await textOf(page), /all\t24 hours\t50 SOL\n/);

  await press(page, "Approve", "one");
  await press(page, "Deny", "two");
  await press(page, "Deny", "elsewhere");
  assert.equal(await section(page, "Waiting for approval"), "Nothing is waiting.\n");
  assert.match(await textOf(page), /ada\tone\tBuy\tSimMoonRabbit1+\t[\d.]+\tlanded, 200/);
  assert.match(await textOf(page), /ada\ttwo\tBundle buy\tSimMoonRabbit1+\t[\d.]+\tnot_sent, 403/);
  for (const [name, mode] of [
    ["Halt", "halted"],
    ["Only sells", "reducing"],
    ["Resume", "active"],
  ]) {
    await press(page, name);
    assert.match(await textOf(page), new RegExp(`The desk is ${mode}\\.`));
    assert.equal((await gateway.desk()).mode, mode);
  }
  assert.equal(await page.evaluate(() => document.activeElement.localName), "h1", "what had the focus is gone");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a double click or tap acts on one trade, and a halt waits for none", async () => {
  const held = [];
  const upstream = await startUpstream((_request, response) => void held.push(response));
  const gateway = await gatewayFor({ settings: approving({ upstream: upstream.url }) });
  for (const intent of ["one", "two", "three"])
    assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent })).status, 202);
  const { page } = await openDesk(gateway, { height: 2000 });
  // What is drawn rests until the test says so.
  const rests = await page.evaluateHandle(() => {
    const [own, rests] = [window.setTimeout, []];
    window.setTimeout = (done) => void rests.push(done);
    return { end: () => ((window.setTimeout = own), rests.forEach((done) => done())) };
  });
  await page.locator("article ::-p-text(Deny)").click();
  await page.waitForFunction(() => document.querySelectorAll("article").length === 2);
  // The next one, of the same height, is where the pointer is. A phone does not count its taps.
  await page.mouse.down();
  await page.mouse.up();
  await rests.evaluate(({ end }) => end());
  await shown(page);
  assert.match(await section(page, "Waiting for approval"), /intent two,/, "it is not the one that was meant");

  await page.locator("article ::-p-text(Approve)").click();
  while (!held.length) await page.evaluate(() => new Promise(requestAnimationFrame));
  await press(page, "Halt");
  assert.match(await textOf(page), /The desk is halted\./);
  assert.match(await section(page, "In flight"), /intent two,/);
  held[0].destroy();
  await page.waitForFunction(() => document.querySelector("article input"));
  await page.close();
});

test("it settles what is in doubt, with a signature or as not landed, and says what was refused", async () => {
  const upstream = await startUpstream((_request, response) => response.destroy());
  const gateway = await gatewayFor({ settings: settingsOf({ upstream: upstream.url }) });
  for (const intent of ["one", "two", "three"])
    assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent })).status, 502);
  const { page } = await openDesk(gateway);
  await page.type("article input", " the-signature ");
  await press(page, "It landed", "one");
  await page.evaluate(() => (window.confirm = (said) => !(window.asked = said)));
  await press(page, "It did not land", "two");
  assert.match(await page.evaluate(() => window.asked), /if it did land after all, that trades twice\.$/);
  await page.evaluate(() => (window.confirm = () => true));
  await press(page, "It did not land", "two");
  const answer = async (intent) => (await gateway.post("/v1/trade/buy", BUY, { intent })).json();
  assert.equal((await answer("one")).result.signature, "the-signature");
  assert.equal((await answer("two")).code, "did_not_land");
  assert.match(await section(page, "In doubt"), /intent three/);
  // Somebody else was faster.
  await gateway.order("settle", { caller: "ada", intentId: "three", found: "landed" });
  await press(page, "It did not land", "three");
  assert.equal(await textOf(page, "#said"), "Not done: the intent is ended, not in_doubt");
  assert.equal(await section(page, "In doubt"), "Nothing is in doubt.\n");
  // What was ordered may have sent a trade.
  const said = await page.evaluate(async () => {
    const own = window.fetch;
    const interrupted = { outcome: "unknown", detail: "the gateway was interrupted" };
    window.fetch = (url, init) => (init?.method ? Response.json(interrupted, { status: 502 }) : own(url, init));
    for (const name of ["Only sells", "Halt"])
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name).click();
    window.fetch = own;
    const said = document.querySelector("#said");
    while (said.textContent.split("interrupted").length < 3) await new Promise(requestAnimationFrame);
    return said.textContent;
  });
  const unknown = "It is not known whether that was done: the gateway was interrupted. See what the desk says now.";
  assert.equal(said, `${unknown} Halt: ${unknown}`);
  // The readings that those two have begun must not fail instead of the next one.
  await page.waitForSelector("#desk:not([aria-busy])");
  await page.setOfflineMode(true);
  await page.evaluate(() =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Halt").click(),
  );
  await page.waitForFunction(() => document.querySelector("#said").textContent.includes("cannot be read"));
  assert.match(
    await textOf(page, "#said"),
    /^Halt: It is not known whether that was done: .* The desk cannot be read: /,
  );
  assert.ok(
    await page.$$eval("#desk button", (buttons) => buttons.every(({ disabled }) => disabled)),
    "nothing is ordered by what may be old",
  );
  await page.close();
});

test("an operator sees what is in doubt, each caller's limits, and a breaker that is open until that is settled", async () => {
  const upstream = await startUpstream((_request, response) => response.destroy());
  const limits = { maxLamportsPerTrade: 2_000_000_000, rateLimit: { perSecond: 0.5, burst: 3 } };
  const callers = [
    caller("ada", { limits: { ...limits, allowMints: [RABBIT], breaker: { unknowns: 1 } } }),
    caller("bob"),
    operator("olga"),
  ];
  const gateway = await gatewayFor({
    settings: approving({ upstream: upstream.url, callers, desks: [{ name: "alpha" }] }),
  });
  assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: "lost" })).status, 502);
  const { page, errors } = await openDesk(gateway);
  assert.equal(
    await textOf(page, ".broken"),
    "The breaker of ada is open, because too many of its trades in a row had no known outcome. No trade of ada is forwarded until each of them is settled, or you resume.",
  );
  assert.match(await section(page, "In doubt"), /SimTraderAda1+ spends 1 SOL, with the service's own slippage\./);
  const rows = await page.$$eval("td:first-child", (cells) =>
    cells.map(({ parentElement }) => parentElement.innerText),
  );
  assert.deepEqual(rows.slice(0, 4), [
    "ada\tA trade\t2 SOL",
    "ada\tTrades a second\t0.5, 3 at once",
    "ada\tUnknown outcomes in a row\t1, then no trade",
    `ada\tMints\t${RABBIT}`,
  ]);
  await press(page, "It did not land", "lost");
  assert.equal(await page.$(".broken"), null);
  assert.deepEqual(errors, []);
  await page.close();
});

test("foreign text is text: no markup, no script, and nothing else runs on the page", async () => {
  const upstream = await startUpstream(json(400, { message: "no" }));
  const gateway = await gatewayFor({ settings: approving({ upstream: upstream.url }) });
  const mint = `<img/src=x/onerror=document.title=1>M`;
  await gateway.post("/v1/trade/buy", { ...BUY, mint }, { intent: "<b>x" });
  await gateway.post(
    "/v1/trade/sell",
    { mint, fromWallet: "<script>alert(1)</script>", amountInToken: 5 },
    { intent: "a" },
  );
  const { page, errors } = await openDesk(gateway);
  assert.match(
    await textOf(page),
    /Buy of <img\/src=x\/onerror=document\.title=1>M, may take [\d.]+ SOL, by ada, intent <b>x,/,
  );
  assert.equal(await page.$("img, b, main script"), null);
  await press(page, "Deny", "<b>x");
  assert.match(await textOf(page), /not_sent, 403/);
  const ran = await page.evaluate(async () => {
    const script = Object.assign(document.createElement("script"), { textContent: "window.ran = true" });
    document.body.append(script);
    const read = await fetch("https://elsewhere.example/").then(
      () => "read",
      () => "refused",
    );
    return [window.ran === true, read];
  });
  assert.deepEqual(ran, [false, "refused"]);
  assert.deepEqual(errors, []);
  await page.close();
});

test("lists stay short, and links lead to what is older", async () => {
  const upstream = await startUpstream(json(200, landed({ mint: RABBIT })));
  const gateway = await gatewayFor({
    settings: settingsOf({ upstream: upstream.url, desks: [{ name: "alpha", approval: { overLamports: 500 } }] }),
  });
  const small = { ...BUY, amountInLamports: 1, mint: "M" };
  await inWaves([...Array(60).keys()], (at) =>
    gateway.post(
      "/v1/trade/sell",
      { mint: RABBIT, fromWallet: `wallet-${at}`, amountInToken: 1 },
      { intent: `sell-${at}` },
    ),
  );
  await inWaves([...Array(205).keys()], (at) => gateway.post("/v1/trade/buy", small, { intent: `waits-${at}` }));
  const { page } = await openDesk(gateway);
  assert.equal(await page.$$eval("article", ({ length }) => length), 200);
  assert.match(await textOf(page), /\nAnd 5 more\.\n/);
  await Promise.all([
    page.waitForNavigation(),
    page.evaluate(() =>
      [...document.querySelectorAll("a")].find(({ textContent }) => textContent === "Older trades").click(),
    ),
  ]);
  await shown(page);
  assert.match(page.url(), /\/desk\?trades=\d+$/);
  const recent = await page.$$eval("td:nth-child(3)", (cells) =>
    cells.map(({ textContent }) => textContent).filter((text) => text.startsWith("sell-")),
  );
  assert.equal(recent.length, 10);
  await page.close();
});

test("a log that was changed is named, and acknowledged", async () => {
  const upstream = await startUpstream(json(200, LANDED));
  const options = {
    settings: settingsOf({ upstream: upstream.url }),
    persist: await folder(),
    main: new URL("entries/altering.mjs", import.meta.url).pathname,
  };
  const first = await openGateway(options);
  await first.post("/v1/trade/buy", BUY, { intent: "one" });
  await first.close();
  const gateway = await gatewayFor({
    ...options,
    bindings: { ALTERS: "UPDATE rows SET row = replace(row, 'landed', 'lended') WHERE key GLOB 'audit*'" },
  });
  await gateway.post("/v1/trade/buy", BUY, { intent: "two" });
  const { page } = await openDesk(gateway);
  assert.match(
    await textOf(page, ".broken"),
    /^The audit log is broken: .*\. No trade is forwarded until you acknowledge it\./,
  );
  await press(page, "Acknowledge");
  assert.equal(await page.$(".broken"), null);
  assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: "three" })).status, 200);
  await page.close();
});

test("in both themes and at 320 px it has no barriers, and nothing is wider than the screen", async () => {
  const upstream = await startUpstream((request, response) =>
    request.body.includes(RABBIT) ? response.destroy() : json(200, {})(request, response),
  );
  const limits = { allowWallets: ["W".repeat(44), ADA], breaker: { unknowns: 1, stopsSells: false } };
  const callers = [caller("ada", { limits }), operator("olga")];
  const gateway = await gatewayFor({ settings: approving({ upstream: upstream.url, callers }) });
  await gateway.post("/v1/trade/buy", BUY, { intent: "waits" });
  await gateway.post(
    "/v1/trade/sell",
    { mint: RABBIT, fromWallet: "W".repeat(44), amountInToken: 5 },
    { intent: "lost" },
  );
  for (const theme of ["light", "dark"]) {
    for (const width of [1280, 320]) {
      const { page } = await openDesk(gateway, { theme, width });
      assert.deepEqual(await violationsOf(page), [], `${theme}, ${width} px`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, theme);
      await page.close();
    }
  }
});

test("only its own page acts by the browser's login, and who has no operator's token sees none of it", async () => {
  const gateway = await gatewayFor();
  const html = { accept: "text/html" };
  for (const [as, status] of [
    [undefined, 401],
    ["nobody", 401],
    ["ada", 403],
  ]) {
    const reply = await gateway.ask("/desk", {
      as,
      headers: { ...html, ...(as && { authorization: `Bearer ${tokenOf(as)}` }) },
    });
    assert.deepEqual([reply.status, reply.headers.get("content-type")], [status, "application/problem+json"]);
  }
  assert.equal(
    (await gateway.ask("/desk", { headers: html })).headers.get("www-authenticate"),
    'Basic realm="desk", charset="UTF-8"',
  );
  const { page } = await openDesk(gateway);
  const host = new URL(gateway.url).host;
  const evil = await startUpstream((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>evil</title>"),
  );
  await page.goto(evil.url.replace("127.0.0.1", "localhost"));
  const tried = await page.evaluate(async (desk) => {
    const post = (type, mode) =>
      fetch(`${desk}halt`, {
        method: "POST",
        mode,
        credentials: "include",
        headers: { "content-type": type },
        body: "{}",
      }).then(
        () => "sent",
        () => "refused",
      );
    const found = [await post("application/json", "cors"), await post("text/plain", "no-cors")];
    const form = Object.assign(document.createElement("form"), {
      method: "post",
      action: `${desk}halt`,
      enctype: "text/plain",
    });
    form.append(Object.assign(document.createElement("input"), { name: "{}", value: "" }));
    document.body.append(form);
    form.submit();
    return found;
  }, `http://${host}/desk/`);
  assert.equal(tried[0], "refused");
  await page.waitForNavigation().catch(() => {});
  assert.equal((await gateway.desk()).mode, "active");
  assert.ok(!JSON.stringify(await gateway.desk()).includes(KEY));
  await page.close();
});
