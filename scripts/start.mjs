// npm start [-- --port N]: builds what the demo page needs and has changed, and serves the page on loopback.

import { buildIfChanged } from "./build.mjs";
import { servePage, serveUntilInterrupted } from "./serve.mjs";

await serveUntilInterrupted("start", 8080, async (port) => {
  await buildIfChanged("page");
  return { ...(await servePage(port)), more: "A simulated panel. `npm run edge` serves a live one, behind a gateway." };
});
