// Many curves' bytes, each with reserves of its own, read in one call, and one by one by the launchpad's own SDK.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export const ACCOUNTS = 100_000;

/** Of the length that the newest builds give a curve, which the SDK reads, too. */
function accounts() {
  const { cases } = JSON.parse(
    readFileSync(new URL("../../tests/vectors/chain/curve-accounts.json", import.meta.url), "utf8"),
  );
  const recorded = cases.find(({ id }) => id.startsWith("0.5.0/"));
  const bytes = Buffer.from(recorded.dataBase64.before, "base64");
  return Array.from({ length: ACCOUNTS }, (_, index) => {
    const data = Buffer.from(bytes);
    data.writeBigUInt64LE(1_073_000_000_000_000n - BigInt(index), 8);
    data.writeBigUInt64LE(30_000_000_000n + BigInt(index), 16);
    return data;
  });
}

export async function ours() {
  const { LAUNCHPAD_PROGRAM, readCurves } = await import("launchpad-desk/market");
  const given = accounts().map((data) => ({ owner: LAUNCHPAD_PROGRAM, lamports: 1, data }));
  const run = () => readCurves(given);
  const answer = () => {
    const { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } = run();
    return [0, 1, ACCOUNTS - 1].map((row) =>
      [virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves].map((column) =>
        String(column[row]),
      ),
    );
  };
  return { run, answer };
}

export function sdk() {
  const require = createRequire(import.meta.url);
  // One of its dependencies warns that it found no native binaries; it needs none here.
  console.warn = () => {};
  const { PUMP_SDK } = require("@pump-fun/pump-sdk");
  const given = accounts().map((data) => ({ data }));
  const run = () => given.map((account) => PUMP_SDK.decodeBondingCurve(account));
  const answer = () => {
    const read = run();
    return [0, 1, ACCOUNTS - 1].map((row) =>
      ["virtualTokenReserves", "virtualQuoteReserves", "realTokenReserves", "realQuoteReserves"].map((name) =>
        String(read[row][name]),
      ),
    );
  };
  return { run, answer };
}
