// The runtimes of the matrix: what each is called, which families' facts hold for it, and how it runs a job.

import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../../scripts/browsers.mjs";
import { capture, root } from "../../scripts/program.mjs";
import { serve } from "../../scripts/serve.mjs";
import { bundleWorker } from "../../scripts/worker.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const AUTHORITY = join(here, "certificates/authority.crt");

/** A program of the packages that tests/faults/package.json pins. */
function pinned(...paths) {
  const found = paths.map((path) => join(here, "node_modules", path)).find(existsSync);
  if (!found) throw new Error(`none of ${paths.join(", ")} is installed: there is no such package for ${process.platform} ${process.arch}`);
  return found;
}

const NODE_22 = () => pinned(`node-22-${process.platform}-${process.arch}/bin/node`);
const NODE_24 = () => pinned(`node-24-${process.platform}-${process.arch}/bin/node`);
const BUN_ARCH = { x64: "x64", arm64: "aarch64" }[process.arch];
const BUN = () => pinned(`@oven/bun-${process.platform}-${BUN_ARCH}/bin/bun`);
const DENO = () => pinned(`@deno/${process.platform}-${process.arch}-glibc/deno`, `@deno/${process.platform}-${process.arch}/deno`);

/** Runs a program in a stranger's project, gives it the job, and reads a report a line. */
const runProgram = (program, args, env) => ({ folder }) => ({
  run(job) {
    return new Promise((resolve, reject) => {
      const child = spawn(program(), args, { cwd: folder, env: { ...process.env, ...env } });
      let [out, log] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
      child.stderr.setEncoding("utf8").on("data", (chunk) => (log += chunk));
      child.once("error", reject);
      child.once("close", (code, signal) => {
        const lines = out.split("\n").filter(Boolean);
        if (code !== 0) return reject(new Error(`it ended with ${signal ?? code} after ${lines.length} rows:\n${log.slice(-4_000)}`));
        resolve({ reports: lines.map((line) => JSON.parse(line)), log });
      });
      child.stdin.end(JSON.stringify(job));
    });
  },
  close: async () => {},
});

const node = (name, program, families) => ({
  name,
  families: ["node", ...families],
  start: runProgram(program, ["process.mjs", "own"], { NODE_EXTRA_CA_CERTS: AUTHORITY, NODE_NO_WARNINGS: "1" }),
});
const deno = (name, transport, families) => ({
  name,
  families: ["deno", ...families],
  start: runProgram(DENO, ["run", "--quiet", "--no-prompt", "--no-remote", "--node-modules-dir=manual", "--allow-net=127.0.0.1,localhost", "process.mjs", transport], { DENO_CERT: AUTHORITY, NO_COLOR: "1" }),
});

/** workerd, as the edge runs it. */
const workerd = {
  name: "workerd",
  families: ["workerd"],
  async start({ folder }) {
    // Read once, when it is imported.
    process.env.NODE_EXTRA_CA_CERTS = AUTHORITY;
    const { Miniflare } = await import("miniflare");
    let log = "";
    const note = (chunk) => (log += chunk);
    const miniflare = new Miniflare({
      modules: await bundleWorker(join(folder, "worker.mjs")),
      compatibilityDate: "2026-04-01",
      host: "127.0.0.1",
      port: 0,
      cf: false,
      handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.setEncoding("utf8").on("data", note)),
    });
    await miniflare.ready;
    return {
      async run(job) {
        const response = await miniflare.dispatchFetch("http://driver.example/", { method: "POST", body: JSON.stringify(job) });
        if (response.status !== 200) throw new Error(`the driver answered ${response.status}: ${await response.text()}\n${log}`);
        return { reports: await response.json(), log };
      },
      close: () => miniflare.dispose(),
    };
  },
};

/** A page of a browser, which runs a job itself or has a worker run it. */
const inBrowser = (name, host) => ({
  name: `${name}, ${host}`,
  families: ["browser", name, `${name}, ${host}`],
  async start({ folder }) {
    const { build } = await import("esbuild");
    const site = join(folder, "site");
    await build({ entryPoints: [join(folder, "browser.mjs")], bundle: true, format: "iife", target: "es2022", outfile: join(site, "driver.js"), logLevel: "warning" });
    await writeFile(join(site, "index.html"), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="driver.js"></script>');
    const server = await serve(site, 0);
    const browser = await launchBrowser(name);
    return {
      async run(job) {
        const page = await browser.newPage();
        let log = "";
        page.on("console", (message) => (log += `${message.text()}\n`));
        page.on("pageerror", (error) => (log += `${error.message}\n`));
        await page.goto(server.url);
        await page.evaluate((host, job) => {
          globalThis.runOn(host, job).then(
            (reports) => (globalThis.reports = JSON.stringify(reports)),
            (error) => (globalThis.reports = JSON.stringify({ failure: String(error) })),
          );
        }, host, job);
        await page.waitForFunction(() => globalThis.reports, { timeout: 270_000, polling: 100 }).catch((error) => {
          throw new Error(`${error.message}\n${log.slice(-4_000)}`);
        });
        const reports = JSON.parse(await page.evaluate(() => globalThis.reports));
        if (reports.failure) throw new Error(`${reports.failure}\n${log}`);
        return { reports, log };
      },
      async close() {
        await browser.close();
        await server.close();
      },
    };
  },
});

const PROGRAMS = [
  node("node 20", () => process.execPath, ["node 20"]),
  node("node 22", NODE_22, ["node 22"]),
  node("node 24", NODE_24, ["node 24"]),
  { name: "bun", families: ["bun"], start: runProgram(BUN, ["process.mjs", "own"], { NODE_EXTRA_CA_CERTS: AUTHORITY, NO_COLOR: "1" }) },
  deno("deno", "own", ["deno, body kept"]),
  deno("deno, no pool", "no pool", ["deno, body kept"]),
  deno("deno, blob body", "blob body", []),
  workerd,
];

const HOSTS = ["page", "dedicated worker", "shared worker", "service worker"];
const BROWSERS = ["chromium", "firefox"].flatMap((name) => HOSTS.map((host) => inBrowser(name, host)));

export const RUNTIMES = [...PROGRAMS, ...BROWSERS];

/** Makes a stranger's project with the packed package and the driver in it; resolves to its folder. */
export async function driverProject() {
  const folder = await mkdtemp(join(tmpdir(), "faults-"));
  const [{ filename }] = JSON.parse(await capture("npm", ["pack", join(root, "pkg"), "--json", `--pack-destination=${folder}`]));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  await capture("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder });
  await cp(join(here, "driver.mjs"), join(folder, "driver.mjs"));
  await cp(join(here, "entries"), folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
