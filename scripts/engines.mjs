// The engines that a bench runs on. An engine is `{ title, start(module, work, which), close() }`. `start` resolves to one side of a
// work of a bench module, `{ answer, time(calls), end() }`, in a fresh process. `time` resolves to the milliseconds that this many
// calls took.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BUN, DENO } from "../tests/faults/pinned.mjs";
import { launchBrowser, openPage } from "./browsers.mjs";
import { capture, root } from "./program.mjs";
import { serveBuilt } from "./serve.mjs";

/** A side that is a program. Its first line is its answer; for each line with a number of calls, it prints the time that they took. */
export async function startProgram(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  await once(child, "spawn");
  const ended = once(child, "close");
  // Then it has ended, and reading the next line reports that.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${[program, ...args].join(" ")} ended before it answered`);
    return value;
  };
  return {
    answer: await line(),
    async time(calls) {
      child.stdin.write(`${calls}\n`);
      const said = await line();
      if (!Number.isFinite(Number(said)))
        throw new Error(`${program} answered ${JSON.stringify(said)}, which is not a time`);
      return Number(said);
    },
    // It may have something to end itself.
    async end() {
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** A runtime whose program starts a module with these arguments. */
const openProgram = (title, program, ...args) => ({
  title,
  start: (module, work, which) =>
    startProgram(program, [...args, join(root, "scripts/engines/node.mjs"), join(root, module), work, which]),
  close: async () => {},
});

/** Node of a major version, pinned by bench/package.json. If npm has none for this machine, the running Node stands in for its own version. */
async function openNode(major) {
  const pinned = join(root, `bench/node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`);
  const program = existsSync(pinned) ? pinned : process.execPath;
  const version = (await capture(program, ["--version"])).trim().slice(1);
  if (!version.startsWith(`${major}.`))
    throw new Error(
      `npm has no Node ${major} for ${process.platform} ${process.arch}: run this with a Node ${major}, or pick other engines`,
    );
  return openProgram(`Node ${version}`, program);
}

/** The version in the first line that a program prints about itself. */
const versionOf = async (program) => /\d+\.\d+\.\d+/.exec(await capture(program, ["--version"]))[0];

/** Bun and Deno, as tests/faults pins them. */
const RUNTIME = {
  bun: async () => openProgram(`Bun ${await versionOf(BUN())}`, BUN()),
  deno: async () =>
    openProgram(`Deno ${await versionOf(DENO())}`, DENO(), "run", "--allow-all", "--node-modules-dir=manual"),
};

/** Sets up a side in a page, which keeps it, and resolves to its answer. */
async function openInPage(module, work, which) {
  const [{ default: works }, { openSide }] = await Promise.all([import(module), import("/scripts/engines/side.js")]);
  const { answer, time } = await openSide(works, work, which);
  globalThis.time = time;
  return answer;
}

/** A browser. Each side has a profile of its own, so no process is shared, and loads only its part of the modules, which are bundled. */
async function openBrowser(name, modules) {
  const entryPoints = [...modules, "scripts/engines/side.mjs"];
  // Works that are only for Node are in there too, but no page loads their parts.
  const site = await serveBuilt({
    entryPoints,
    outbase: root,
    outdir: join(root, ".cache/bench"),
    external: ["node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  try {
    const browser = await launchBrowser(name, {
      // A page in the background must run like one in front, with a clock that is not coarsened.
      extraPrefsFirefox: { "dom.ipc.processPriorityManager.enabled": false, "privacy.reduceTimerPrecision": false },
    });
    return {
      title: (await browser.version()).replace("/", " ").replace(/^./, (letter) => letter.toUpperCase()),
      async start(module, work, which) {
        const profile = await browser.createBrowserContext();
        try {
          const page = await openPage(profile);
          await page.goto(`${site.url}scripts/engines/side.js`);
          const answer = await page.evaluate(openInPage, `/${module.replace(/mjs$/, "js")}`, work, which);
          return {
            answer,
            time: (calls) => page.evaluate((calls) => globalThis.time(calls), calls),
            end: () => profile.close(),
          };
        } catch (error) {
          await profile.close();
          throw error;
        }
      },
      async close() {
        await browser.close();
        await site.close();
      },
    };
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** Opens the engine of this name for these modules (paths below the root). The caller closes it. */
export const openEngine = (name, modules) =>
  RUNTIME[name]?.() ??
  (name.startsWith("node") ? openNode(Number(name.slice("node".length))) : openBrowser(name, modules));
