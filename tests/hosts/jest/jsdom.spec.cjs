/** @jest-environment jsdom */

for (const [desk, launchpad] of [
  ["launchpad-desk", "launchpad-desk/launchpad"],
  // What is found by conditions without "node", as older Jests have them.
  ["./node_modules/launchpad-desk/dist/index.cjs", "./node_modules/launchpad-desk/dist/launchpad.cjs"],
]) {
  test(`${desk} in a page of jsdom`, async () => {
    const { TradeClient, validate } = require(desk);
    const { Curve, Sandbox } = require(launchpad);
    expect([typeof window, typeof TextEncoder, typeof TextDecoder]).toEqual(["object", "undefined", "undefined"]);

    expect(String(new Curve().buyExactIn(1_000_000_000n))).toBe("34199203120618");
    expect(validate("buy", { mint: "Ünï 🚀" }).errors.map(({ field, code }) => `${field} ${code}`)).toContain("mint white_space");

    const sandbox = new Sandbox();
    const client = new TradeClient({ fetch: sandbox.fetch });
    const [{ mint }] = sandbox.tokens;
    const [{ wallet: fromWallet }] = sandbox.wallets;
    expect(await client.buy({ mint, fromWallet, amountInLamports: 1_000_000 })).toMatchObject({ status: "landed" });
  });
}
