// The one machine of a trade in the panel: its transitions, and how many files a new state touches; and what needs no browser of its limit and
// its exits.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/program.mjs";
import { importedFromPanel, withoutBrowser } from "./each-browser.mjs";

/** A client that has sent nothing. */
const CLIENT = `module.exports = {
  isTradeError: () => false, lamportsToSol: (lamports) => String(Number(lamports) / 1e9),
  TradeClient: class { async intentState() { return "not_recorded"; } free() {} },
}`;
const client = {
  name: "client",
  setup: ({ onResolve, onLoad }) => (
    onResolve({ filter: /^launchpad-desk/ }, ({ path }) => ({ path, namespace: "client" })),
    onLoad({ filter: /./, namespace: "client" }, () => ({ contents: CLIENT }))
  ),
};
const bundled = async (name) => {
  const options = { platform: "node", define: { PANEL_BUILD: '"test"' }, plugins: [client] };
  return (await importedFromPanel(`export * from "./${name}.js";`, options)).exported;
};
const machine = await bundled("attempts/machine");
const { ENTERED, SENT, answered, answeredOf, complained, decided, edited, facts, finderOf, foundOf } = machine;
const { foundOut, atGateway, lost, meaningOf, openOf, over, planned, pressed, refused } = machine;

const { traderOf } = await bundled("attempts/receipts");

withoutBrowser("the quote of a receipt knows what the wallet's token account holds and who may close it", () => {
  const account = { lamports: 7n, isFrozen: false, staysOpen: true };
  const wallet = { wallet: "W", lamports: 9n, tokens: new Map([["M", 5n]]), accounts: new Map([["M", account]]) };
  class Trader {
    constructor(options) {
      Object.assign(this, options);
    }
  }
  const trader = traderOf({ wallets: () => [wallet], maths: { Trader } }, { mint: "M", fromWallet: "W" });
  assert.deepEqual(trader.wallet.tokenAccount, { ...account, tokens: 5n });
});

withoutBrowser("a fill is worse or better than quoted, and a tenth of a tenth of a percent is neither", async () => {
  const { sentenceOf } = await bundled("attempts/sentences");
  const said = (slippageUsedPpm) => {
    const receipt = { tokens: 34_200_000_000_000n, lamports: 10n ** 9n, estimated: [], slippageUsedPpm };
    return sentenceOf({ fate: { is: "landed" }, side: "buy", symbol: "R", decimals: 6, answer: { receipt } });
  };
  assert.equal(said(12_400n), "+34.2M R for 1 SOL, 1.2 % worse than quoted");
  assert.equal(said(-1_452_000n), "+34.2M R for 1 SOL, 145.2 % better than quoted");
  assert.equal(said(-100n), "+34.2M R for 1 SOL");
});

withoutBrowser("an answer is final, and one that says nothing replaces no finding", () => {
  assert.deepEqual(answered(SENT, "landed"), { is: "landed" });
  const found = foundOut(answered(SENT, "unknown"), "did_not_land", "chain");
  assert.deepEqual(found, { is: "did_not_land", by: "chain" });
  assert.deepEqual([answeredOf(found), foundOf(found), finderOf(found)], ["unknown", "did_not_land", "chain"]);
  assert.equal(answered(found, "unknown"), found);
  assert.deepEqual(answered(found, "landed"), { is: "landed" });
  assert.deepEqual(foundOut(answered(SENT, "landed"), "did_not_land", "chain"), found, "the chain has the last word");
  assert.equal(foundOut(found, "did_not_land", "chain"), found);
});

withoutBrowser("what is over is not found out, and not in doubt again", () => {
  for (const is of ["landed", "unconfirmed", "failed", "rejected", "not_sent"]) {
    const fate = answered(SENT, is);
    assert.equal(foundOut(fate, "did_not_land", "gateway"), fate);
    assert.equal(atGateway(fate, "unknown"), fate);
    assert.equal(openOf(fate), undefined);
  }
  for (const is of ["unknown", "awaiting_approval"]) assert.equal(openOf(atGateway(SENT, is)), is);
  assert.deepEqual(
    ["landed", "unconfirmed", "failed"].map((is) => meaningOf({ is }).hasLanded),
    [true, true, false],
  );
});

withoutBrowser("an order is entered, decided about, sent, and entered again", () => {
  const deciding = decided(decided(ENTERED, { ticked: true }), { typed: "5" });
  assert.deepEqual(facts(deciding), { ticked: true, typed: "5" });
  assert.deepEqual(facts(decided(deciding, { ticked: false, typed: "" })), {});
  assert.deepEqual(facts(lost(deciding, "expired")), { note: "expired" });
  assert.deepEqual(facts(refused("no")), { complaint: "no" });
  const sending = planned(pressed(), "a");
  assert.deepEqual(facts(sending), { attemptId: "a" });
  for (const leaves of [lost(sending, "moved"), decided(sending, { ticked: true })])
    assert.equal(leaves, sending, "a trade on its way is not stopped");
  const sent = over(sending, true);
  assert.deepEqual([sent.is, facts(sent)], ["sent", { attemptId: "a" }]);
  assert.equal(lost(sent, "moved"), sent);
  assert.equal(edited(sent), ENTERED);
  assert.deepEqual(facts(complained(sent, "full")), { attemptId: "a", complaint: "full" });
  assert.equal(complained(ENTERED, "full"), ENTERED, "that was about another order");
});

