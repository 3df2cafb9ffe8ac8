#!/usr/bin/env node
// A geckodriver for machines whose distribution packages none: WebDriver over HTTP in front of
// Firefox's own remote protocol (Marionette), for the commands a test runner needs and no others.
//
//   geckodriver.mjs [--port N] [--binary PATH]
//
//   POST   /session                    start Firefox (moz:firefoxOptions: binary, args, prefs)
//   POST   /session/{id}/url           navigate, and wait for the load
//   POST   /session/{id}/execute/sync  run a script in the page
//   DELETE /session/{id}/window        close the window; the last one ends the session
//   DELETE /session/{id}               end the session
//   GET    /status
//
// Any other command is answered "unknown command", as WebDriver asks.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findProgram } from "./program.mjs";

const START_LIMIT_MS = 60_000;
const QUIT_LIMIT_MS = 10_000;

/** A WebDriver error: its HTTP status, its code, and a message. */
class DriverError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A connection to Marionette: length-prefixed JSON, `[0, id, name, parameters]` → `[1, id, error, result]`. */
class Marionette {
  #socket;
  #buffer = Buffer.alloc(0);
  #waiting = new Map();
  #nextId = 1;
  #greeting;

  static async connect(port) {
    const connection = new Marionette();
    await connection.#open(port);
    return connection;
  }

  #open(port) {
    return new Promise((resolve, reject) => {
      this.#greeting = { resolve, reject };
      this.#socket = connect(port, "127.0.0.1");
      this.#socket.on("data", (bytes) => this.#take(bytes));
      this.#socket.on("error", (error) => this.#end(error));
      this.#socket.on("close", () => this.#end(new Error("Firefox closed the connection")));
    });
  }

  #take(bytes) {
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    for (;;) {
      const colon = this.#buffer.indexOf(0x3a);
      if (colon < 0) return;
      const length = Number(this.#buffer.toString("latin1", 0, colon));
      if (!Number.isSafeInteger(length)) return this.#end(new Error("Firefox sent no Marionette message"));
      const end = colon + 1 + length;
      if (this.#buffer.length < end) return;
      const message = JSON.parse(this.#buffer.toString("utf8", colon + 1, end));
      this.#buffer = this.#buffer.subarray(end);
      this.#receive(message);
    }
  }

  #receive(message) {
    if (!Array.isArray(message)) {
      this.#greeting.resolve();
      return;
    }
    const [, id, error, result] = message;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new DriverError(500, error.error, error.message));
    else waiting?.resolve(result);
  }

  #end(error) {
    this.#greeting.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#socket.destroy();
  }

  send(name, parameters = {}) {
    const id = this.#nextId++;
    const message = JSON.stringify([0, id, name, parameters]);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }
}

/** One running Firefox with a profile of its own. */
class Session {
  static async start({ binary, args = [], prefs = {} }) {
    const profile = await mkdtemp(join(tmpdir(), "geckodriver-"));
    // Port 0 lets Firefox pick one, which it then writes into the profile.
    const lines = Object.entries({ ...prefs, "marionette.port": 0 }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(profile, "user.js"), lines.join(""));
    const browser = spawn(binary, ["--marionette", "--no-remote", "--profile", profile, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: "1" },
    });
    const exited = new Promise((resolve) => {
      browser.once("exit", resolve);
      browser.once("error", resolve);
    });
    // Test runners end their driver by SIGKILL, which no handler sees. This watcher's standard input
    // closes with us, whatever the cause, and it takes Firefox and its profile along.
    const watcher = spawn("/bin/sh", ["-c", 'cat >/dev/null; kill -9 "$1" 2>/dev/null; rm -rf "$2"', "sh", String(browser.pid ?? ""), profile], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const session = new Session(profile, browser, exited, watcher);
    try {
      await session.#attach();
    } catch (error) {
      await session.end();
      throw new DriverError(500, "session not created", `${binary}: ${error.message}`);
    }
    return session;
  }

  constructor(profile, browser, exited, watcher) {
    this.profile = profile;
    this.browser = browser;
    this.exited = exited;
    this.watcher = watcher;
  }

