// The runtimes of the matrix: what each is called, which families' facts hold for it, how it runs a job, and whether it is the first with a
// way of ours to send: the core and node:http, fetch or reqwest. Those that are programs are here; browsers.mjs has the others.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OWN_NODE, WITH_ALL } from "../../scripts/steps.mjs";
import { bundleWorker } from "../../scripts/worker.mjs";
import { rustProgram } from "../rust-program.mjs";
import { BROWSERS, LONGEST_RUN } from "./browsers.mjs";
import { BUN, DENO, NODE_20, NODE_22, NODE_24 } from "./pinned.mjs";
import { differs } from "./rows.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const AUTHORITY = join(here, "certificates/authority.crt");

/** Runs a program in a stranger's project, gives it the job, and reads a report a line. */
const runProgram =
  (program, args, env) =>
  ({ folder }) => ({
    run(job) {
      return new Promise((resolve, reject) => {
        const child = spawn(program(), args, { cwd: folder, env: { ...process.env, ...env }, timeout: LONGEST_RUN });
        let [out, log] = ["", ""];
        child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
        child.stderr.setEncoding("utf8").on("data", (chunk) => (log += chunk));
        child.once("error", reject);
        child.once("close", (code, signal) => {
          const lines = out.split("\n").filter(Boolean);
          if (code !== 0)
            return reject(
              new Error(`it ended with ${signal ?? code} after ${lines.length} rows:\n${log.slice(-4_000)}`),
            );
          resolve({ reports: lines.map((line) => JSON.parse(line)), log });
        });
        child.stdin.end(JSON.stringify(job));
      });
    },
    close: async () => {},
  });

const node = (name, program, families, transport, ...args) => ({
  name,
  families,
  program,
  isFirst: program === thisNode,
  // Its HTTP is that of its neighbours: the parser of 24, and an undici of the same major version as in 20.
  takes: program === NODE_22 ? differs : undefined,
  start: runProgram(program, [...args, "process.mjs", transport], {
    NODE_EXTRA_CA_CERTS: AUTHORITY,
    NODE_NO_WARNINGS: "1",
  }),
});

/** The Nodes that the package is tested on besides the one that runs the tests. */
const PINNED_NODES = { 20: NODE_20, 22: NODE_22, 24: NODE_24 };

/** The program of the one that runs the tests. */
export const thisNode = () => process.execPath;

/** Node with a retrying replacement of its fetch, or below it: a client that is set to use it, and one that is not. */
const tryingAgain = (own, name, preload) => {
  const takes = (row) => row.only?.includes("tries again") || row.name.includes("421, and listens no more");
  const put = `--import=${new URL(`preload/${preload}.mjs`, import.meta.url)}`;
  const [used, notUsed] = [
    ["node", `node ${own}`, "fetch of node"],
    ["node:http", "node:http of node"],
  ];
  return [
    node(`node ${own}, ${name}`, thisNode, [...used, "tries again"], "fetch", put),
    node(`node ${own}, ${name} and not used`, thisNode, [...notUsed, "tries again"], "default", put),
  ].map((runtime) => ({ ...runtime, takes }));
};
const deno = (name, transport, families, ...permissions) => ({
  name,
  families,
  start: runProgram(
    DENO,
    [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-remote",
      "--node-modules-dir=manual",
      "--allow-net=127.0.0.1,localhost",
      ...permissions,
      "process.mjs",
      transport,
    ],
    { DENO_CERT: AUTHORITY, NODE_EXTRA_CA_CERTS: AUTHORITY, NO_COLOR: "1" },
  ),
});

/** The client for Rust programs. Only what a client's own options say is theirs too; the rest is JavaScript's. */
const rust = {
  name: "rust, reqwest",
  families: ["reqwest"],
  isFirst: true,
  takes: ({ task, http2 }) => task === "calls" && !http2,
  async start(project) {
    const program = await rustProgram("faults-driver", WITH_ALL);
    return runProgram(() => program, [], { NODE_EXTRA_CA_CERTS: AUTHORITY })(project);
  },
};

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
        const response = await miniflare.dispatchFetch("http://driver.example/", {
          method: "POST",
          body: JSON.stringify(job),
        });
        if (response.status !== 200)
          throw new Error(`the driver answered ${response.status}: ${await response.text()}\n${log}`);
        return { reports: await response.json(), log };
      },
      close: () => miniflare.dispose(),
    };
  },
};

/**
 * The Nodes of the matrix, each by its own major version, because facts hold for some: the pinned ones, and the one that runs this.
 *
 * @param {number} own the major version of the one that runs this
 */
export function nodesBeside(own) {
  const programs = Object.entries({ ...PINNED_NODES, [own]: thisNode });
  return [
    ...programs.map(([major, program]) =>
      node(`node ${major}, node:http`, program, ["node:http", "node:http of node"], "default"),
    ),
    {
      ...node(`node ${own}, connections kept`, thisNode, ["node:http", "node:http of node"], "node:http, kept"),
      takes: ({ name }) => /kept|idle|opened ahead/.test(name),
    },
    ...programs.map(([major, program]) =>
      node(`node ${major}, its fetch`, program, ["node", `node ${major}`, "fetch of node"], "fetch"),
    ),
    ...tryingAgain(own, "a fetch that tries again", "patched"),
    ...tryingAgain(own, "undici's retries", "retrying"),
  ];
}

const PROGRAMS = [
  ...nodesBeside(OWN_NODE),
  {
    name: "bun",
    families: ["bun"],
    start: runProgram(BUN, ["process.mjs", "default"], { NODE_EXTRA_CA_CERTS: AUTHORITY, NO_COLOR: "1" }),
  },
  {
    name: "bun, node:http",
    families: ["node:http"],
    start: runProgram(BUN, ["process.mjs", "node:http"], { NODE_EXTRA_CA_CERTS: AUTHORITY, NO_COLOR: "1" }),
  },
  deno("deno", "default", ["http2", "deno", "deno, body in a blob"]),
  // The same fetch, given another body or client.
  { ...deno("deno, text body", "text body", ["http2", "deno", "deno, body kept"]), takes: differs },
  { ...deno("deno, no pool", "no pool", ["http2", "deno", "deno, body kept"]), takes: differs },
  // Its node:https reads which authorities to trust.
  deno(
    "deno, node:http",
    "node:http",
    ["node:http", "node:http of deno"],
    "--allow-sys=ca",
    "--allow-env",
    `--allow-read=${AUTHORITY}`,
  ),
  workerd,
  rust,
];

export const RUNTIMES = [...PROGRAMS, ...BROWSERS];
