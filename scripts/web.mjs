// Runs the tests of tests/web in Chromium and Firefox. Installs what that needs.

import { join } from "node:path";
import { ensureBrowsers } from "./browsers.mjs";
import { command, findProgram, start } from "./program.mjs";
import { WASM_TARGET, ensureGeckodriver, ensureRustTools, ensureWasmTarget } from "./setup.mjs";

const TESTS = ["test", "--locked", `--target=${WASM_TARGET}`, "--package=launchpad-desk-web-tests"];

await command("web", async () => {
  await ensureWasmTarget();
  await ensureBrowsers(["chromium", "chromedriver", "firefox"]);
  const env = {
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: join(
      await ensureRustTools({ withTestRunner: true }),
      "wasm-bindgen-test-runner",
    ),
    // A busy machine starts a browser in half a minute.
    WASM_BINDGEN_TEST_TIMEOUT: "240",
    WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "240",
  };
  const drivers = [{ CHROMEDRIVER: findProgram(["chromedriver"]) }, { GECKODRIVER: await ensureGeckodriver() }];
  for (const driver of drivers) {
    const end = await start("cargo", TESTS, { env: { ...env, ...driver } });
    if (end !== 0) return end;
  }
});
