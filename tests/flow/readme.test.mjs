// The README and the guides are true: their snippets run, their tables list what there is, their commands and links exist.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { fileJournal } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";
import { MODULES } from "../../scripts/modules.mjs";
import { capture, root } from "../../scripts/program.mjs";
import { WASM_TARGET } from "../../scripts/setup.mjs";
import { folderInside } from "./inside.mjs";

const read = (path) => readFile(join(root, path), "utf8");
const README = await read("README.md");
const GUIDES = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
const PAGES = ["README.md", ...GUIDES];
const TEXT = (await Promise.all(PAGES.map(read))).join("\n");
const BUY = {
  mint: "SimMoonRabbit111111111111111111111111111111",
  fromWallet: "SimTraderAda1111111111111111111111111111111",
  amountInLamports: "1000000000",
};

const folder = await folderInside("snippets");

/** The snippet marked `<!-- run: name -->`, written out as a module. */
async function snippet(name) {
  const [, code] = new RegExp(`<!-- run: ${name} -->\\n\`\`\`js\\n([^]*?)\`\`\``).exec(TEXT) ?? [];
  assert.ok(code, `a page has a snippet ${name}`);
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, code);
  return file;
}

/** The first cells of the table under a heading row that begins with these cells. */
function table(...heading) {
  const lines = README.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading.join(" | ")} |`));
  assert.ok(start >= 0, `the README has a table of ${heading[0]}`);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`|`$/g, "")),
    );
}

/** A service on loopback that answers by a `fetch`, while `work(url, answerBy)` runs. */
async function served(fetch, work) {
  const server = createHttpServer(async (request, response) => {
    const { method, url, headers } = request;
    let body = "";
    for await (const piece of request) body += piece;
    const reply = await fetch(
      new Request(new URL(url, "http://service.example"), { method, headers, body: body || undefined }),
    );
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await work(`http://127.0.0.1:${server.address().port}`, (other) => (fetch = other));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("the bot's snippet buys and sells", async () => {
  assert.match(await capture(process.execPath, [await snippet("bot")]), /^landed \d+\.\d+\nlanded true\n$/);
});

