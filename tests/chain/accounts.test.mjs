// What accounts cross into the core, one by one and many at once. That the core reads each recorded one is tested in tests/rust/chain_accounts.rs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  AccountError,
  LAUNCHPAD_PROGRAM,
  curveAddress,
  readCurve,
  readCurves,
  readFeeTiers,
  readGlobal,
  readHolding,
  readMint,
} from "launchpad-desk/market";
import { thrown } from "../odd.mjs";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/chain/${name}.json`, import.meta.url), "utf8"));
const curves = vectors("curve-accounts");

/** An account of a case; of mainnet accounts only bytes are published. */
const account = (address, owner, lamports, data) => ({ address, owner, lamports: lamports ?? 1, data });
const refusal = (read, ...given) => {
  const error = thrown(read, ...given);
  const isOne = error instanceof AccountError && error instanceof Error && error.name === "AccountError";
  assert.ok(isOne, String(error.stack));
  assert.equal(JSON.parse(JSON.stringify(error)).message, error.message);
  return error.code;
};

/** Each recorded curve whose mint is known. */
const known = curves.cases.flatMap(({ mint, curveAddress: address, owner, lamports, dataBase64, decoded, id }) =>
  ["before", "after"]
    .filter((when) => mint && dataBase64[when])
    .map((when) => ({
      id,
      mint,
      decoded: decoded[when],
      ...account(address, owner, lamports?.[when], dataBase64[when]),
    })),
);

test("many curves are what each alone is", () => {
  const many = Array.from({ length: 5000 }, (_, index) => (index % 7 === 0 ? null : known[index % known.length]));
  const columns = readCurves(
    many.map((own, index) => (own && index % 2 ? { ...own, data: Buffer.from(own.data, "base64") } : own)),
  );
  many.forEach((own, row) => {
    assert.equal(columns.refusals[row], own ? null : "missing");
    if (!own) return assert.equal(columns.virtualSolReserves[row], 0n);
    const { reserves, tokenTotalSupply, complete, creator, isMayhem, creatorFeeBps } = readCurve(own.mint, own);
    for (const [name, amount] of Object.entries({ ...reserves, tokenTotalSupply, creatorFeeBps: creatorFeeBps ?? 0n }))
      assert.equal(columns[name][row], amount);
    assert.deepEqual(
      [columns.complete[row], columns.hasCreator[row], columns.isMayhem[row]],
      [complete, creator !== null, isMayhem === true].map(Number),
    );
  });
  assert.deepEqual(
    readCurves([
      { owner: LAUNCHPAD_PROGRAM, lamports: 1, data: "?" },
      { owner: LAUNCHPAD_PROGRAM, lamports: 1, data: ["", "base58"] },
    ]).refusals,
    ["encoding", "encoding"],
  );
  assert.deepEqual(readCurves([]).refusals, []);
});

test("arguments that cannot be used are named", () => {
  const [{ mint, decoded: _, id: __, ...own }] = known;
  const refuses = (why, read, ...given) => {
    const { code, message, stack } = thrown(read, ...given);
    assert.deepEqual([code, message], ["invalid_options", `argument: ${why}`], stack);
  };
  refuses("mint must be an address: base58 of 32 bytes", readCurve, "M", own);
  refuses("mint is missing", curveAddress);
  const of = (changed) => [readCurve, mint, { ...own, ...changed }];
  refuses("account.data is longer than any account", ...of({ data: new Uint8Array(11 << 20) }));
  refuses("account.lamports is over 2^53 - 1; pass a bigint or a string", ...of({ lamports: 2 ** 60 }));
  refuses("account.address is missing", ...of({ address: undefined }));
  for (const bad of [{ ...own, data: null }, { ...own, lamports: 1.5 }, { context: {}, value: own }, "x"])
    assert.throws(() => readCurves([null, bad]), {
      name: "TypeError",
      message: "accounts[1] must have an owner, lamports and data, as a node returns them",
    });
});

test("an account's text that is not base64 refuses the account, whatever it is", () => {
  const [{ mint, decoded: _, id: __, ...own }] = known;
  for (const data of ["?", "not base64", ["", "base58"], ["AAAA", "base64+zstd"], "AAA"]) {
    const bad = { ...own, data };
    for (const [kind, read] of [
      ["curve", () => readCurve(mint, bad)],
      ["mint", () => readMint(own.address, bad)],
      ["token_account", () => readHolding(own.address, bad)],
      ["fee_config", () => readFeeTiers(bad)],
      ["global", () => readGlobal(bad)],
    ]) {
      assert.throws(
        read,
        (error) => error instanceof AccountError && error.account === kind && error.code === "encoding",
        `${kind} ${data}`,
      );
    }
    assert.deepEqual(readCurves([bad]).refusals, ["encoding"]);
  }
  assert.throws(() => readCurve(mint, { ...own, data: "?" }), {
    message: "the token's curve is not in base64: ask the node for that encoding",
  });
});

test("lamports that somebody sends to an address make no account there", () => {
  const [{ mint, decoded: _, id: __, ...own }] = known;
  for (const data of [new Uint8Array(), "", ["", "base64"]]) {
    const sent = { ...own, owner: "1".repeat(32), lamports: 1, data };
    assert.deepEqual([refusal(() => readCurve(mint, sent)), readCurves([sent]).refusals], ["missing", ["missing"]]);
    assert.equal(readHolding(own.address, sent), null);
    assert.equal(refusal(readMint, own.address, sent), "missing");
  }
  // A wallet's account with data is one.
  assert.deepEqual(readCurves([{ ...own, owner: "1".repeat(32), data: "AAAA" }]).refusals, ["owner"]);
});
