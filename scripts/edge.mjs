// npm run edge [-- --port N]: builds what changed and runs the gateway of edge/ in workerd on loopback, in front of a sandbox, for a
// trader and an operator with public tokens. Its objects are kept in .cache/edge.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build.mjs";
import { root } from "./program.mjs";
import { serveUntilInterrupted } from "./serve.mjs";
import { startWorker } from "./worker.mjs";

const caller = (name, role, token) => ({ name, desk: "local", role, tokenSha256: createHash("sha256").update(token).digest("hex") });

/** The settings and the tokens that it runs with here. */
export const LOCAL = {
  trader: "local-trader",
  operator: "local-operator",
  settings: {
    desks: [{ name: "local", limits: { maxLamportsPerDay: 100_000_000_000 }, approval: { overLamports: 10_000_000_000 } }],
    callers: [caller("trader", "trader", "local-trader"), caller("operator", "operator", "local-operator")],
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serveUntilInterrupted("edge", 8787, async (port) => {
    await buildIfChanged("quick");
    const onLog = (text) => process.stderr.write(text.replace(/^workerd is process \d+\n/, ""));
    const gateway = await startWorker({ port, bindings: { SETTINGS: LOCAL.settings }, persist: join(root, ".cache/edge"), onLog });
    console.log(`trade with the token ${LOCAL.trader}; the desk's page is /desk, its password ${LOCAL.operator}`);
    return gateway;
  });
}
