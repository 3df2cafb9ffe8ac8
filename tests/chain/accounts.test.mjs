// `launchpad-desk/market` reads the recorded accounts as the core does, one by one and many at once, and refuses each by name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  AccountError,
  FEE_CONFIG,
  GLOBAL,
  LAUNCHPAD_PROGRAM,
  curveAddress,
  readCurve,
  readCurves,
  readFeeTiers,
  readGlobal,
  readHolding,
  readMint,
  tokenAccountAddress,
} from "launchpad-desk/market";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/chain/${name}.json`, import.meta.url), "utf8"));
const [curves, configs, tokens] = ["curve-accounts", "config-accounts", "token-accounts"].map(vectors);

/** An account of a case; of mainnet accounts only bytes are published. */
const account = (address, owner, lamports, data) => ({ address, owner, lamports: lamports ?? 1, data });
const padded = ({ dataBase64, padZerosTo }) =>
  Buffer.concat([
    Buffer.from(dataBase64, "base64"),
    Buffer.alloc(Math.max(0, (padZerosTo ?? 0) - Buffer.from(dataBase64, "base64").length)),
  ]);
const refusal = (read) => {
  try {
    read();
  } catch (error) {
    assert.ok(
      error instanceof AccountError && error instanceof Error && error.name === "AccountError",
      String(error.stack),
    );
    assert.equal(JSON.parse(JSON.stringify(error)).message, error.message);
    return error.code;
  }
  return assert.fail("nothing was thrown");
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

test("every recorded curve is read, whatever form its bytes have", () => {
  assert.ok(known.length > 40, String(known.length));
  for (const { id, mint, decoded, ...own } of known) {
    const curve = readCurve(mint, own);
    const { reserves, tokenTotalSupply, complete, creator } = curve;
    const amounts = { ...reserves, tokenTotalSupply };
    for (const [name, amount] of Object.entries(amounts))
      assert.equal(amount, BigInt(decoded[name] ?? 0), `${id}: ${name}`);
    assert.equal(complete, decoded.complete ?? false, id);
    assert.equal(creator, decoded.creator ?? null, id);
    for (const data of [Buffer.from(own.data, "base64"), [own.data, "base64"]])
      assert.deepEqual(readCurve(mint, { ...own, data }), curve, id);
    // As JSON.parse leaves it: a number past 2^53.
    assert.deepEqual(readCurve(mint, { ...own, executable: false, space: 1, rentEpoch: 18446744073709552000 }), curve);
  }
});

test("every wrong curve is refused by the name that is recorded, alone and among others", () => {
  for (const { id, mint, curveAddress: address, owner, lamports, dataBase64, refuse } of curves.bad) {
    const own = account(address, owner, lamports, dataBase64);
    assert.equal(
      refusal(() => readCurve(mint, own)),
      refuse,
      id,
    );
    if (refuse === "address") continue; // which rows do not check
    const { refusals } = readCurves([known[0], own, { ...own, data: Buffer.from(dataBase64, "base64") }]);
    assert.deepEqual(refusals, [null, refuse, refuse], id);
  }
  assert.equal(
    refusal(() => readCurve(known[0].mint, null)),
    "missing",
  );
});

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

test("configurations, mints and token accounts are read, or refused", () => {
  for (const config of configs.feeConfigs) {
    const tiers = readFeeTiers(account(FEE_CONFIG, config.owner, 1, padded(config)));
    const plain = ({ threshold, protocolFeeBps, creatorFeeBps }) => ({
      marketCapThresholdLamports: BigInt(threshold),
      protocolBps: Number(protocolFeeBps),
      creatorBps: Number(creatorFeeBps),
    });
    assert.deepEqual(
      tiers.map(({ marketCapThresholdLamports, protocolBps, creatorBps }) => ({
        marketCapThresholdLamports,
        protocolBps,
        creatorBps,
      })),
      config.decoded.feeTiers.map(plain),
    );
  }
  for (const config of configs.globals) {
    const { start, tokenTotalSupply, creatorFeeConfigurable } = readGlobal(
      account(GLOBAL, config.owner, 1, padded(config)),
    );
    assert.equal(start.virtualSolReserves, BigInt(config.decoded.initialVirtualSolReserves));
    assert.equal(tokenTotalSupply, BigInt(config.decoded.tokenTotalSupply));
    assert.equal(creatorFeeConfigurable, config.decoded.creatorFeeConfigurable ?? null);
  }
  for (const { address, tokenProgram, lamports, dataBase64, decoded, associated } of tokens.cases) {
    const holding = readHolding(address, account(address, tokenProgram, lamports, dataBase64));
    assert.deepEqual(
      [holding.tokens, holding.lamports, holding.wallet, holding.mint],
      [BigInt(decoded.amount), BigInt(lamports), decoded.owner, decoded.mint],
    );
    if (associated) assert.equal(tokenAccountAddress(holding.wallet, tokenProgram, holding.mint), address);
  }
  for (const { id, address, tokenProgram, lamports, dataBase64 } of tokens.bad) {
    if (dataBase64 === null) assert.equal(readHolding(address, null), null, id);
    else
      assert.equal(
        refusal(() => readHolding(address, account(address, tokenProgram, lamports, dataBase64))),
        "length",
        id,
      );
  }
  const { address, tokenProgram, lamports, dataBase64 } = tokens.bad.find(({ id }) => id === "mint-spl");
  assert.deepEqual(
    readMint(address, account(address, tokenProgram, lamports, dataBase64)),
    readMint(address, account(address, tokenProgram, lamports, Buffer.from(dataBase64, "base64"))),
  );
  for (const { mint, curveAddress: due } of curves.pdas) assert.equal(curveAddress(mint), due);
});

test("arguments that cannot be used are named", () => {
  const [{ mint, decoded: _, id: __, ...own }] = known;
  const message = (read) => {
    try {
      return void read();
    } catch (error) {
      assert.equal(error.code, "invalid_options", error.stack);
      return error.message;
    }
  };
  assert.equal(
    message(() => readCurve("M", own)),
    "argument: mint must be an address: base58 of 32 bytes",
  );
  assert.equal(
    message(() => curveAddress()),
    "argument: mint is missing",
  );
  assert.equal(
    message(() => readCurve(mint, { ...own, data: new Uint8Array(11 << 20) })),
    "argument: account.data is longer than any account",
  );
  assert.equal(
    message(() => readCurve(mint, { ...own, lamports: 2 ** 60 })),
    "argument: account.lamports is over 2^53 - 1; pass a bigint or a string",
  );
  assert.equal(
    message(() => readCurve(mint, { ...own, address: undefined })),
    "argument: account.address is missing",
  );
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
    assert.equal(
      refusal(() => readMint(own.address, sent)),
      "missing",
    );
  }
  // A wallet's account with data is one.
  assert.deepEqual(readCurves([{ ...own, owner: "1".repeat(32), data: "AAAA" }]).refusals, ["owner"]);
});