/** A sandbox with its chain, as the command line serves it, while `work(url)` runs. */
async function withChain(work) {
  const command = spawn(process.execPath, [join(root, "pkg/dist/cli.js"), "sandbox", "--port", "0", "--rpc"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(command, "close");
  try {
    const [first] = await once(createInterface(command.stdout), "line");
    await work(first);
  } finally {
    command.kill();
    await closed;
  }
}

test("the chain's snippet quotes, loses an answer, and settles the trade with what moved", () =>
  withChain(async (url) => {
    const file = await snippet("chain");
    await writeFile(file, (await readFile(file, "utf8")).replace("http://127.0.0.1:8787", url));
    const [quoted, outcome, settled] = (await capture(process.execPath, [file])).split("\n");
    assert.match(quoted, /^34199203\.120618 tokens, as of slot \d+$/);
    assert.deepEqual([outcome, settled], ["unknown", TEXT.match(/ \/\/ (landed 3.+n)$/m)[1]]);
  }));

test("the bot of the first live trade checks, trades once, and says so when it is started again", () =>
  withChain(async (url) => {
    const [file, cwd] = [await snippet("first-bot"), await mkdtemp(join(folder, "first-bot-"))];
    const run = (...args) => capture(process.execPath, [file, ...args], { cwd, env: { SERVICE: url } });
    assert.equal(await run(), "1763352.433103 within the limits\n");
    assert.equal(await run("--send"), "1763352.433103 within the limits\nlanded 1763352.433103\n");
    assert.match(await run("--send"), /: this intent has already landed or been accepted\n$/);
  }));

test("the plan's snippet sends what it showed, once", async () => {
  assert.match(
    await capture(process.execPath, [await snippet("plans")]),
    /^true null \d+\.\d+\nlanded true\nnot_sent plan_used\n$/,
  );
});

test("the worker's snippet buys what a form holds, and shows it", async () => {
  const { default: worker } = await import(pathToFileURL(await snippet("worker")).href);
  const sandbox = new Sandbox();
  const keys = [];
  const keeping = (request) => (keys.push(request.headers.get("x-api-key")), sandbox.fetch(request));
  await served(keeping, async (SERVICE) => {
    const ask = (path, body, origin = "https://worker.example") => {
      const request = new Request(`https://worker.example${path}`, { method: "POST", body, headers: { origin } });
      return worker.fetch(request, { SERVICE, API_KEY: "key-8901" });
    };
    const foreign = await ask("/v1/trade/buy", new URLSearchParams(BUY), "https://evil.example");
    assert.deepEqual([foreign.status, keys], [403, []]);
    const bought = await ask("/v1/trade/buy", new URLSearchParams(BUY));
    assert.match(await bought.text(), /<h3>Buy landed \(simulated\)<\/h3>/);
    assert.deepEqual(keys, ["key-8901"]);
    assert.match(
      await (await ask("/v1/trade/buy", new URLSearchParams({ ...BUY, amountInLamports: "2000000001" }))).text(),
      /Nothing was sent|not sent/i,
    );
    assert.equal((await ask("/v1/trade/else", new URLSearchParams(BUY))).status, 404);
    assert.deepEqual(keys, ["key-8901"]);
  });
});

test("the page's snippet buys what its form holds and shows it", async () => {
  const sandbox = new Sandbox();
  const sent = [];
  const listeners = {};
  const output = { innerHTML: "" };
  const page = {
    location: {},
    document: {
      querySelector: (selector) =>
        selector === "form" ? { addEventListener: (type, listener) => (listeners[type] = listener) } : output,
    },
    FormData: class {
      *[Symbol.iterator]() {
        yield* Object.entries(BUY);
      }
    },
  };
  const own = Object.fromEntries(
    Object.keys(page).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
  );
  for (const [name, value] of Object.entries(page))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    const record = (request) => (
      sent.push(`${request.method} ${new URL(request.url).pathname}`),
      sandbox.fetch(request)
    );
    await served(record, async (origin, answerBy) => {
      page.location.origin = origin;
      await import(pathToFileURL(await snippet("page")).href);
      const submit = () => listeners.submit({ preventDefault() {} });
      await submit();
      assert.deepEqual(sent, ["POST /v1/trade/buy"]);
      assert.match(output.innerHTML, /<h3>Buy landed \(simulated\)<\/h3>/);
      answerBy(async () => new Response('{"message":"<img src=x>"}', { status: 400 }));
      await submit();
      assert.match(output.innerHTML, /&lt;img src=x&gt;/);
    });
  } finally {
    for (const [name, descriptor] of Object.entries(own)) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
});

test("the snippet for going live opens a connection, and ends if a killed run left something unresolved", async () => {
  const service = createServer().listen(0, "127.0.0.1");
  await once(service, "listening");
  const connected = once(service, "connection");
  const cwd = await mkdtemp(join(folder, "going-live-"));
  const env = { SERVICE: `http://127.0.0.1:${service.address().port}`, API_KEY: "key-8901" };
  const run = async () => capture(process.execPath, [await snippet("going-live")], { cwd, env });
  try {
    assert.equal(await run(), "");
    await connected;
    const killed = fileJournal(join(cwd, "trades.journal"));
    await killed.begin({ intentId: "signal-7", operation: "buy", body: JSON.stringify(BUY), startedAtMs: 1 });
    await killed.close();
    const says = `ended with 4\nsignal-7 may have landed: look at ${BUY.fromWallet}, then acknowledge it`;
    await assert.rejects(run(), (error) => error.message.includes(says));
  } finally {
    service.close();
  }
});

test("the way out of an unknown outcome is the one that the snippet takes", async () => {
  const cwd = await mkdtemp(join(folder, "unknown-"));
  assert.equal(
    await capture(process.execPath, [await snippet("unknown")], { cwd }),
    "exit-1 unknown\nexit-1 proven landed\n0n null\n",
  );
  const journal = fileJournal(join(cwd, "trades.journal"));
  assert.deepEqual([await journal.pending(), (await journal.landed(0)).length], [[], 3]);
  await journal.close();
});

test("the maths' snippet quotes, buys and finds nothing wrong", async () => {
  assert.equal(await capture(process.execPath, [await snippet("maths")]), "100 true 0n 0\n");
});

test("all that the package exports, and its version, stand in CHANGELOG.md", async () => {
  const text = await read("CHANGELOG.md");
  const names = (
    await Promise.all(["", "/market", "/sandbox"].map((entry) => import(`launchpad-desk${entry}`)))
  ).flatMap(Object.keys);
  assert.ok(names.includes("quote") && names.length > 10);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\`${name}\\b`).test(text)),
    [],
  );
  const { version } = JSON.parse(await read("pkg/package.json"));
  assert.ok(text.includes(`\n## [${version}] - `), version);
});

/** WebAssembly feature → the first Chrome, Firefox and Safari that have it (https://webassembly.org/features). */
const FIRST_WITH = {
  "bulk-memory": [75, 79, 15],
  multivalue: [85, 78, 13.1],
  "mutable-globals": [74, 61, 12],
  "nontrapping-fptoint": [75, 64, 15],
  "reference-types": [96, 79, 15],
  "sign-ext": [74, 62, 14.1],
  simd128: [91, 89, 16.4],
};

/** The same of private methods, which the package's TypeScript is bundled with as they are. */
const PRIVATE_METHODS = [84, 90, 15];

/** The same of the import itself: a page of an older Chrome refuses to compile more than 4 KB synchronously. */
const COMPILED_AT_ONCE = [115, 0, 0];

test("the oldest browsers named are the oldest that have what the package is compiled for", async () => {
  const configuration = await capture("rustc", ["--print=cfg", `--target=${WASM_TARGET}`]);
  const features = [...configuration.matchAll(/^target_feature="(.+)"$/gm)].map(
    ([, name]) => FIRST_WITH[name] ?? assert.fail(`since when do browsers have ${name}?`),
  );
  const [chrome, firefox, safari] = [0, 1, 2].map((browser) =>
    Math.max(...[PRIVATE_METHODS, COMPILED_AT_ONCE, ...features].map((first) => first[browser])),
  );
  const floor = `Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari}, or newer`;
  assert.equal(table("runtime", "loads").filter(([runtime]) => runtime.startsWith(floor)).length, 1, floor);
});

