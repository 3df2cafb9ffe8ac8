// npm run edge [-- --port N]: builds what changed and runs the gateway of edge/ in workerd on loopback, in front of a sandbox that speaks the
// chain, for a trader and an operator with public tokens, and a page with a panel that trades through it. The gateway's objects and the
// sandbox's state are kept in .cache/edge.

import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build.mjs";
import { root } from "./program.mjs";
import { serveLivePage, serveUntilInterrupted } from "./serve.mjs";
import { startWorker } from "./worker.mjs";

const caller = (name, role, token) => ({
  name,
  desk: "local",
  role,
  tokenSha256: createHash("sha256").update(token).digest("hex"),
});

/** The settings and the tokens that it runs with here. */
export const LOCAL = {
  trader: "local-trader",
  operator: "local-operator",
  settings: {
    desks: [
      { name: "local", limits: { maxLamportsPerDay: 100_000_000_000 }, approval: { overLamports: 10_000_000_000 } },
    ],
    callers: [caller("trader", "trader", "local-trader"), caller("operator", "operator", "local-operator")],
  },
};

/**
 * Starts the gateway, and a page with a panel that trades through it; resolves to the worker, with the page's URL as `page`. The page's port is
 * the next one; 0 picks free ones. `persist` is a folder for its objects and the sandbox's state. `simulated: false` has it trade as if this
 * were real money.
 */
export async function startLocal({ port = 0, persist, sandbox: config, simulated = true, onLog } = {}) {
  const { service, chain, sandbox, end } = await startService(config, persist && join(persist, "sandbox.log"));
  let served;
  const page = await serveLivePage(port && port + 1, () => served);
  try {
    const settings = { ...LOCAL.settings, upstream: service.url, simulated, origins: [new URL(page.url).origin] };
    const worker = await startWorker({
      port,
      bindings: { SETTINGS: settings, RPC_URL: `${service.url}/rpc` },
      persist,
      onLog,
    });
    served = {
      baseUrl: worker.url,
      token: LOCAL.trader,
      walletsShared: false,
      tokens: sandbox.tokens.map(({ mint, symbol, name, decimals }) => ({ mint, symbol, name, decimals })),
      wallets: sandbox.wallets.map(({ wallet, label }) => ({ wallet, label })),
    };
    return {
      ...worker,
      page: page.url,
      sandbox,
      chain,
      /** The page's way to the gateway. */
      through: (url) => void (served = { ...served, baseUrl: url }),
      close: () => Promise.all([worker.close(), page.close()]).finally(end),
    };
  } catch (error) {
    await page.close();
    await end();
    throw error;
  }
}

/** A living market's time passes in steps so long. */
const STEP_MS = 400;

/** The service behind the gateway, and its node: a sandbox, kept in the file if there is one, and its chain. A living market lives by the clock. */
async function startService(config, file) {
  const { LocalChain, Sandbox } = await import("launchpad-desk/sandbox");
  const { keepState, serve } = await import("launchpad-desk/node");
  const sandbox = new Sandbox(config);
  if (file) await mkdir(dirname(file), { recursive: true });
  const kept = file && (await keepState(sandbox, file));
  const chain = new LocalChain(sandbox);
  const service = await serve(chain, { port: 0 });
  const time = config?.market?.alive && setInterval(() => sandbox.advance(STEP_MS), STEP_MS);
  const end = async () => {
    clearInterval(time);
    await service.close();
    await kept?.close();
  };
  return { service, chain, sandbox, end };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await serveUntilInterrupted("edge", 8787, async (port) => {
    await buildIfChanged("quick");
    const onLog = (text) => process.stderr.write(text.replace(/^workerd is process \d+\n/, ""));
    const gateway = await startLocal({
      port,
      persist: join(root, ".cache/edge"),
      sandbox: { market: { alive: true, inFlightMs: 0 } },
      onLog,
    });
    console.log(`trade with the token ${LOCAL.trader}; the desk's page is /desk, its password ${LOCAL.operator}`);
    console.log(`a panel that trades through it: ${gateway.page}`);
    return gateway;
  });
}
