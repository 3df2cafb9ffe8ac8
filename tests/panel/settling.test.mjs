// A trade whose answer is lost, settled by the panel from the chain: before the gateway in workerd, and the sandbox of the command line.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { LOCAL } from "../../scripts/edge.mjs";
import { root } from "../../scripts/program.mjs";
import { serveLivePage } from "../../scripts/serve.mjs";
import { startWorker } from "../../scripts/worker.mjs";
import { inEachBrowser } from "./each-browser.mjs";

const command = spawn(
  process.execPath,
  [join(root, "pkg/dist/cli.js"), "sandbox", "--port", "0", "--rpc", "--config", '{"control":true}'],
  { stdio: ["ignore", "pipe", "inherit"] },
);
after(() => command.kill());
const [service] = await once(createInterface(command.stdout), "line");

const inSandbox = async (method, path, body) => {
  const reply = await fetch(`${service}/_sandbox/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(reply.ok, `${path}: ${reply.status}`);
  return reply.json();
};
const [tokens, wallets] = [await inSandbox("GET", "tokens"), await inSandbox("GET", "wallets")];

let gateway;
const page = await serveLivePage(0, () => gateway);
const settings = { ...LOCAL.settings, upstream: service, origins: [new URL(page.url).origin] };
const worker = await startWorker({ bindings: { SETTINGS: settings, RPC_URL: `${service}/rpc` } });
after(() => Promise.all([page.close(), worker.close()]));
gateway = { baseUrl: worker.url, token: LOCAL.trader, walletsShared: false, tokens, wallets };

await inEachBrowser((at) => {
  const { inChromium } = at;
  const opened = async () => {
    const { panel } = at;
    panel.url = page.url;
    panel.elsewhere.push(page.url, worker.url);
    await panel.open();
    await panel.until("the price", () => panel.$(".price .large"));
    return panel;
  };

  inChromium("a buy whose answer is lost is found to have landed, with what the chain says it moved", async () => {
    const panel = await opened();
    await inSandbox("PUT", "faults", { script: [{ kind: "noAnswer" }] });
    await panel.write("amount", "0.25");
    await panel.until("a quote", async () => /≈/.test(await panel.text(".quote")));
    await panel.send("Unknown");
    await panel.untilText(".attempt", "It landed: the chain proves it.");
    assert.match(await panel.text(".attempt"), /✓ Landed Buy RABBIT .*\+\d\.\d+M RABBIT for (about )?0\.2\d* SOL/);
    await panel.click("#tab-positions");
    await panel.untilText(".positions", "100 %");
    panel.faults = panel.faults.filter((fault) => !/502/.test(fault));
  });
});
