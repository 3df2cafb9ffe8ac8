// npm run edge [-- --port N]: builds what changed and runs the edge worker in workerd on loopback.

import { buildIfChanged } from "./build.mjs";
import { portFromArguments, runUntilInterrupted } from "./port.mjs";
import { startWorker } from "./worker.mjs";

await runUntilInterrupted("edge", async () => {
  const port = portFromArguments(8787);
  await buildIfChanged();
  const worker = await startWorker({ port });
  console.log(worker.url);
  return worker;
});
