// What a reader copies compiles: every sample of the README, the guides and TSDoc, and every example, under `strict`, as does what the types
// promise beside them. In the oldest TypeScript that is supported, and in the newest.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { EXAMPLES } from "../tsdoc.mjs";
import { COMPILERS, compileIn, installAsStranger } from "./stranger.mjs";

const { folder } = await installAsStranger();

/** The code blocks of README, guides and TSDoc in JavaScript and TypeScript, and the examples in JavaScript: file → source. */
async function samples() {
  const files = {};
  const guides = (await readdir(join(root, "docs")))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  for (const page of ["README.md", ...guides]) {
    const blocks = [
      ...(await readFile(join(root, page), "utf8")).matchAll(
        /^```(js|javascript|mjs|ts|typescript|mts)\n([^]*?)^```$/gm,
      ),
    ];
    blocks.forEach(
      ([, language, source], index) =>
        (files[`${page.replace("/", "-")}-${index + 1}.${/^(ts|typescript|mts)$/.test(language) ? "mts" : "mjs"}`] =
          source),
    );
  }
  EXAMPLES.forEach(
    ({ language, code }, index) => (files[`tsdoc-${index}.${language === "ts" ? "mts" : "mjs"}`] = code),
  );
  for (const name of (await readdir(join(root, "examples"), { recursive: true })).filter((name) =>
    name.endsWith(".mjs"),
  ))
    files[name] = await readFile(join(root, "examples", name), "utf8");
  return files;
}

/** What the types say of units, forms and orders; what they must refuse is marked so. */
const PROMISES = `
import { type BuyTrade, type SellTrade, type Trade, TradeClient, toBaseUnits } from "launchpad-desk";
import { type BundleLeg, Curve, Trader, equalSpends, receipt, toBundleRequest, toRequest } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
// @ts-expect-error where it trades has to be said
new TradeClient();
declare const form: HTMLFormElement;
const bought: Promise<BuyTrade> = client.buy(Object.fromEntries(new FormData(form)), { timeoutMs: 5 });
void client.sell(Object.fromEntries(new URLSearchParams("mint=M")));
void client.sellByPercentage({ mint: "M", fromWallet: "W", percentage: "50", slippage: "0.5", priorityUnitLimit: "1", priorityUnitPrice: 1n });
void client.sell({ mint: "M", fromWallet: "W", amountInToken: { baseUnits: toBaseUnits("16.99", 6) }, slippage: { percent: "1" } });
void client.sell({ mint: "M", fromWallet: "W", amountInToken: { tokens: "16.99" } });
// @ts-expect-error a bare bigint does not say its unit
void client.sell({ mint: "M", fromWallet: "W", amountInToken: 16990000n });
// @ts-expect-error a field that is misspelt is no form's
void client.buy({ mint: "M", fromWalet: "W", amountInLamports: "5" });
// @ts-expect-error nor is one that is missing
void client.buy({ mint: "M", amountInLamports: "5" });
// @ts-expect-error one too many would be a trade without its limit
void client.buy({ mint: "M", fromWallet: "W", amountInLamports: 5, slipage: 1 });
const plan = await client.plan("sell", { mint: "M", fromWallet: "W", amountInToken: 5 });
const byPlan: Promise<SellTrade> = client.send(plan, { timeoutMs: 5 });
const kept: Promise<Trade> = client.send(JSON.parse(JSON.stringify(plan)));
const figure: string | undefined = plan.price?.legs[0]?.tokens;
// @ts-expect-error a plan is not for changing
plan.body = "";
// @ts-expect-error a plan has its id already
void client.send(plan, { intentId: "i" });
void [byPlan, kept, figure];
// @ts-expect-error a bigint counts base units already
toBaseUnits(5n);

const [token] = sandbox.tokens;
const curve: Curve = token ? sandbox.curve(token.mint) : new Curve();
new Curve(token);
new Trader({ slippage: 5, slippageUnit: "percent" });
const sell = toRequest("M", { fromWallet: "W", sellExactIn: curve.smallestSellFor(500n) });
const sold: Promise<SellTrade> = client[sell.operation](sell.request);
const legs = Array.from(equalSpends(3n, 3), (buyExactIn, index) => ({ fromWallet: \`W\${index}\`, buyExactIn }));
const bundle = toBundleRequest("M", { legs, feePayer: "W0" });
void client[bundle.operation](bundle.request);
declare const some: BundleLeg[];
const any = toBundleRequest("M", { legs: some, feePayer: "W0" });
if (any.operation === "bundleSell") void client.bundleSell(any.request);
// @ts-expect-error the service does not buy an exact amount of tokens
toRequest("M", { fromWallet: "W", buyExactOut: 5n }).operation;

export const receipts = [receipt(curve.quoteBuyExactIn(5n), await bought), receipt(curve.quoteSellExactIn(5n), await sold)];
`;

/** What a compiler finds wrong in these files, an error a line. */
async function mistakes(compiler, name, files, options = {}) {
  const lib = { target: "es2022", lib: ["es2022", "dom", "dom.iterable"], allowJs: true, checkJs: true };
  // Node's own types are none of ours to check.
  const types = { skipLibCheck: true, types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  const all = { module: "node16", moduleResolution: "node16", ...lib, ...types, ...options };
  const said = await compileIn(join(folder, name), files, all, compiler).then(
    () => "",
    ({ message }) => message,
  );
  return said.split(/\n(?! )/).filter((line) => line.includes(": error TS"));
}

const WRONG =
  'import { TradeClient } from "launchpad-desk";\nawait new TradeClient({ baseURL: "https://service.example" }).sell({ mint: "M", fromWallet: "W", amountInToken: 5n });\n';

/** A run of CI has one of them. */
const { SAMPLES_IN = Object.keys(COMPILERS).join() } = process.env;

for (const which of SAMPLES_IN.split(",")) {
  test(`${which} compiles every sample, guide and example, and what the types promise, under strict, and finds a mistake beside them`, async () => {
    const files = await samples();
    assert.ok(
      Object.keys(files).filter((name) => name.startsWith("README.md-")).length >= 2 && Object.keys(files).length >= 13,
      "they are found",
    );
    const found = await mistakes(COMPILERS[which], `samples-${Object.keys(COMPILERS).indexOf(which)}`, {
      ...files,
      "promises.mts": PROMISES,
      "wrong.mjs": WRONG,
    });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0], /^wrong\.mjs[^]*'bigint' is not assignable to type 'TokenInput'/);
  });
}

/** What `tsc --init` writes besides `strict`. */
const AS_INITIALIZED = {
  ...{ module: "nodenext", moduleResolution: "nodenext", target: "esnext", noUncheckedIndexedAccess: true },
  ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, isolatedModules: true, moduleDetection: "force" },
};

test("the samples of the README and the guides, and the small bots, compile in a new project, as `tsc --init` makes it", async () => {
  const all = await samples();
  const pages = Object.fromEntries(
    Object.entries(all).filter(([name]) => /^(README\.md|docs)-|^[a-z-]+\.mjs$/.test(name) && name !== "settle.mjs"),
  );
  assert.ok(Object.keys(pages).length > 40, `${Object.keys(pages).length}`);
  const wrong = 'import { Sandbox } from "launchpad-desk/sandbox";\nnew Sandbox().tokens[0].mint;\n';
  const found = await mistakes(
    COMPILERS["the newest TypeScript"],
    "initialized",
    { ...pages, "wrong.mjs": wrong },
    AS_INITIALIZED,
  );
  assert.equal(found.length, 1, found.join("\n"));
  assert.match(found[0], /^wrong\.mjs[^]*possibly 'undefined'/);
});