withoutBrowser("what was not kept was not sent, and an edit meanwhile is another order", () => {
  assert.deepEqual(facts(over(planned(pressed(), "a"), false, "full")), { complaint: "full" });
  assert.deepEqual(facts(over(pressed(), false, null, "moved")), { note: "moved" });
  const other = edited(planned(pressed(), "a"));
  assert.equal(other.is, "sending");
  assert.deepEqual(facts(planned(other, "b")), {});
  assert.deepEqual(over(other, true), ENTERED);
  assert.equal(over(ENTERED, true), ENTERED);
});

withoutBrowser(
  "the session's limit counts what each buy has spent or may still spend, and is over once not all of them are known",
  async () => {
    const { Limit } = await bundled("order/limit");
    const all = [];
    const limit = new Limit("world", () => all);
    limit.begin(50n, 30_000n);
    const buy = (is, lamports = 1) =>
      all.push({
        side: "buy",
        fate: { is },
        startedAtMs: Date.now(),
        body: JSON.stringify({ amountInLamports: lamports, priorityUnitLimit: 1_000_000, priorityUnitPrice: 7 }),
      });
    for (const is of ["landed", "unconfirmed", "unknown"]) buy(is, 10);
    assert.equal(limit.instant.left, 30_000n - 3n * 17n);
    buy("failed", 10);
    assert.equal(limit.instant.left, 30_000n - 3n * 17n - 7n, "its priority is paid");
    for (const is of ["rejected", "not_sent", "did_not_land"]) buy(is, 10);
    all.push({ ...all[0], startedAtMs: Date.now() - 60_000 });
    assert.equal(limit.instant.left, 30_000n - 3n * 17n - 7n);
    while (all.length < 1_001) buy("landed", 0);
    assert.deepEqual([limit.instant.left, limit.lamports], [0n, 0n], "older ones may have been dropped");
  },
);

withoutBrowser(
  "where a service may spend a buy's slippage, too, the session's limit and what is at risk follow that",
  async () => {
    const { Limit } = await bundled("order/limit");
    const all = [];
    const limit = new Limit("may exceed", () => all, true);
    limit.begin(2_000n, 10_000_000n);
    const buy = (is) =>
      all.push({
        side: "buy",
        fate: { is },
        startedAtMs: Date.now(),
        body: '{"amountInLamports":1000}',
        plan: { counted: { lamports: "2866340", fees: "5000" } },
      });
    for (const is of ["landed", "failed", "not_sent"]) buy(is);
    assert.equal(limit.instant.left, 10_000_000n - 2_866_340n - 5_000n);
    const { atRisk, riskOf } = await bundled("order/risk");
    const order = {
      operation: "bundleBuy",
      request: {
        buys: [{ amountInLamports: 400_000_000n }, { amountInLamports: 600_000_001n }],
        slippage: { percent: "12.5" },
      },
    };
    for (const [mayExceed, figure] of [
      [true, "1.125000002"],
      [false, "1.000000001"],
    ]) {
      const allowed = { lamports: null, instant: null, mayExceed };
      assert.equal(riskOf(order, undefined, allowed).toType, figure);
      assert.equal(atRisk(order, { legs: [] }, allowed), BigInt(figure.replace(".", "")));
    }
  },
);

withoutBrowser("the session's limit counts what is bought after a clock was set back", async (t) => {
  const { Limit } = await bundled("order/limit");
  const all = [];
  const limit = new Limit("set back", () => all);
  t.mock.timers.enable({ apis: ["Date"], now: 7_200_000 });
  limit.begin(50n, 100n);
  t.mock.timers.setTime(3_600_000);
  for (const left of [50n, 0n]) {
    assert.ok(limit.lamports > 0n);
    all.push({ side: "buy", fate: { is: "landed" }, startedAtMs: Date.now(), body: '{"amountInLamports":50}' });
    t.mock.timers.tick(1_000);
    assert.equal(limit.instant.left, left);
  }
});

