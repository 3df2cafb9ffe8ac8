// The types a TypeScript user gets: strict, without skipLibCheck, in every way there is to resolve them.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { COMPANIONS, MODULES } from "../../scripts/modules.mjs";
import { root } from "../../scripts/program.mjs";
import { exportedValues, exportsOf, publicTypes } from "../types.mjs";
import { COMPILERS, compileIn, installAsStranger } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();

/** What is imported → the names of its values. */
const VALUES = new Map();
for (const { stem } of [...MODULES, ...COMPANIONS])
  VALUES.set(
    stem === "index" ? "launchpad-desk" : `launchpad-desk/${stem}`,
    await exportedValues(join(installed, "dist"), `${stem}.d.ts`),
  );

const USE_OF_ALL = [...VALUES]
  .flatMap(([specifier, values], index) => [
    `import * as module${index} from "${specifier}";`,
    ...values.map((name) => `export const _${index}_${name}: typeof module${index}.${name} = module${index}.${name};`),
  ])
  .join("\n");

const USE_OF_COMPANIONS = `
import { TradeClient, reconcile } from "launchpad-desk";
import type { Journal, WalletBalances } from "launchpad-desk";
import { indexedDBJournal, memoryJournal } from "launchpad-desk/browser";
import { fileJournal, nodeFetch } from "launchpad-desk/node";
for (const journal of [fileJournal("trades.journal"), indexedDBJournal(), memoryJournal()]) {
  new TradeClient({ baseURL: "https://service.example", fetch: nodeFetch({ keepAliveMs: 1000 }), journal });
}
export async function lookAfter(client: TradeClient, journal: Journal, balancesOf: (wallets: string[]) => WalletBalances[]) {
  await client.sell({ mint: "M", fromWallet: "W", amountInToken: 5 }, { before: balancesOf(["W"]) });
  for (const intent of await client.pending()) {
    const { certainty, landed } = reconcile(intent, { now: balancesOf(intent.wallets), canStillLand: false, walletsShared: false });
    if (certainty === "proven") await client.acknowledge(intent.intentId, landed ? "landed" : "did_not_land");
  }
  for (const intent of (await journal.pending?.()) ?? []) reconcile(intent, { now: [] });
}
`;

/** way → its compiler options, and the files it compiles */
const RESOLUTIONS = {
  "node16, import": {
    options: { module: "node16", moduleResolution: "node16" },
    files: { "all.mts": USE_OF_ALL, "companions.mts": USE_OF_COMPANIONS },
  },
  "node16, import() in CommonJS": {
    options: { module: "node16", moduleResolution: "node16" },
    files: {
      "loads.cts":
        'export const client = import("launchpad-desk").then(({ TradeClient }) => new TradeClient({ baseURL: "https://service.example" }));',
    },
  },
  "a bundler": { options: { module: "esnext", moduleResolution: "bundler" }, files: { "all.ts": USE_OF_ALL } },
  workerd: {
    options: { module: "esnext", moduleResolution: "bundler", customConditions: ["workerd"] },
    files: { "worker.ts": USE_OF_ALL },
  },
};

/** Unlike most projects, without skipLibCheck. */
const compile = (compiler, { options, files }) =>
  compileIn(folder, files, { target: "es2020", lib: ["es2020", "dom"], ...options }, compiler);

// The usual way of CommonJS before TypeScript 6.
test("TypeScript 5.2 compiles CommonJS that resolves by node10", async () => {
  await compile(COMPILERS["TypeScript 5.2"], {
    options: { module: "commonjs", moduleResolution: "node10" },
    files: {
      "all.ts": USE_OF_ALL,
      "panel.ts":
        'import type { LaunchpadDesk } from "launchpad-desk/panel"; export const desk: LaunchpadDesk | undefined = undefined;',
    },
  });
});

test("the newest TypeScript compiles CommonJS that requires it by node20 and by nodenext", async () => {
  for (const [module, moduleResolution] of Object.entries({ node20: "node16", nodenext: "nodenext" })) {
    await compile(COMPILERS["the newest TypeScript"], {
      options: { module, moduleResolution, target: "es2023" },
      files: { "all.cts": USE_OF_ALL, "companions.cts": USE_OF_COMPANIONS },
    });
  }
});

/** A file for each import, of a name that it does not have. */
const WRONG = Object.fromEntries(
  [...VALUES.keys()].map((specifier, index) => [
    `wrong-${index}.mts`,
    `import { noSuchName } from "${specifier}"; noSuchName;`,
  ]),
);

