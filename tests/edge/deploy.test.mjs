// What wrangler would deploy: bundled by wrangler in an outside project, measured, and run.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { capture, root } from "../../scripts/program.mjs";
import { settings as deployment } from "../../scripts/worker.mjs";
import { installAsStranger, readJson } from "../package/stranger.mjs";
import { BUY } from "./gateway.mjs";

const { folder: project, installed } = await installAsStranger();
const folder = join(project, "my-gateway");

/** The lines of shell that a step of its README has. */
async function stepOf(number) {
  const readme = await readFile(join(installed, "edge/README.md"), "utf8");
  const [, step] =
    new RegExp(`^${number}\\. ([^]*?)(?=^\\d\\. |^[A-Z#])`, "m").exec(readme) ?? assert.fail(`step ${number}`);
  return [...step.matchAll(/^   ```sh\n([^]*?)^   ```$/gm)].flatMap(([, lines]) =>
    lines
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  );
}

test("its first step writes it into a new folder, and never over another", async () => {
  const [first] = await stepOf(1);
  assert.equal(first, "npx launchpad-desk init gateway my-gateway");
  const init = () =>
    capture(
      "sh",
      ["-c", first.replace("npx launchpad-desk", `"${process.execPath}" "${join(installed, "dist/cli.js")}"`)],
      { cwd: project },
    );
  assert.equal(await init(), `${folder}\n`);
  assert.deepEqual((await readdir(folder)).sort(), [...(await readdir(join(root, "edge"))), ".gitignore"].sort());
  assert.match(await readFile(join(folder, ".gitignore"), "utf8"), /^\.dev\.vars$/m);
  assert.doesNotMatch(await readFile(join(folder, "README.md"), "utf8"), /npm run|repository/);
  await assert.rejects(init(), /my-gateway exists: nothing was changed/);
});

/** Runs wrangler in the stranger's project: without an account, and without telemetry. */
const wrangler = (...args) =>
  capture(process.execPath, [join(root, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    cwd: folder,
    env: { WRANGLER_SEND_METRICS: "false", CI: "1", NO_COLOR: "1", XDG_CONFIG_HOME: join(folder, ".config") },
  });

test("a dry deployment bundles it, and it starts within the engine's bounds", async () => {
  const config = ["--config", "wrangler.jsonc"];
  const said = await wrangler(...["deploy", ...config, "--dry-run", "--outdir", "out", "--outfile", "worker.bundle"]);
  assert.match(said, /env\.DESKS \(Desk\).*Durable Object/);
  const [, packed] = /Total Upload: [\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(said) ?? assert.fail(said);
  // The free plan takes 3 MB, packed. A quick build has modules that are not optimized.
  assert.ok(Number(packed) < 1536, said);
  await wrangler(...["check", "startup", ...config, "--worker", "worker.bundle", "--outfile", "startup.cpuprofile"]);
  const { nodes, samples, timeDeltas } = await readJson(join(folder, "startup.cpuprofile"));
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  const busy = samples.reduce((sum, id, at) => sum + (idle.has(id) ? 0 : timeDeltas[at]), 0);
  // The engine allows one second; the bound here is wider, so that a busy machine does not fail it.
  assert.ok(busy < 1_000_000, `${busy} µs`);
});

test("what it has bundled trades", async () => {
  const { Miniflare } = await import("miniflare");
  const [made] = await stepOf(2);
  const [token, tokenSha256] = (await capture("sh", ["-c", made])).trim().split(" ");
  const { compatibility_date } = await deployment();
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: join(folder, "out/worker.js"),
    modulesRoot: join(folder, "out"),
    modulesRules: [
      { type: "CompiledWasm", include: ["**/*.wasm"] },
      { type: "Text", include: ["**/*.html"] },
    ],
    compatibilityDate: compatibility_date,
    durableObjects: { DESKS: { className: "Desk", useSQLite: true } },
    bindings: { SETTINGS: { desks: [{ name: "main" }], callers: [{ name: "bot-1", desk: "main", tokenSha256 }] } },
    host: "127.0.0.1",
    port: 0,
    cf: false,
  });
  try {
    const url = await miniflare.ready;
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const bought = await fetch(new URL("/v1/trade/buy", url), { method: "POST", headers, body: JSON.stringify(BUY) });
    const { result } = await bought.json();
    assert.deepEqual([bought.status, result.transactionResult.success], [200, true]);
  } finally {
    await miniflare.dispose();
  }
});

test("its package.json asks for the package's version, and for the wrangler that is tested here", async () => {
  const [edge, workshop, pkg] = await Promise.all(
    ["edge/package.json", "package.json", "pkg/package.json"].map((file) => readJson(join(root, file))),
  );
  assert.equal(edge.dependencies["launchpad-desk"], `^${pkg.version}`);
  assert.equal(edge.devDependencies.wrangler, workshop.devDependencies.wrangler);
});

test("as it stands it is closed: the settings that come with it name no caller and no service", async () => {
  const { vars } = await deployment();
  assert.deepEqual([vars.SETTINGS.callers, vars.SETTINGS.upstream], [[], undefined]);
  const readme = await readFile(join(root, "edge/README.md"), "utf8");
  assert.deepEqual(
    [...readme.matchAll(/^(\d)\. /gm)].map(([, step]) => step),
    ["1", "2", "3", "4", "5"],
    "five steps",
  );
});
