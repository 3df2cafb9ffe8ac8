// npm start [-- --port N]: builds what changed and serves the demo page on loopback.

import { buildIfChanged } from "./build.mjs";
import { buildPage } from "./page.mjs";
import { portFromArguments, runUntilInterrupted } from "./port.mjs";
import { serve } from "./serve.mjs";

await runUntilInterrupted("start", async () => {
  const port = portFromArguments(8080);
  await buildIfChanged();
  const server = await serve(await buildPage(), port);
  console.log(server.url);
  return server;
});
