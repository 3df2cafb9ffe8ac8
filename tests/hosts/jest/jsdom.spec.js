/** @jest-environment jsdom */

import * as desk from "launchpad-desk";
import { Curve } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import * as found from "./node_modules/launchpad-desk/dist/index.js";

for (const [name, { TradeClient, validate }] of Object.entries({
  "launchpad-desk": desk,
  // What is found by conditions without "node", as older Jests have them.
  "dist/index.js": found,
})) {
  test(`${name} in a page of jsdom`, async () => {
    expect([typeof window, typeof TextEncoder, typeof TextDecoder]).toEqual(["object", "undefined", "undefined"]);

    expect(String(new Curve().buyExactIn(1_000_000_000n))).toBe("34199203120618");
    expect(validate("buy", { mint: "Ünï 🚀" }).errors.map(({ field, code }) => `${field} ${code}`)).toContain(
      "mint white_space",
    );

    const sandbox = new Sandbox();
    const client = new TradeClient({ fetch: sandbox.fetch });
    const [{ mint }] = sandbox.tokens;
    const [{ wallet: fromWallet }] = sandbox.wallets;
    expect(await client.buy({ mint, fromWallet, amountInLamports: 1_000_000 })).toMatchObject({ status: "landed" });
  });
}
