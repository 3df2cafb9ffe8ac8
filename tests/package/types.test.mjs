// The types a TypeScript user gets: strict, without skipLibCheck, in every way there is to resolve them.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";
import { COMPANIONS, MODULES } from "../../scripts/modules.mjs";
import { capture, root } from "../../scripts/program.mjs";
import { exportedValues, publicTypes } from "../../scripts/types.mjs";
import { installAsStranger } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const require = createRequire(import.meta.url);

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

const COMPILERS = {
  "the newest TypeScript": require.resolve("typescript/package.json").replace(/package\.json$/, "bin/tsc"),
  "TypeScript 5.2": require.resolve("typescript-5.2/lib/tsc.js"),
};

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

async function compile(compiler, { options, files }) {
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: "es2020",
    lib: ["es2020", "dom"],
    types: [],
    ...options,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return capture(process.execPath, [compiler, "--project", "tsconfig.json", "--pretty", "false"], { cwd: folder });
}

test("the newest TypeScript compiles CommonJS that requires it by node20 and by nodenext", async () => {
  for (const [module, moduleResolution] of [
    ["node20", "node16"],
    ["nodenext", "nodenext"],
  ]) {
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

const declared = await publicTypes(join(installed, "dist"));

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

test("the public face is the committed one: npm run build -- --update-api shows a change as a diff", async () => {
  const committed = (await readFile(join(root, "tests/api.d.ts"), "utf8")).split("\n");
  const built = declared.split("\n");
  const line = built.findIndex((text, index) => text !== committed[index]);
  assert.deepEqual(built.slice(line, line + 3), committed.slice(line, line + 3), `from line ${line + 1}`);
  assert.equal(built.length, committed.length);
});
