// The panel in a page without a bundler: by an import map, twice, each with its own look; and what it needs of a page's policy.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { root } from "../../scripts/program.mjs";
import { MODULES, PAGE_MODULES } from "../../scripts/modules.mjs";
import { packedPage, serveFolder, servePage } from "../../scripts/serve.mjs";
import { inEachBrowser, withoutBrowser } from "./each-browser.mjs";
import { TRADER, openGateway } from "./gateway.mjs";
import { ADA, RABBIT } from "./panel.mjs";

/** Of brotli: the best one takes 20 times as long, and no test reads its size. */
const QUALITY = 4;

const site = await serveFolder(root);
const page = await servePage(0, { quality: QUALITY });
const folder = await mkdtemp(join(root, ".cache/embed-"));
after(() => Promise.all([site.close(), page.close(), rm(folder, { recursive: true })]));

/** The example under a policy: its import map is inline, so it has a nonce. */
async function pageUnder(name, scripts) {
  const policy = `default-src 'self'; script-src 'self' 'nonce-of-this-page' ${scripts}; img-src 'self' data:; connect-src http://127.0.0.1:*`;
  const page = (await readFile(join(root, "examples/embed.html"), "utf8"))
    .replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('type="importmap"', 'type="importmap" nonce="of-this-page"')
    .replaceAll("../pkg/", "../../pkg/")
    .replace("embed.css", "../../examples/embed.css");
  await writeFile(join(folder, name), page);
  return `${site.url}.cache/${basename(folder)}/${name}`;
}
const example = await pageUnder("index.html", "'wasm-unsafe-eval'");
const withoutWasm = await pageUnder("without.html", "");

await inEachBrowser((at) => {
  test("two panels stand on one page, by an import map, each with its own look, market and ids", async () => {
    const { panel } = at;
    panel.elsewhere.push(site.url);
    await panel.page.goto(example);
    const each = (look) => panel.page.evaluate(`[...document.querySelectorAll("launchpad-desk")].map(${look})`);
    await panel.until("both pictures", async () =>
      (await each((desk) => Boolean(desk.shadowRoot?.querySelector(".canvas svg")))).every(Boolean),
    );
    await each((desk) => desk.shadowRoot.querySelector(".canvas").dispatchEvent(new Event("pointerenter")));
    await panel.until("both charts", async () =>
      (await each((desk) => Boolean(desk.shadowRoot.querySelector("canvas")))).every(Boolean),
    );
    const [night, paper] = await each((desk) => getComputedStyle(desk).backgroundColor);
    assert.equal(paper, "rgb(247, 241, 227)");
    assert.notEqual(night, paper);
    assert.deepEqual(
      await each((desk) => desk.ownerDocument.querySelectorAll("#amount").length),
      [0, 0],
      "no id of a panel is an id of the page",
    );
    await panel.page.evaluate(() => {
      const field = document.querySelector("#night").shadowRoot.querySelector("[name=amount]");
      field.value = "1";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await panel.until("a quote", async () =>
      (await each((desk) => desk.shadowRoot.querySelector(".quote").innerText))[0].includes("≈"),
    );
    assert.equal(
      (await each((desk) => desk.shadowRoot.querySelector("[name=amount]").value))[1],
      "",
      "the other one knows nothing of it",
    );
  });

  test("a panel by an import map trades through a gateway", async () => {
    const { panel } = at;
    const gateway = await openGateway({ origin: new URL(site.url).origin });
    after(() => gateway.close());
    panel.elsewhere.push(site.url, gateway.url);
    await panel.open(example);
    await panel.set({ baseUrl: gateway.url, token: TRADER, mint: RABBIT, wallet: ADA });
    await panel.untilText(".badge", "Live: real money");
    await panel.buyUnseen("0.25", "Landed");
    assert.equal(gateway.service.got.length, 1);
  });

  for (const [what, pages, said, without = () => {}] of [
    [
      "there is no WebAssembly",
      (panel) => [panel.url, example],
      "this runtime has no WebAssembly",
      () => delete globalThis.WebAssembly,
    ],
    ["a policy forbids WebAssembly", () => [withoutWasm], "a content security policy has to have 'wasm-unsafe-eval'"],
  ])
    test(`where ${what}, a sentence stands in the element`, async () => {
      const { panel } = at;
      panel.elsewhere.push(site.url);
      await panel.page.evaluateOnNewDocument(without);
      for (const url of pages(panel)) {
        await panel.page.goto(url);
        await panel.until("the element", () => panel.$(".opening"));
        await panel.untilText(".opening [role=alert]", said);
      }
      // What its page says of that.
      panel.forgiveAll();
    });

  test("the demo page runs under a strict policy, compressed, and asks nobody else for anything", async () => {
    const { panel } = at;
    panel.url = page.url;
    panel.elsewhere.push(page.url);
    const replies = [];
    panel.page.on("response", (reply) => replies.push(reply));
    await panel.open();
    await panel.chart();
    const main = replies.find((reply) => reply.url() === page.url);
    assert.match(
      main.headers()["content-security-policy"],
      /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval';/,
    );
    for (const reply of replies.filter((reply) => /\.(js|css)$/.test(reply.url())))
      assert.match(reply.headers()["content-encoding"], /^(br|gzip)$/, reply.url());
  });
});

withoutBrowser("what is served is minified", async () => {
  for (const [name, { type, whole }] of await packedPage(undefined, QUALITY)) {
    if (type.startsWith("text/javascript"))
      assert.doesNotMatch(Buffer.from(whole).toString(), /\/\/ pkg\/|\n {4}/, name);
  }
});

withoutBrowser(
  "the panel's page loads the modules that npm start compiles before it serves it, and no other",
  async () => {
    const loaded = [...(await packedPage(undefined, QUALITY)).keys()]
      .filter((path) => path.endsWith(".wasm"))
      .map((path) => path.slice(1));
    const compiled = MODULES.filter(({ feature }) => PAGE_MODULES.panel.includes(feature)).map(({ wasm }) => wasm);
    assert.deepEqual(loaded.sort(), compiled.sort());
  },
);
