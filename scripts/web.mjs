// Runs wasm-pack with these arguments, and installs what it needs: the tests of tests/web. `npm run test:all -- --only web` calls it.

import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBrowsers } from "./browsers.mjs";
import { command, start } from "./program.mjs";
import { CARGO_PROGRAMS, ensureCargoProgram, ensureRustTools, ensureWasmTarget } from "./setup.mjs";

await command("web", async () => {
  await ensureWasmTarget();
  const args = process.argv.slice(2);
  const inFirefox = args.includes("--firefox");
  await ensureBrowsers(["chromium", "chromedriver", ...(inFirefox ? ["firefox"] : [])]);
  const wasmPack = await ensureCargoProgram("wasm-pack");
  const folders = [await ensureRustTools({ withTestRunner: true }), wasmPack, ...(inFirefox ? [await ensureCargoProgram("geckodriver")] : [])];
  // wasm-pack asks the network once a day for a newer version of itself; this is when it last did.
  if (wasmPack === CARGO_PROGRAMS) writeFileSync(join(wasmPack, "wasm-pack.stamp"), `created ${new Date().toISOString()}`);
  const env = {
    PATH: [...folders, process.env.PATH].join(delimiter),
    // A busy machine starts a browser in half a minute.
    WASM_BINDGEN_TEST_TIMEOUT: "240",
    WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "240",
  };
  return start("wasm-pack", args, { env });
});
