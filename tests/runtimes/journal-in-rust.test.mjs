// The journal in a file has one format: a bot in Rust reads what a bot on Node wrote, and the other way round, one at a time.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test, { after } from "node:test";
import { fileJournal } from "launchpad-desk/node";
import { capture } from "../../scripts/program.mjs";
import { rustProgram } from "../rust-program.mjs";

const folder = await mkdtemp(join(tmpdir(), "journal-in-rust-"));
after(() => rm(folder, { recursive: true }));
const program = await rustProgram("journal-program");

const inRust = async (path, ...words) => JSON.parse(await capture(program, [path, ...words]));
const intent = (intentId, more) => ({
  intentId,
  operation: "buy",
  startedAtMs: 86_400_000,
  body: '{"mint":"M","fromWallet":"W","amountInLamports":18446744073709551615}',
  ...more,
});

test("what Node wrote, Rust reads, and the other way round", async () => {
  const path = join(folder, "both");
  const onNode = fileJournal(path);
  await onNode.begin(
    intent("left", { before: [{ wallet: "W", tokens: "18446744073709551615", lamports: "7", slot: "41" }] }),
  );
  for (const [id, outcome] of Object.entries({ landed: "landed", refused: "rejected", lost: "unknown" })) {
    await onNode.begin(intent(id));
    await onNode.settle({ intentId: id }, { outcome });
  }
  await onNode.close();
  const written = (await readFile(path, "utf8")).split("\n");
  const before = {
    pending: ["left", "lost"],
    landed: ["landed"],
    lamports: "18446744073709551615",
    tokens: ["18446744073709551615"],
    throughGateway: [],
    suspension: { mode: null, breakerOpen: null, unknownsInARow: 1 },
  };
  assert.deepEqual(
    await inRust(path, "begin:in-rust", "settle:in-rust:landed", "begin:begun-in-rust", "settle:lost:did_not_land"),
    before,
  );
  // An intent is the same line, whoever writes it.
  assert.ok((await readFile(path, "utf8")).split("\n").includes(written[0]));

  const again = fileJournal(path);
  const { pending, landed, lamports } = await again.recall(0);
  assert.deepEqual(
    [pending.map(({ intentId }) => intentId), [...landed], lamports],
    [["left", "begun-in-rust"], ["landed", "in-rust"], 2n * 18446744073709551615n],
  );
  assert.deepEqual(
    pending[0],
    intent("left", { before: [{ wallet: "W", tokens: "18446744073709551615", lamports: "7", slot: "41" }] }),
  );
  assert.deepEqual(pending[1], intent("begun-in-rust"));
  await again.close();
});

test("what has ended is kept for the other, with its signature, however often the file is shortened", async () => {
  const path = join(folder, "ends");
  const onNode = fileJournal(path);
  const ends = [
    ["a", "landed", "S1"],
    ["b", "failed", "S2", true],
    ["c", "did_not_land"],
    ["d", "did_not_land", undefined, true],
    ["e", "rejected"],
    ["f", "unconfirmed"],
  ];
  for (const [id, outcome, signature, proven] of ends) {
    await onNode.begin(intent(id));
    await onNode.settle({ intentId: id }, { outcome, signature, proven });
  }
  await onNode.begin(intent("g"));
  await onNode.close();
  await inRust(path, "settle:g:landed");
  await inRust(path);
  const again = fileJournal(path);
  const ended = (await again.recall(0)).ended.map(({ intentId, outcome, signature, proven }) => [
    intentId,
    outcome,
    signature,
    proven,
  ]);
  assert.deepEqual(ended.sort(), [
    ["a", "landed", "S1", undefined],
    ["b", "failed", "S2", true],
    ["c", "did_not_land", undefined, undefined],
    ["d", "did_not_land", undefined, true],
    ["e", "rejected", undefined, undefined],
    ["f", "unconfirmed", undefined, undefined],
    ["g", "landed", undefined, undefined],
  ]);
  await again.close();
  const texts = (await readFile(path, "utf8")).split("\n").map((line) => line.replace(/^.{20}/, ""));
  await inRust(path);
  assert.deepEqual(
    (await readFile(path, "utf8")).split("\n").map((line) => line.replace(/^.{20}/, "")),
    texts,
    "each writes the same lines",
  );
});

