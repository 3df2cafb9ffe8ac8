// npm start [-- --port N]: builds what changed and serves the demo page on loopback.

import { buildIfChanged } from "./build.mjs";
import { servePage, serveUntilInterrupted } from "./serve.mjs";

await serveUntilInterrupted("start", 8080, async (port) => {
  await buildIfChanged();
  return servePage(port);
});