withoutBrowser(
  "a desk that is closed while it looks leaves its exits as they are kept, and sends nothing",
  async (t) => {
    const [{ DeskExits }, maths] = await Promise.all([bundled("exits/exits"), import("launchpad-desk/market")]);
    const position = {
      id: "exit-1",
      mint: "M",
      wallet: "W",
      tokens: 5_000_000n,
      costLamports: 1_000_000_000n,
      openedAtMs: 0,
    };
    const open = new maths.Exits({ stopLoss: "0.7x" }).open(position);
    const kept = JSON.stringify([{ ...open.state, list: "list" }], (_name, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    open.free();
    const storage = new Map([["launchpad-desk exits world", kept]]);
    for (const [name, value] of Object.entries({
      localStorage: { getItem: (name) => storage.get(name) ?? null, setItem: (name, text) => storage.set(name, text) },
      navigator: {},
    })) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
    }
    t.mock.timers.enable({ apis: ["setInterval"] });
    const curve = new maths.Curve();
    curve.moveByBuy(1_000_000_000n);
    const looks = [];
    let [sent, changes] = [0, 0];
    const world = { id: "world", maths, connection: {}, exitLook: () => new Promise((resolve) => looks.push(resolve)) };
    const exits = new DeskExits({
      world,
      client: { tokenDecimals: 6 },
      attempts: {
        list: "list",
        all: [],
        past: { positions: new Map(), uncounted: new Set() },
        get: () => undefined,
        journal: () => ({ close() {} }),
      },
      speech: { alert() {} },
      entry: {},
      changed: () => void changes++,
      ticked: () => void changes++,
      prepare: async () => void sent++,
      send: async () => void sent++,
    });
    const until = async (is) => {
      for (const end = performance.now() + 120_000; !is(); await new Promise((resolve) => setTimeout(resolve, 5)))
        assert.ok(performance.now() < end, String(is));
    };
    await until(() => changes);
    t.mock.timers.tick(1_000);
    await until(() => looks.length);
    const before = storage.get("launchpad-desk exits world");
    assert.match(before, /"id":"exit-1"/);
    exits.close();
    looks[0]({ curve, wallets: [{ wallet: "W", holding: { tokens: 5_000_000n } }] });
    await until(() => changes > 1);
    assert.deepEqual([storage.get("launchpad-desk exits world"), sent], [before, 0]);
  },
);

/** The files with errors if the machine has one more state, as its own source says it. */
async function touchedBy(change) {
  const folder = await mkdtemp(join(root, ".cache/panel-machine-"));
  try {
    await cp(join(root, "pkg/src"), join(folder, "pkg/src"), { recursive: true });
    for (const there of ["node_modules", ".cache"]) await symlink(join(root, there), join(folder, there));
    const file = join(folder, "pkg/src/panel/attempts/machine.ts");
    const text = await readFile(file, "utf8");
    const changed = change(text);
    assert.notEqual(changed, text);
    await writeFile(file, changed);
    const settings = join(folder, "pkg/tsconfig.json");
    await writeFile(settings, await readFile(join(root, "pkg/tsconfig.json")));
    const told = await new Promise((resolve) => {
      const flags = [
        "--project",
        settings,
        "--noEmit",
        "--emitDeclarationOnly",
        "false",
        "--declaration",
        "false",
        "--pretty",
        "false",
      ];
      execFile(
        process.execPath,
        [join(root, "node_modules/typescript/bin/tsc"), ...flags],
        { cwd: folder, maxBuffer: 1 << 24 },
        (_error, stdout) => resolve(stdout),
      );
    });
    return [
      ...new Set([...told.matchAll(/^(?:.*\/)?([\w-]+\.ts)\(\d+,\d+\): error/gm)].map(([, name]) => name)),
    ].sort();
  } finally {
    await rm(folder, { recursive: true });
  }
}

withoutBrowser(
  "a new state touches the machine, its text, its sentence and what pages are told, and the compiler says so",
  async () => {
    assert.deepEqual(
      await touchedBy((text) => text.replace("export type Answered = ", 'export type Answered = "on_hold" | ')),
      ["desk.ts", "machine.ts", "messages.ts", "sentences.ts"],
      "desk.ts: pages are told, by events.ts",
    );
    assert.deepEqual(
      await touchedBy((text) =>
        text.replace("export type Stage =", 'export type Stage =\n  | { readonly is: "armed" }'),
      ),
      ["machine.ts"],
    );
  },
);

withoutBrowser("numbers are written as a browser's own format writes them, which takes long to create", async () => {
  const { brief, change, percent, plainPrice, rounded, share } = await bundled("figures");
  const format = (options, value) => new Intl.NumberFormat("en", options).format(value);
  const four = { minimumSignificantDigits: 4, maximumSignificantDigits: 4, maximumFractionDigits: 20 };
  const one = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" };
  for (let power = -9; power < 12; power++)
    for (const factor of [1, 1.2346, 2.6, 4.4444, 9.996, 9.99951]) {
      const value = factor * 10 ** power;
      assert.equal(rounded(value), format({ maximumSignificantDigits: 3 }, value));
      assert.equal(share(value), `${format({ maximumSignificantDigits: 2 }, value * 100)} %`);
      assert.equal(percent(value), `${format({ maximumFractionDigits: 2 }, value / 100)} %`);
      assert.equal(plainPrice(value * 1e9), format(four, value));
      for (const signed of [value, -value]) {
        const text = `${format(one, signed * 100)} %`.replace("-", "\u2212");
        assert.equal(change(signed), text);
      }
      const compact = { notation: "compact", maximumSignificantDigits: 3 };
      const units = BigInt(Math.round(value * 1e6));
      if (units >= 10n ** 10n) assert.equal(brief(units, 6), format(compact, Number(units) / 1e6));
    }
});