  async #attach() {
    const deadline = Date.now() + START_LIMIT_MS;
    const gone = this.exited.then((reason) => {
      throw reason instanceof Error ? reason : new Error(`Firefox ended at its start (${reason})`);
    });
    const attached = (async () => {
      const port = await this.#port(deadline);
      this.marionette = await Marionette.connect(port);
      const { sessionId, capabilities } = await this.marionette.send("WebDriver:NewSession", { strictFileInteractability: true });
      this.id = sessionId;
      this.capabilities = capabilities;
    })();
    await Promise.race([attached, gone]);
  }

  async #port(deadline) {
    while (Date.now() < deadline) {
      const port = Number(await readFile(join(this.profile, "MarionetteActivePort"), "utf8").catch(() => ""));
      if (port > 0) return port;
      await pause(50);
    }
    throw new Error(`Firefox opened no Marionette port in ${START_LIMIT_MS} ms`);
  }

  async end() {
    const quit = this.marionette?.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    const late = pause(quit ? QUIT_LIMIT_MS : 0, undefined, { ref: false });
    await Promise.race([this.exited, late]);
    this.browser.kill("SIGKILL");
    await this.exited;
    await rm(this.profile, { recursive: true, force: true });
    this.watcher.stdin.end();
  }
}

/** The WebDriver commands over at most one session. */
class Driver {
  #session;

  constructor(binary) {
    this.binary = binary;
  }

  async answer(method, path, body) {
    const [, resource, id, ...command] = path.split("/");
    if (resource === "status" && method === "GET") {
      return { ready: !this.#session, message: this.#session ? "in session" : "ready" };
    }
    if (resource !== "session") throw unknown(method, path);
    if (id === undefined) {
      if (method !== "POST") throw unknown(method, path);
      return this.#start(body);
    }
    if (id !== this.#session?.id) throw new DriverError(404, "invalid session id", `no session ${id}`);
    const { marionette } = this.#session;
    switch (`${method} ${command.join("/")}`) {
      case "POST url":
        await marionette.send("WebDriver:Navigate", { url: body.url });
        return null;
      case "POST execute/sync":
        return (await marionette.send("WebDriver:ExecuteScript", { script: body.script, args: body.args })).value;
      case "DELETE window": {
        const open = await marionette.send("WebDriver:CloseWindow");
        if (open.length === 0) await this.end();
        return open;
      }
      case "DELETE ":
        await this.end();
        return null;
      default:
        throw unknown(method, path);
    }
  }

  async #start(body) {
    if (this.#session) throw new DriverError(500, "session not created", "a session is open already");
    const { "moz:firefoxOptions": options = {}, ...others } = {
      ...body?.capabilities?.firstMatch?.[0],
      ...body?.capabilities?.alwaysMatch,
    };
    const { binary = this.binary, args, prefs, ...rest } = options;
    const unmet = [...Object.keys(others), ...Object.keys(rest)];
    if (unmet.length) throw new DriverError(400, "invalid argument", `capabilities not known here: ${unmet.join(", ")}`);
    if (!binary) throw new DriverError(500, "session not created", "no firefox or firefox-esr on PATH");
    this.#session = await Session.start({ binary, args, prefs });
    const { id: sessionId, capabilities } = this.#session;
    return { sessionId, capabilities };
  }

  async end() {
    const session = this.#session;
    this.#session = undefined;
    await session?.end();
  }
}

const unknown = (method, path) => new DriverError(404, "unknown command", `${method} ${path}`);

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return text ? JSON.parse(text) : undefined;
  } catch (error) {
    throw new DriverError(400, "invalid argument", error.message);
  }
}

const { values } = parseArgs({ options: { port: { type: "string", default: "4444" }, binary: { type: "string" } } });
const driver = new Driver(values.binary ?? findProgram(["firefox", "firefox-esr"]));
const server = createServer(async (request, response) => {
  let status = 200;
  let value;
  try {
    value = await driver.answer(request.method, request.url, await readJson(request));
  } catch (error) {
    status = error.status ?? 500;
    value = { error: error.code ?? "unknown error", message: error.message, stacktrace: "" };
  }
  const text = JSON.stringify({ value: value ?? null });
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" });
  response.end(text);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await driver.end();
    process.exit(0);
  });
}
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`Listening on 127.0.0.1:${server.address().port}`);
});