for (const [which, compiler] of Object.entries(COMPILERS)) {
  for (const [how, project] of Object.entries(RESOLUTIONS)) {
    test(`${which} compiles a strict project that resolves by ${how}`, () => compile(compiler, project));
  }

  test(`${which} refuses to require it by node16, the rules of Node before 20.19`, async () => {
    await assert.rejects(
      compile(compiler, {
        options: { module: "node16", moduleResolution: "node16" },
        files: { "all.cts": USE_OF_ALL },
      }),
      /error TS1479: The current file is a CommonJS module/,
    );
  });

  test(`${which} refuses what the types of each import do not have`, async () => {
    const said = await compile(compiler, { ...RESOLUTIONS["node16, import"], files: WRONG }).then(
      () => "",
      ({ message }) => message,
    );
    const refused = [...said.matchAll(/^(wrong-\d+\.mts)\(.*noSuchName/gm)].map(([, file]) => file);
    assert.deepEqual(refused.sort(), Object.keys(WRONG).sort(), said);
  });
}

/** What a program finds by what it calls, without a name for it. */
const FOUND = `
import { TradeClient, readTypedTable, validate, view } from "launchpad-desk";
import { verifyAuditLog } from "launchpad-desk/gateway";
import { Curve, Exits, Market, Trader, capacities, launchpadRules, toBundleRequest } from "launchpad-desk/market";
import { nodeFetch } from "launchpad-desk/node";
import { verifyRecord } from "launchpad-desk/record";
import { Sandbox, SandboxMarket, audit, backtest, sandboxOutcomes } from "launchpad-desk/sandbox";
const curve = new Curve();
const sandbox = new Sandbox();
export const client = new TradeClient({ fetch: sandbox.fetch });
export const guards = client.guards;
export const trade = async (intentId: string) => (await client.waitFor(intentId)).result;
export const exact = async () => (await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 1 })).exact;
export const price = async () => (await client.plan("buy", { mint: "M", fromWallet: "W", amountInLamports: 1 })).price;
export const settled = async () => (await client.settle()).map(({ reconciled }) => reconciled.findings);
export const position = (intentId: string) => client.positionOf(intentId);
export const [problem, line, error] = [readTypedTable("", { side: "buy" }).problems[0], view(0).lines[0], validate("buy", {}).errors[0]];
export const market = new Market({ rpc: "https://node.example" });
export const wallets = async () => (await market.look("M")).wallets;
export const bought = market.bought;
export const exits = new Exits({});
export const { takeProfit, trailing } = exits.plan;
export const evenAt = curve.breakEven(5n, new Trader());
export const [legs, rules, sent] = [capacities().legs, launchpadRules(), nodeFetch()("https://service.example")];
export const bundle = toBundleRequest("M", { legs: [{ fromWallet: "W", buyExactIn: 5n }], feePayer: "W" });
export const { costs, drawdown, equity, skipped } = backtest({ tape: [] });
export const [replay, account, rows, outcomes] = [sandbox.replay, sandbox.account, sandbox.trades, sandboxOutcomes()];
export const findings = audit([], sandbox.calls).findings;
export const tokens = (served: SandboxMarket) => served.tokens();
export const verdicts = () => Promise.all([verifyRecord(""), verifyAuditLog([])]);
`;

test("what a program finds without a name for it stands in the program's own declarations", async () => {
  const { options } = RESOLUTIONS["node16, import"];
  // TypeScript 5.2 does not find the entry of a type that two entries share, named or not.
  await compile(COMPILERS["the newest TypeScript"], {
    options: {
      ...options,
      target: "es2022",
      lib: ["es2022", "dom"],
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
    },
    files: { "found.mts": FOUND },
  });
});

const declared = await publicTypes(join(installed, "dist"));

test("what no entry names is no interface and no class: declarations of programs could not spell it out", async () => {
  const named = new Set();
  for (const file of [...VALUES.keys(), "launchpad-desk/panel"].map(
    (specifier) => `${specifier.split("/")[1] ?? "index"}.d.ts`,
  ))
    for (const name of (await exportsOf(join(installed, "dist"), file)).keys()) named.add(name);
  const declares = [...declared.matchAll(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  assert.ok(declares.length > 100, `${declares.length}`);
  assert.deepEqual(
    declares.filter((name) => !named.has(name)),
    [],
  );
});

test("there is no `any`", () => {
  assert.deepEqual(
    declared
      .replace(/"[^"\n]*"/g, '""')
      .split("\n")
      .filter((line) => /\bany\b/.test(line)),
    [],
  );
});

test("nothing of the loader is public", () => {
  assert.deepEqual(
    declared.match(/.*(export (default )?function (init|__wb)|initSync|InitInput|InitOutput|__wb|build:).*/g),
    null,
  );
});

test("the public face is the committed one: UPDATE=1 writes it, and shows a change as a diff", async () => {
  if (process.env.UPDATE) await writeFile(join(root, "tests/api.d.ts"), declared);
  const committed = (await readFile(join(root, "tests/api.d.ts"), "utf8")).split("\n");
  const built = declared.split("\n");
  const line = built.findIndex((text, index) => text !== committed[index]);
  assert.deepEqual(built.slice(line, line + 3), committed.slice(line, line + 3), `from line ${line + 1}`);
  assert.equal(built.length, committed.length);
});
