// npm run edge [-- --port N]: builds what changed and runs the edge worker in workerd on loopback.

import { buildIfChanged } from "./build.mjs";
import { serveUntilInterrupted } from "./serve.mjs";
import { startWorker } from "./worker.mjs";

await serveUntilInterrupted("edge", 8787, async (port) => {
  await buildIfChanged();
  return startWorker({ port });
});
