// npm run edge [-- --port N]: builds what changed and runs the gateway of edge/ in workerd on loopback, in front of a sandbox, for a
// trader and an operator with public tokens, and a page with a panel that trades through it. The gateway's objects are kept in .cache/edge.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build.mjs";
import { root } from "./program.mjs";
import { serveLivePage, serveUntilInterrupted } from "./serve.mjs";
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

/**
 * Starts the gateway, and a page with a panel that trades through it; resolves to the worker, with the page's URL as `page`.
 *
 * @param {object} [options]
 * @param {number} [options.port] the gateway's; the page's is the next one. 0, the default, picks free ones
 * @param {string} [options.persist] a folder to keep its objects in
 * @param {(text: string) => void} [options.onLog] gets what it logs
 */
export async function startLocal({ port = 0, persist, onLog } = {}) {
  const { Sandbox } = await import("launchpad-desk/launchpad");
  let served;
  const page = await serveLivePage(port && port + 1, () => served);
  try {
    const settings = { ...LOCAL.settings, origins: [new URL(page.url).origin] };
    const worker = await startWorker({ port, bindings: { SETTINGS: settings }, persist, onLog });
    // The gateway's sandbox begins as any other.
    const { tokens, wallets } = new Sandbox();
    served = {
      ...{ baseUrl: worker.url, token: LOCAL.trader },
      tokens: tokens.map(({ mint, symbol, name, decimals }) => ({ mint, symbol, name, decimals })),
      wallets: wallets.map(({ wallet, label }) => ({ wallet, label })),
    };
    return { ...worker, page: page.url, close: () => Promise.all([worker.close(), page.close()]) };
  } catch (error) {
    await page.close();
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serveUntilInterrupted("edge", 8787, async (port) => {
    await buildIfChanged("quick");
    const onLog = (text) => process.stderr.write(text.replace(/^workerd is process \d+\n/, ""));
    const gateway = await startLocal({ port, persist: join(root, ".cache/edge"), onLog });
    console.log(`trade with the token ${LOCAL.trader}; the desk's page is /desk, its password ${LOCAL.operator}`);
    console.log(`a panel that trades through it: ${gateway.page}`);
    return gateway;
  });
}
