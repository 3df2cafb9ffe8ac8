// docs/openapi.json and the sandbox agree: schemathesis makes requests that fit the document, and requests that do not.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";
import { start } from "../../scripts/program.mjs";
import { PYTHON_PROGRAMS } from "../../scripts/setup.mjs";

const { PROVE_SEED, PROVE_CASES = PROVE_SEED ? "3500" : "30" } = process.env;
const API_KEY = "sk-openapi-51c0ffee";
const here = fileURLToPath(new URL(".", import.meta.url));

test("the sandbox takes what the document says, and refuses everything else", async () => {
  // It keeps what it tried where it runs.
  const cwd = await mkdtemp(join(tmpdir(), "openapi-"));
  const sandbox = new Sandbox({ apiKey: API_KEY });
  const served = await serve(sandbox);
  let output = "";
  try {
    const end = await start(
      join(PYTHON_PROGRAMS, "schemathesis"),
      [
        ...["run", `${served.url}/openapi.json`, `--url=${served.url}`, `--header=x-api-key:${API_KEY}`],
        ...["--checks=all", `--max-examples=${PROVE_CASES}`, `--seed=${PROVE_SEED ?? 1}`, "--continue-on-failure"],
        // A stream does not end. tests/runtimes/sandbox-window.test.mjs reads it.
        "--exclude-path=/_market/events",
        // A busy machine is slow, which does not matter for the document.
        ...["--suppress-health-check=too_slow", "--request-timeout=120"],
      ],
      {
        cwd,
        env: {
          PYTHONPATH: here,
          PYTHONDONTWRITEBYTECODE: "1",
          SCHEMATHESIS_HOOKS: "hooks",
          MINTS: sandbox.tokens.map(({ mint }) => mint).join(" "),
          WALLETS: sandbox.wallets.map(({ wallet }) => wallet).join(" "),
        },
        log: (chunk) => (output += chunk),
      },
    );
    assert.equal(end, 0, output);
    const [, cases] = /(\d+) generated/.exec(output) ?? [];
    assert.ok(Number(cases) >= 3 * Number(PROVE_CASES), output);
    assert.ok(sandbox.trades.length > 10, "trades were made");
  } finally {
    await served.close();
    await rm(cwd, { recursive: true });
  }
});
