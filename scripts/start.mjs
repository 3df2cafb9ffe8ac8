// npm start [-- --port N]: builds what the demo panel needs and has changed, and serves it on loopback. The page that verifies a record
// is built after that.

import { buildIfChanged } from "./build.mjs";
import { servePage, serveUntilInterrupted } from "./serve.mjs";

/** A page on loopback downloads at once, whatever its size. */
const QUALITY = 5;

await serveUntilInterrupted("start", 8080, async (port) => {
  await buildIfChanged("panel");
  const site = await servePage(port, { buildVerifier: () => buildIfChanged("pages"), quality: QUALITY });
  return { ...site, told: "A simulated panel. `npm run edge` serves a live one, behind a gateway." };
});
