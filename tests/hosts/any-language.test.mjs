// Clients that are not ours, in several languages, trade against the sandbox of the command line: what examples/any-language.md and
// docs/sandbox.md print, and all six operations with fields present, absent, null and as text.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Sandbox } from "launchpad-desk/sandbox";
import { capture, root } from "../../scripts/program.mjs";
import { PYTHON_PROGRAMS } from "../../scripts/setup.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { CASES } from "./clients/cases.mjs";
import { commandLine, startSandbox } from "./command.mjs";

const PYTHON = join(PYTHON_PROGRAMS, "python");
const CLIENTS = fileURLToPath(new URL("clients", import.meta.url));
const PAGE = await readFile(join(root, "examples/any-language.md"), "utf8");
const SANDBOX_PAGE = await readFile(join(root, "docs/sandbox.md"), "utf8");

const { folder: cwd } = await installAsStranger();
const { url, stop } = await startSandbox(process.execPath, [commandLine(cwd)], {
  cwd,
  args: ["--config", '{"control":true}'],
});
after(() => stop());

const ADDRESS = "http://127.0.0.1:8787";
const TOKENS = "34199203.120618";
const reset = async () => assert.equal((await fetch(`${url}/_sandbox/reset`, { method: "POST" })).status, 200);

/** A block of the page as it is printed, but for the address of the sandbox. */
function block(name) {
  const [, code] = new RegExp(`<!-- run: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(PAGE) ?? assert.fail(name);
  assert.ok(code.includes(ADDRESS));
  return code.replaceAll(ADDRESS, url);
}

/** What a program prints that reads this, or nothing. */
async function printed(program, args, input) {
  const child = spawn(program, args, { stdio: [input ? "pipe" : "ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stdin?.end(input);
  const [code] = await once(child, "close");
  assert.equal(code, 0, program);
  return out;
}

test("curl buys and sells, as the page prints it", async () => {
  await reset();
  const [bought, sold] = (await printed("bash", ["-e"], block("curl")))
    .replaceAll("}{", "}\n{")
    .split("\n")
    .map((text) => JSON.parse(text));
  assert.deepEqual([bought.result.buyAmount, sold.result.sellAmount], [Number(TOKENS), Number(TOKENS)]);
  assert.equal(sold.result.tokenAccountClosed, true);
});

test("Python's requests buys and sells, as the page prints it", async () => {
  await reset();
  assert.match(
    await printed(PYTHON, ["-"], block("python")),
    new RegExp(`^bought ${TOKENS} SIM\\w+\\nsold ${TOKENS} SIM\\w+\\n$`),
  );
});

test("an outcome is asked for, as the page prints it", async () => {
  assert.equal(JSON.parse(await printed("bash", ["-e"], block("outcome"))).status, 429);
});

test("the sandbox page's lines of curl that trade work as printed", async () => {
  await reset();
  const lines = SANDBOX_PAGE.split("\n").filter((line) => line.startsWith("curl ") && line.includes("/v1/trade/"));
  assert.ok(lines.length >= 1);
  for (const line of lines) {
    assert.ok(line.includes(ADDRESS));
    const { result } = JSON.parse(await printed("bash", ["-e"], line.replace(ADDRESS, url)));
    assert.equal(result.transactionResult.success, true, line);
  }
});

/** What a sandbox of the same settings answers in-process. */
const expected = await (async () => {
  const sandbox = new Sandbox({ control: true });
  const answers = [];
  for (const { path, body } of CASES) {
    const reply = await sandbox.fetch(`http://sandbox${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    answers.push([reply.status, await reply.text()]);
  }
  return answers;
})();

const BY_CURL = async () => {
  const answers = [];
  for (const { path, body } of CASES) {
    const out = await printed(
      "curl",
      ["-s", "-w", "\\n%{http_code}", url + path, "-H", "content-type: application/json", "-d", "@-"],
      JSON.stringify(body),
    );
    const end = out.lastIndexOf("\n");
    answers.push([Number(out.slice(end + 1)), out.slice(0, end)]);
  }
  return JSON.stringify(answers);
};

const SENDERS = {
  curl: BY_CURL,
  ...Object.fromEntries(
    ["requests", "httpx", "aiohttp"].map((name) => [
      name,
      () => printed(PYTHON, [join(CLIENTS, "clients.py"), name, url], JSON.stringify(CASES)),
    ]),
  ),
  ...Object.fromEntries(
    ["undici", "axios"].map((name) => [name, () => capture(process.execPath, [join(CLIENTS, `${name}.mjs`), url])]),
  ),
};

test("the cases trade and are refused", () => {
  assert.deepEqual([...new Set(expected.map(([status]) => status))].sort(), [200, 400]);
  assert.equal(
    expected.filter(([, text]) => text.includes('"success":true')).length,
    24,
    `${expected.filter(([status, text]) => status === 200 && !text.includes('"success":true'))}`,
  );
});

for (const [name, send] of Object.entries(SENDERS)) {
  test(`${name} trades in all six operations, with fields present, absent, null and as text`, async () => {
    await reset();
    assert.deepEqual(JSON.parse(await send()), expected);
  });
}

test("a body that does not say that it is JSON is a clear 415", async () => {
  for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
    const out = await printed("curl", ["-s", `${url}/v1/trade/buy`, "-H", `content-type: ${type}`, "-d", "mint=M"]);
    const { status, detail } = JSON.parse(out);
    assert.deepEqual([status, detail], [415, "the content type must be application/json"]);
  }
});