test("that a trade went to a gateway is kept for the other, however often the file is shortened", async () => {
  const path = join(folder, "gateway");
  const onNode = fileJournal(path);
  await onNode.begin(intent("direct"));
  await onNode.begin(intent("gateway-on-node", { throughGateway: true }));
  await onNode.close();
  await inRust(path, "begin:gateway-in-rust");
  assert.deepEqual((await inRust(path)).throughGateway, ["gateway-on-node", "gateway-in-rust"]);
  const again = fileJournal(path);
  assert.deepEqual(
    (await again.pending()).map(({ intentId, throughGateway }) => [intentId, throughGateway]),
    [
      ["direct", undefined],
      ["gateway-on-node", true],
      ["gateway-in-rust", true],
    ],
  );
  await again.close();
});

test("what stops trading is kept for the other", async () => {
  const path = join(folder, "stops");
  const onNode = fileJournal(path);
  await onNode.keepSuspension({ mode: "reducing" });
  await onNode.begin(intent("lost"));
  await onNode.settle({ intentId: "lost" }, { outcome: "unknown" }, { breakerOpen: true, unknownsInARow: 3 });
  await onNode.begin(intent("in-flight"));
  await onNode.close();
  const suspension = { mode: "reducing", breakerOpen: true, unknownsInARow: 4 };
  assert.deepEqual((await inRust(path, "begin:another")).suspension, {
    mode: "Reducing",
    breakerOpen: true,
    unknownsInARow: 4,
  });
  const again = fileJournal(path);
  assert.deepEqual((await again.recall(0)).suspension, { ...suspension, unknownsInARow: 5 });
  await again.close();
});

test("each keeps the other out, and takes over what it left when it was killed", async () => {
  const path = join(folder, "one");
  const onNode = fileJournal(path);
  await onNode.begin(intent("a"));
  await assert.rejects(capture(program, [path]), new RegExp(`in use by process ${process.pid} on`));
  await onNode.close();

  const held = spawn(program, [path, "begin:b", "wait"], { stdio: ["pipe", "pipe", "inherit"] });
  await once(held.stdout, "data");
  await assert.rejects(fileJournal(path).pending(), new RegExp(`in use by process ${held.pid} on`));
  // It may not have begun by then: it has once the line is there.
  while (!(await readFile(path, "utf8")).includes('"b"')) await new Promise((resolve) => setTimeout(resolve, 5));
  held.kill("SIGKILL");
  await once(held, "exit");
  const next = fileJournal(path);
  assert.deepEqual(
    (await next.pending()).map(({ intentId }) => intentId),
    ["a", "b"],
  );
  await next.close();
});

test(
  "what Rust cannot write is not begun, and once there is room it goes on",
  { skip: process.platform !== "linux" },
  async () => {
    const path = join(folder, "full");
    const limited = ["-c", 'trap "" XFSZ; ulimit -S -f 2; exec "$@"', "sh", program, path];
    const words = [..."abcdefghij"].map((id) => `try:${id}`);
    const child = spawn("sh", [...limited, ...words, "wait", "begin:later"], { stdio: ["pipe", "pipe", "inherit"] });
    const said = [];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => said.push(line));
    while (!said.includes("waiting")) await once(lines, "line");
    await capture("prlimit", ["--pid", `${child.pid}`, "--fsize=unlimited:"]);
    child.stdin.end("\n");
    await once(child, "exit");
    const begun = said.filter((line) => line.startsWith("begun ")).map((line) => line.slice("begun ".length));
    assert.ok(begun.length >= 1 && said.some((line) => line.startsWith("refused: File too large")), `${said}`);
    const journal = fileJournal(path);
    assert.deepEqual(
      (await journal.pending()).map(({ intentId }) => intentId),
      [...begun, "later"],
    );
    await journal.close();
  },
);
