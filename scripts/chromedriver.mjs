#!/usr/bin/env node
// A chromedriver for wasm-bindgen's test runner: Debian's own, whose browser reaches the runner's server by way of here,
// one connection a request.
//
// That server keeps a thread for each connection that stays open, and of several that come at once it may take one and
// never look at it. Chromium opens six for a page of many scripts, keeps them, and waits: every other run would hang.
//
// Takes chromedriver's arguments. CHROMEDRIVER_PROGRAM names the real one, if it is not on the PATH.

import { spawn } from "node:child_process";
import { createServer, request } from "node:http";

/** Runs a program for as long as standard input is open: whoever kills this one outright takes the driver along. */
const WHILE_OPEN = 'exec 3<&0; "$@" <&- & driver=$!; (cat <&3 >/dev/null; kill $driver) & wait $driver';

const { CHROMEDRIVER_PROGRAM: program = "chromedriver" } = process.env;

const proxy = createServer((asked, answer) => {
  const { hostname } = URL.canParse(asked.url) ? new URL(asked.url) : {};
  const fail = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end());
  // What a browser looks for elsewhere by itself is no test's business.
  if (hostname !== "127.0.0.1") return fail();
  const passed = request(asked.url, { method: asked.method, headers: { ...asked.headers, connection: "close" }, agent: false }, (given) => {
    answer.writeHead(given.statusCode, given.headers);
    given.on("error", fail).pipe(answer);
  });
  asked.pipe(passed.on("error", fail));
});

proxy.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${proxy.address().port}`;
  // By default loopback is reached without a proxy; the minus takes that back.
  const env = { ...process.env, http_proxy: url, https_proxy: url, no_proxy: "<-loopback>" };
  const driver = spawn("sh", ["-c", WHILE_OPEN, "sh", program, ...process.argv.slice(2)], { stdio: ["pipe", "inherit", "inherit"], env });
  driver.once("error", (error) => {
    console.error(`chromedriver: ${error.message}`);
    process.exit(1);
  });
  driver.once("exit", (code) => process.exit(code ?? 1));
});
