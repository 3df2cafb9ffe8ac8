// Our geckodriver, driven as a test runner drives it, with the real Firefox.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../../scripts/program.mjs";

/** Starts the driver and resolves to it and a way to call it. */
async function startDriver(...options) {
  const driver = spawn(process.execPath, [join(root, "scripts/geckodriver.mjs"), "--port=0", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface(driver.stdout), "line");
  const address = `http://${line.replace("Listening on ", "")}`;
  const call = async (method, path, body) => {
    const response = await fetch(address + path, { method, body: body && JSON.stringify(body) });
    return { status: response.status, value: (await response.json()).value };
  };
  const open = (capabilities = {}) =>
    call("POST", "/session", { capabilities: { alwaysMatch: { "moz:firefoxOptions": { args: ["-headless"], ...capabilities } } } });
  return { driver, call, open };
}

/** The running programs whose command line holds `text`. */
function running(text) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    });
}

async function untilGone(text) {
  for (let tries = 0; running(text).length && tries < 100; tries++) await pause(100);
  assert.deepEqual(running(text), []);
}

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end('<!doctype html><link rel="icon" href="data:,"><p id="output">fine, thanks: ü</p>');
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  server.closeAllConnections();
  server.close();
});
const page = `http://127.0.0.1:${server.address().port}/`;

test("a session from its start to the close of its window", async () => {
  const { driver, call, open } = await startDriver();
  try {
    const { status, value } = await open({ prefs: { "dom.disable_beforeunload": true } });
    assert.equal(status, 200);
    assert.equal(value.capabilities.browserName, "firefox");
    const session = `/session/${value.sessionId}`;
    const profile = value.capabilities["moz:profile"];
    assert.deepEqual((await call("GET", "/status")).value.ready, false);
    assert.deepEqual(await call("POST", `${session}/url`, { url: page }), { status: 200, value: null });
    const script = "return { text: document.querySelector(arguments[0]).textContent, sum: arguments[1] + 1 };";
    const ran = await call("POST", `${session}/execute/sync`, { script, args: ["#output", 41] });
    assert.deepEqual(ran, { status: 200, value: { text: "fine, thanks: ü", sum: 42 } });

    const thrown = await call("POST", `${session}/execute/sync`, { script: "throw new TypeError('oh')", args: [] });
    assert.equal(thrown.status, 500);
    assert.equal(thrown.value.error, "javascript error");
    assert.match(thrown.value.message, /oh/);

    assert.equal((await call("GET", session)).value.error, "unknown command");
    assert.equal((await call("POST", "/session/other/url", { url: page })).value.error, "invalid session id");
    assert.equal((await open()).value.error, "session not created", "one session at a time");

    assert.deepEqual(await call("DELETE", `${session}/window`), { status: 200, value: [] });
    await untilGone(profile);
    assert.deepEqual((await call("GET", "/status")).value.ready, true);
  } finally {
    driver.kill();
  }
});

test("Firefox does not outlive a driver that is killed", async () => {
  const { driver, open } = await startDriver();
  const { value } = await open();
  const profile = value.capabilities["moz:profile"];
  assert.notDeepEqual(running(profile), []);
  driver.kill("SIGKILL");
  await untilGone(profile);
});

test("a Firefox that does not start is said to, with its name", async () => {
  const { driver, open } = await startDriver("--binary=/bin/false");
  try {
    const { status, value } = await open();
    assert.equal(status, 500);
    assert.equal(value.error, "session not created");
    assert.match(value.message, /^\/bin\/false: Firefox ended at its start/);
  } finally {
    driver.kill();
  }
});

test("a capability it does not know is refused, not ignored", async () => {
  const { driver, open } = await startDriver();
  try {
    const { status, value } = await open({ androidPackage: "org.mozilla.firefox" });
    assert.equal(status, 400);
    assert.equal(value.error, "invalid argument");
  } finally {
    driver.kill();
  }
});