test("the files that the pages name are there", async () => {
  const named = [...TEXT.matchAll(/`((?:[\w-]+\.d\.ts)|(?:docs|examples|crates|tests|scripts)\/[\w./-]+)`/g)].map(
    ([, name]) => name,
  );
  assert.ok(named.length > 15, `${named.length}`);
  for (const name of new Set(named))
    await assert.doesNotReject(access(join(root, name.endsWith(".d.ts") ? "pkg/dist" : "", name)), name);
});

test("the index of the examples has each of them", async () => {
  const index = await read("examples/README.md");
  const files = (await readdir(join(root, "examples"))).filter((name) => /\.(mjs|rs|html|md)$/.test(name));
  assert.deepEqual(
    files.filter((name) => name !== "README.md" && !index.includes(`](${name})`)),
    [],
  );
});

test("every command of npm that is named exists", async () => {
  const { scripts } = JSON.parse(await read("package.json"));
  const named = new Set(
    [
      ...`${README}${await read("CONTRIBUTING.md")}`.matchAll(
        /\bnpm (?:run )?(start|test:ci|test:all|test|prove|format|build|edge|bench|shots)\b/g,
      ),
    ].map(([, name]) => name),
  );
  assert.deepEqual(
    [...named].filter((name) => !(name in scripts)),
    [],
  );
  assert.deepEqual(
    Object.keys(scripts).filter((name) => !named.has(name)),
    [],
    "every command is named",
  );
});

/** A page without its samples. */
const prose = async (page) => (await read(page)).replace(/^```[^]*?^```/gm, "");

/** What links may name in a page: its headings, as repositories show them. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

for (const page of [
  ...PAGES,
  "AGENTS.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "edge/README.md",
  "examples/README.md",
  "examples/any-language.md",
]) {
  test(`every link of ${page} leads somewhere`, async () => {
    for (const [, target] of (await prose(page)).matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path, anchor] = target.split("#");
      const file = path ? join(dirname(page), path) : page;
      await assert.doesNotReject(access(join(root, file)), target);
      if (anchor) assert.ok(anchorsOf(await prose(file)).includes(anchor), target);
    }
  });
}

/** Modules that only list others or serve several. */
const UNMAPPED = [
  "lib",
  "api",
  "api/",
  "bindings",
  "prelude",
  "serde_forms",
  "index",
  "launchpad",
  "handle",
  "marks",
  "methods",
  "plan",
  "runtime",
];

/** The modules that the code map of ARCHITECTURE.md names under a heading, as paths below `src/` or `pkg/src/`. */
async function mapped(heading) {
  const text = await read("ARCHITECTURE.md");
  const table =
    text
      .slice(text.indexOf(heading))
      .split("\n\n")
      .find((part) => part.startsWith("| module")) ?? "";
  return table
    .split("\n")
    .slice(2)
    .flatMap((row) => {
      const [first, ...others] = [...row.split("|")[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      return first.endsWith("/") && others.length ? [first, ...others.map((name) => first + name)] : [first, ...others];
    });
}

for (const [heading, folder, extension] of [
  ["`launchpad-desk-api`, in", "crates/api/src", ".rs"],
  ["`launchpad-desk`, in", "src", ".rs"],
  ["The crates around it", "crates", ".rs"],
  ["The npm package", "pkg/src", ".ts"],
]) {
  test(`the code map names the modules of ${folder}/, and no others`, async () => {
    const named = await mapped(heading);
    assert.ok(named.length > 15, `${named.length} names were found`);
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const path = (entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(root, folder).length + 1)
        .replaceAll("\\", "/")
        .replace(/^(\w+)\/src\b\/?/, "$1/");
    const modules = new Set(
      entries.map((entry) => (entry.isDirectory() ? `${path(entry)}/` : path(entry).replace(extension, ""))),
    );
    assert.deepEqual(
      named.filter((name) => !modules.has(name)),
      [],
      "a module that is not there",
    );
    // The rest says in its own first line what it does.
    const top = [...modules].filter(
      (name) => /^[^/]+\/?$/.test(name) && !UNMAPPED.includes(name) && !named.some((other) => other.startsWith(name)),
    );
    assert.deepEqual(top, [], "a top module that is missing");
  });
}

test("the sizes are those that the build keeps to", async () => {
  const page = await read("docs/runtimes.md");
  const sizeOf = (stem) =>
    new RegExp(`^\\| \`launchpad-desk${stem === "index" ? "" : `/${stem}`}\` \\| (\\d+) KB \\|$`, "m").exec(page)?.[1];
  assert.deepEqual(
    MODULES.map(({ stem }) => [stem, sizeOf(stem) * 1024]),
    MODULES.map(({ stem, ceiling }) => [stem, ceiling]),
  );
});
