// `fileJournal`: its content after every kind of crash, and that two programs never have it open together.

import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import fs, {
  appendFile,
  lstat,
  mkdtemp,
  open,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { reconcile } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { fileJournal } from "launchpad-desk/node";
import { LANDED, OPENS, SIGNS, clientBy, fetchOf, rejection, requests } from "./service.mjs";
import { standsIn, warningsOf } from "./stands.mjs";

const folder = await mkdtemp(join(tmpdir(), "journal-"));
after(() => rm(folder, { recursive: true }));

/** How often a program is killed while it shortens its journal: `npm run prove -- kills` does it more often. */
const KILLS = Number(process.env.KILLS ?? (process.env.PROVE_SEED ? 100 : 5));

const notOnWindows = { skip: process.platform === "win32" };
let files = 0;
const fresh = () => join(folder, `${++files}.journal`);
const intent = (intentId, more) => ({ intentId, operation: "buy", body: '{"mint":"M"}', startedAtMs: 5, ...more });
const ids = (intents) => intents.map(({ intentId }) => intentId);
const ended = (outcome) => ({ outcome, code: null, status: null, signature: null, proven: false });

/** A line of the journal, with its checksum as zlib has it. */
function checked(record) {
  const rest = JSON.stringify(record).slice(1);
  return `{"crc32":"${crc32(rest).toString(16).padStart(8, "0")}",${rest}`;
}
const lineOf = (record) => `${checked(record)}\n`;

/** Opens the journal for a while. */
async function opened(path, work) {
  const journal = fileJournal(path);
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

const pendingIn = (path) => opened(path, async (journal) => ids(await journal.pending()));

test("an intent is unresolved until it is settled, also after reopening", async () => {
  const path = fresh();
  await opened(path, async (journal) => {
    await Promise.all(["a", "b", "c", "d", "e"].map((id) => journal.begin(intent(id))));
    await journal.settle(intent("a"), ended("landed"));
    await journal.settle(intent("b"), ended("rejected"));
    await journal.settle(intent("c"), ended("unknown"));
    await journal.settle(intent("d"), ended("did_not_land"));
    await journal.settle(intent("nobody"), ended("landed"));
    await assert.rejects(journal.settle(intent("c"), ended("perhaps")), TypeError);
    assert.deepEqual(await journal.pending(), [intent("c"), intent("e")]);
  });
  await opened(path, async (journal) => {
    assert.deepEqual(await journal.pending(), [intent("c"), intent("e")]);
    assert.deepEqual([await journal.landed(5), await journal.landed(6)], [[intent("a")], []]);
    await assert.rejects(journal.begin(intent("a")), /intent a has already landed/);
    await assert.rejects(journal.begin(intent("c")), /intent c was begun earlier and is unresolved/);
    await journal.begin(intent("b"));
  });
  assert.deepEqual(await pendingIn(path), ["c", "e", "b"]);
});

const refuses = (path, bad) =>
  assert.rejects(
    opened(path, (journal) => journal.begin(intent("b", bad))),
    TypeError,
  );

test("what was seen before is kept, whole and exact, and nothing else is", async () => {
  const path = fresh();
  const before = [
    { wallet: "W", tokens: "18446744073709551615", lamports: "0" },
    { wallet: "X", tokens: "0" },
    { wallet: "P", lamports: "5" },
  ];
  const more = { before: before.map((held) => ({ ...held, apiKey: "sk-secret-9" })) };
  await opened(path, (journal) => journal.begin(intent("a", more)));
  const pending = () => opened(path, (journal) => journal.pending());
  for (let restart = 0; restart < 2; restart++) assert.deepEqual(await pending(), [intent("a", { before })]);
  for (const bad of [
    5,
    [5],
    [{ wallet: "W" }],
    [{ wallet: "W", tokens: 5 }],
    [{ wallet: "", tokens: "5" }],
    [{ wallet: "W", tokens: "5", lamports: "1.5" }],
  ])
    await refuses(path, { before: bad });
});

test("only an intent's own fields are ever written, for its owner to read alone", async () => {
  const path = fresh();
  await opened(path, (journal) =>
    journal.begin(intent("a", { apiKey: "sk-secret-9", headers: { "x-api-key": "sk-secret-9" } })),
  );
  assert.ok(!(await readFile(path, "utf8")).includes("sk-secret-9"));
  if (process.platform !== "win32") assert.equal((await import("node:fs")).statSync(path).mode & 0o777, 0o600);
  for (const bad of [
    { intentId: "" },
    { intentId: 5 },
    { operation: undefined },
    { body: {} },
    { startedAtMs: "5" },
    { startedAtMs: 0.5 },
  ])
    await refuses(path, bad);
});

test("one in memory keeps an intent's own fields alone, and tells what landed", async () => {
  const journal = memoryJournal();
  for (const id of ["a", "b"]) await journal.begin(intent(id, { apiKey: "sk-secret-9" }));
  await journal.settle(intent("a"), ended("landed"));
  assert.deepEqual(await journal.pending(), [intent("b")]);
  assert.deepEqual([await journal.landed(5), await journal.landed(6)], [[intent("a")], []]);
});

const warnings = (work) => warningsOf("JournalWarning", work);

test("a last line torn at any byte is dropped with a warning, and the lines before it stay", async () => {
  const path = fresh();
  await opened(path, (journal) => journal.begin(intent("whole")));
  // Opened again, it lists this trade as without an end.
  assert.deepEqual(await pendingIn(path), ["whole"]);
  const { length } = await readFile(path);
  const torn = checked({ begin: intent("torn") });
  for (let cut = 0; cut < torn.length; cut++) {
    await appendFile(path, torn.slice(0, cut));
    const said = await warnings(async () => assert.deepEqual(await pendingIn(path), ["whole"], `cut at ${cut}`));
    assert.equal(said.length, cut ? 1 : 0);
    if (cut) assert.match(said[0], /^the last line of the journal .*, line 4, was torn and is dropped/);
    assert.equal((await readFile(path)).length, length, "opened, it is clean again");
  }
  await appendFile(path, torn.replace("torn", "zero\0"));
  await truncate(path, length + 20);
  assert.deepEqual(await pendingIn(path), ["whole"]);
});

test("a last line that is whole but for its end is taken, and the next one does not run into it", async () => {
  const path = fresh();
  await writeFile(path, (lineOf({ begin: intent("a") }) + lineOf({ begin: intent("b") })).trimEnd());
  assert.deepEqual(await warnings(() => opened(path, (journal) => journal.begin(intent("c")))), []);
  assert.deepEqual(await pendingIn(path), ["a", "b", "c"]);
  await appendFile(path, checked({ settle: "b", outcome: "landed" }));
  assert.deepEqual(await pendingIn(path), ["a", "c"]);
  assert.deepEqual(ids(await opened(path, (journal) => journal.landed(0))), ["b"]);
});

test("a bit that is flipped is found, wherever it is, and the line is named", async () => {
  const path = fresh();
  const records = [
    { begin: intent("U1", { body: '{"mint":"é"}' }) },
    { settle: "U1", outcome: "landed" },
    { begin: intent("U2") },
  ];
  const whole = Buffer.from(records.map(lineOf).join(""));
  await writeFile(path, whole);
  assert.deepEqual(await pendingIn(path), ["U2"]);
  // Every byte but the last line end, without which the last line is whole.
  let line = 1;
  for (let at = 0; at < whole.length - 1; at++) {
    const flipped = Buffer.from(whole);
    flipped[at] ^= 1 << (at % 8);
    await writeFile(path, flipped);
    // A flipped bit may turn a letter into a line end.
    const named = [line, line + 1].map((number) => `line ${number} of the journal ${path} cannot be read (`);
    const isNamed = ({ message }) => named.some((start) => message.startsWith(start));
    await assert.rejects(pendingIn(path), isNamed, `byte ${at}, in line ${line}`);
    assert.deepEqual(await readFile(path), flipped, "nothing was changed");
    if (whole[at] === 10) line++;
  }
  await writeFile(path, whole.toString().replace("U1", "T1"));
  await assert.rejects(pendingIn(path), {
    message: `line 1 of the journal ${path} cannot be read (its checksum is wrong): check it before you trade again`,
  });
});

test("a damaged line with a line end is not torn: it is refused, wherever it is", async () => {
  const path = fresh();
  const whole = checked({ begin: intent("a") });
  const outcomes = "landed, unconfirmed, not_sent, rejected, failed, did_not_land, unknown";
  const noOutcome = (what) => `${what} is not an outcome; use one of ${outcomes}`;
  const damaged = [
    ["{", "it has no checksum"],
    ["\0\0\0\0", "it has no checksum"],
    [checked({ begin: { intentId: "b" } }), "an intent's operation must be text"],
    [checked({ landed: intent("b") }), noOutcome(undefined)],
    [checked({ day: 5, lamports: "-1" }), "a day without lamports"],
    [checked({ day: 5.5, lamports: "1" }), "a day without lamports"],
    [checked({}), noOutcome(undefined)],
    [checked({ begin: intent("b") }).replace('"b"', '"c"'), "its checksum is wrong"],
    ['{"begin":{"intentId":"b","operation":"buy","bo', "it has no checksum"],
    [JSON.stringify({ settle: "a", outcome: "landed" }), "it has no checksum"],
    [checked({ settle: "a", outcome: "perhaps" }), noOutcome("perhaps")],
    [checked({ pause: true }), "pause does not belong in a journal"],
    [checked({ begin: { ...intent("b"), seen: 1 } }), "seen does not belong in a journal"],
    ...[
      { landed: { ...intent("b"), seen: 1 }, outcome: "landed" },
      { begin: { ...intent("b"), before: [{ wallet: "W", tokens: "1", seen: 1 }] } },
      { begin: { ...intent("b"), counted: { lamports: "1", fees: "0", seen: 1 } } },
      { suspension: { mode: "halted", seen: 1 } },
      { settle: "a", outcome: "unknown", suspension: { breakerOpen: true, seen: 1 } },
    ].map((line) => [checked(line), "seen does not belong in a journal"]),
  ];
  for (const [line, why] of damaged) {
    for (const end of ["", lineOf({ begin: intent("z") })]) {
      const text = `${whole}\n${line}\n${end}`;
      await writeFile(path, text);
      const message = `line 2 of the journal ${path} cannot be read (${why}): check it before you trade again`;
      await assert.rejects(pendingIn(path), { message });
      assert.equal(await readFile(path, "utf8"), text, "nothing was changed");
    }
  }
  assert.ok(!(await readdir(folder)).some((name) => name.includes(".lock")), "and no lock is left");
  // What nobody writes, but means nothing noted.
  const blank = { before: null, counted: null, throughGateway: false, namedSignature: "" };
  await writeFile(path, `${whole}\n${checked({ begin: { ...intent("b"), ...blank } })}\n`);
  assert.deepEqual(await pendingIn(path), ["a", "b"]);
  // Complete but unreadable: no kill tears a line into that.
  await writeFile(path, `${whole}\n${checked({ pause: true })}`);
  await assert.rejects(pendingIn(path), /line 2 of the journal/);
  // Torn: its checksum covers what never came.
  await writeFile(path, `${whole}\n${checked({ begin: intent("b") }).slice(0, -1)}`);
  assert.equal((await warnings(async () => assert.deepEqual(await pendingIn(path), ["a"]))).length, 1);
});

test("a link to a journal is that journal", async () => {
  const path = fresh();
  const link = fresh();
  await opened(path, (journal) => journal.begin(intent("a")));
  await symlink(path, link);
  await opened(link, async (journal) => {
    assert.deepEqual(ids(await journal.pending()), ["a"]);
    await assert.rejects(pendingIn(path), /in use/);
    await journal.begin(intent("b"));
  });
  assert.deepEqual(await pendingIn(path), ["a", "b"]);
});

test("a link that leads nowhere yet stays one, and what it leads to is the journal", async () => {
  const [path, link, further] = [fresh(), fresh(), fresh()];
  await symlink(path, link);
  await symlink(basename(link), further);
  await opened(further, (journal) => journal.begin(intent("a")));
  for (const at of [link, further]) assert.ok((await lstat(at)).isSymbolicLink());
  assert.deepEqual([await pendingIn(path), await pendingIn(link)], [["a"], ["a"]]);
  await symlink(join(folder, "nowhere", "j"), `${link}.lost`);
  await assert.rejects(pendingIn(`${link}.lost`), { code: "ENOENT" });
});

const DAY_MS = 86_400_000;
const buyOf = (lamports, more) => ({
  body: `{"mint":"M","fromWallet":"W","amountInLamports":${lamports},"feePayer":null}`,
  ...more,
});
/** Lamports spent since then, as a journal has it. */
const spentIn = async (journal, sinceMs) => (await journal.recall(sinceMs)).lamports;

test("the sum of a day outlives the ids: 11,000 landed buys leave no room for another, after every restart", async () => {
  const path = fresh();
  const fetch = fetchOf(LANDED);
  const all = 1_000 + OPENS + 11_000 * (1_000 + SIGNS);
  const clientOf = (journal) => clientBy(fetch, { journal, maxLamportsPerDay: all, inFlightPerWallet: 1_000 });
  const buy = { ...requests().buy, amountInLamports: 1_000 };
  await opened(path, async (journal) => {
    const client = clientOf(journal);
    await client.buy(buy);
    for (let round = 0; round < 11; round++) await Promise.all(Array.from({ length: 1_000 }, () => client.buy(buy)));
    assert.equal((await rejection(client.buy(buy))).code, "over_day_limit");
    assert.equal((await journal.landed(0)).length, 10_000, "the latest ids, and no more");
  });
  for (let restart = 0; restart < 3; restart++) {
    await opened(path, async (journal) => {
      const client = clientOf(journal);
      assert.equal((await rejection(client.buy({ ...buy, amountInLamports: 1 }))).code, "over_day_limit");
      assert.equal(client.guards.lamportsToday, BigInt(all));
      const [{ intentId }] = await journal.landed(0);
      assert.equal((await rejection(client.sell(requests().sell, { intentId }))).code, "intent_landed");
    });
  }
  assert.equal(fetch.calls.length, 11_001);
});

test("a journal counts what landed by the day it began on, by its body if nothing else says what was counted", async () => {
  const path = fresh();
  const landed = (id, lamports, startedAtMs) => [
    { begin: intent(id, buyOf(lamports, { startedAtMs })) },
    { settle: id, outcome: "landed" },
  ];
  const big = "18446744073709551615";
  const bundle = intent("e", {
    operation: "bundleBuy",
    startedAtMs: 2 * DAY_MS,
    body: `{"mint":"\\"amountInLamports\\":9","buys":[{"fromWallet":"W","amountInLamports":${big}},{"fromWallet":"X","amountInLamports":2}]}`,
  });
  const records = [
    ...landed("a", 5, DAY_MS - 1),
    ...landed("b", 7, DAY_MS),
    ...landed("c", 9, 2 * DAY_MS - 1),
    { begin: intent("d", buyOf(11)) },
    { settle: "d", outcome: "rejected" },
    { begin: bundle },
    { settle: "e", outcome: "unconfirmed" },
  ];
  await writeFile(path, records.map(lineOf).join(""));
  for (let restart = 0; restart < 2; restart++) {
    await opened(path, async (journal) => {
      const sums = [];
      for (const since of [0, DAY_MS, 2 * DAY_MS, 3 * DAY_MS]) sums.push(await spentIn(journal, since));
      const last = BigInt(big) + 2n;
      assert.deepEqual(sums, [last + 21n, last + 16n, last, 0n]);
      assert.deepEqual(ids(await journal.landed(0)), ["a", "b", "c", "e"]);
    });
  }
});

test("a body is counted as JSON has it: a wallet or a fee payer that is called like a field is no further trade", async () => {
  const body = (payer, wallet) =>
    `{"mint":"priorityUnitPrice","feePayer":${payer},"buys":[{"fromWallet":${wallet},"amountInLamports":"18446744073709551615"},{"fromWallet":"\\"fromWallet\\":1","amountInLamports" : 2}],"priorityUnitLimit":null,"priorityUnitPrice":1000000}`;
  const named = ['"fromWallet"', '"amountInLamports"', '"x\\\\"', "null"];
  const bodies = named.flatMap((payer) => named.slice(0, -1).map((wallet) => body(payer, wallet)));
  // Two trades of 200,000 units each, at one lamport.
  const [buys, priority] = [18_446_744_073_709_551_617n, 400_000n];
  for (const journal of [fileJournal(fresh()), memoryJournal()]) {
    for (const [n, body] of bodies.entries()) {
      JSON.parse(body);
      for (const outcome of ["landed", "failed"]) {
        const before = await spentIn(journal, 0);
        const begun = intent(`${n} ${outcome}`, { operation: "bundleBuy", body });
        await journal.begin(begun);
        await journal.settle(begun, ended(outcome));
        assert.equal((await spentIn(journal, 0)) - before, outcome === "failed" ? priority : buys + priority, body);
      }
    }
    // Whatever is no JSON was never sent.
    for (const body of ["{", "null", "5", '"amountInLamports":5']) {
      const before = await spentIn(journal, 0);
      await journal.begin(intent(body, { body }));
      await journal.settle(intent(body), ended("landed"));
      assert.equal(await spentIn(journal, 0), before, body);
    }
    await journal.close?.();
  }
});

test("sums are kept for 400 days on which something landed, the latest", async () => {
  const path = fresh();
  const begins = Array.from({ length: 402 }, (_, day) =>
    intent(`${day}`, buyOf(1, { startedAtMs: ((day * 7) % 402) * DAY_MS })),
  );
  await opened(path, async (journal) => {
    await Promise.all(begins.map((begin) => journal.begin(begin)));
    await Promise.all(begins.map((begin) => journal.settle(begin, ended("landed"))));
    assert.deepEqual([await spentIn(journal, 0), await spentIn(journal, 3 * DAY_MS)], [400n, 399n]);
  });
  assert.deepEqual(await opened(path, (journal) => spentIn(journal, 0)), 400n);
});

test("it is shortened while it runs, and holds the same", async () => {
  const path = fresh();
  const body = JSON.stringify({ mint: "M".repeat(200_000) });
  const sizes = [];
  await opened(path, async (journal) => {
    await journal.begin(intent("first", buyOf(3)));
    await journal.settle(intent("first"), ended("landed"));
    await journal.begin(intent("doubtful"));
    for (let n = 0; n < 130; n++) {
      const begins = ["a", "b"].map((part) => intent(`${n}${part}`, { body }));
      // Not awaited one by one: some are in flight when it is shortened.
      await Promise.all(begins.flatMap((begin) => [journal.begin(begin), journal.settle(begin, ended("not_sent"))]));
      sizes.push((await stat(path)).size);
    }
    await journal.begin(intent("last"));
  });
  assert.ok(Math.max(...sizes) < 12 << 20, "52 MB were written");
  assert.ok(sizes.filter((size, n) => size < sizes[n - 1]).length > 3);
  await opened(path, async (journal) => {
    assert.deepEqual(
      [ids(await journal.pending()), ids(await journal.landed(0)), await spentIn(journal, 0)],
      [["doubtful", "last"], ["first"], 3n],
    );
  });
});

// Disks and systems that these tests do not run on: one call of node:fs fails as it does there.

const standIn = (name, stand, work) => standsIn(fs, { [name]: stand }, work);
const failure = (code) => Object.assign(new Error(`${code}: as there`), { code });
/** Fails the first `times` calls with a path that ends so; returns how many calls there were. */
const failing = (code, ending, times, seen = { failed: 0 }) => ({
  seen,
  stand:
    (real) =>
    async (...given) => {
      if (!given.slice(0, 2).some((path) => String(path).endsWith(ending)) || seen.failed === times)
        return real(...given);
      seen.failed++;
      throw failure(code);
    },
});

/** Works as it should: begins, refuses another meanwhile, and has everything when it is reopened. */
async function worksAt(path) {
  await opened(path, async (journal) => {
    await journal.begin(intent("a"));
    await assert.rejects(pendingIn(path), /in use/);
  });
  await opened(path, (journal) => journal.begin(intent("b")));
  assert.deepEqual(await pendingIn(path), ["a", "b"]);
  const beside = (await readdir(folder)).filter((name) => join(folder, name).startsWith(`${path}.`));
  assert.deepEqual(beside, []);
}

for (const code of ["EPERM", "ENOTSUP", "EISDIR"]) {
  test(`on a disk without links (${code}) one program has it at a time all the same`, async () => {
    const path = fresh();
    const { stand, seen } = failing(code, ".lock", Infinity);
    await standIn("link", stand, async () => {
      await worksAt(path);
      await writeFile(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: "x" }));
      assert.deepEqual(await pendingIn(path), ["a", "b"], "the lock of a program that is gone is taken over");
    });
    assert.ok(seen.failed >= 4);
  });
}

for (const [name, ending] of Object.entries({ rename: ".journal", unlink: ".lock" })) {
  test(`it waits for a file that another program has open for a moment (${name})`, async () => {
    for (const code of ["EPERM", "EACCES", "EBUSY"]) {
      const { stand, seen } = failing(code, ending, 3);
      await standIn(name, stand, () => worksAt(fresh()));
      assert.equal(seen.failed, 3);
    }
  });
}

test("one that cannot be put in its place is refused, leaves no lock, and can be opened once it can", async () => {
  for (const code of ["EBUSY", "EXDEV"]) {
    const path = fresh();
    await opened(path, (journal) => journal.begin(intent("a")));
    const { stand, seen } = failing(code, ".journal", Infinity);
    await standIn("rename", stand, () => assert.rejects(pendingIn(path), { code }));
    assert.ok(code === "EBUSY" ? seen.failed > 3 : seen.failed === 1);
    assert.deepEqual(await pendingIn(path), ["a"]);
  }
});

test("a draft that cannot be removed is not a lock, and blocks nobody", async () => {
  const path = fresh();
  // The name of a draft ends in a token; that of the lock does not.
  const isDraft = (file) => /\.lock\.[-0-9a-f]{36}$/.test(file);
  let kept = 0;
  const stand = (real) => async (file) => {
    if (!isDraft(file)) return real(file);
    kept++;
    throw failure("EPERM");
  };
  await standIn("unlink", stand, () => opened(path, (journal) => journal.begin(intent("a"))));
  assert.equal(kept, 1);
  assert.deepEqual(await pendingIn(path), ["a"]);
});

test("an unsupported sync of a folder is ignored, and a failing one is reported", notOnWindows, async () => {
  const syncFails =
    (code) =>
    (real) =>
    async (path, ...more) => {
      const handle = await real(path, ...more);
      if (path === folder) handle.sync = () => Promise.reject(failure(code));
      return handle;
    };
  for (const code of ["EINVAL", "ENOTSUP", "ENOSYS"]) await standIn("open", syncFails(code), () => worksAt(fresh()));
  await standIn("open", syncFails("EIO"), () => assert.rejects(pendingIn(fresh()), { code: "EIO" }));
});

test("nothing is renamed while it is open", async () => {
  const [path, open] = [fresh(), new Set()];
  const counts =
    (real) =>
    async (file, ...more) => {
      const handle = await real(file, ...more);
      open.add(handle);
      const close = handle.close.bind(handle);
      handle.close = () => (open.delete(handle), close());
      return handle;
    };
  const whileOpen = [];
  const looks =
    (real) =>
    async (...given) => (whileOpen.push(open.size), real(...given));
  await standIn("open", counts, () => standIn("rename", looks, () => worksAt(path)));
  assert.deepEqual(whileOpen, [0, 0, 0], "it was opened three times");
  assert.equal(open.size, 0);
});

/** Once `seen.isOn`, every call of the disk after the `last`-th fails: as far as the file goes, the program is dead. */
function dyingAt(last, seen) {
  const isDead = (name) => seen.isOn && seen.steps.push(name) > last;
  const dies =
    (real, name) =>
    async (...given) =>
      isDead(name) ? Promise.reject(failure("EDEAD")) : real(...given);
  return {
    open:
      (real) =>
      async (...given) => {
        const handle = await dies(real, "open")(...given);
        for (const name of ["appendFile", "sync"]) handle[name] = dies(handle[name].bind(handle), name);
        const close = handle.close.bind(handle);
        // Dead or not, the system closes it.
        handle.close = () => close().finally(() => isDead("close") && Promise.reject(failure("EDEAD")));
        return handle;
      },
    rename: (real) => dies(real, "rename"),
  };
}

test("a program that dies at any step of shortening has lost nothing that it had said", async () => {
  const body = JSON.stringify({ mint: "M".repeat(3 << 20) });
  let steps;
  for (let last = 0; steps === undefined; last++) {
    const [path, seen] = [fresh(), { steps: [] }];
    const journal = fileJournal(path);
    const told = [];
    const begin = (id, more) => journal.begin(intent(id, more)).then(() => told.push(id));
    const dying = dyingAt(last, seen);
    const live = () =>
      standIn("open", dying.open, () =>
        standIn("rename", dying.rename, async () => {
          await begin("spent", buyOf(7));
          for (const id of ["a", "b"]) await begin(id, { body });
          await journal.settle(intent("spent"), ended("landed"));
          await journal.settle(intent("a"), ended("failed"));
          await begin("c", { body });
          seen.isOn = true;
          // The next is what has it shortened.
          for (const id of ["d", "e"]) await begin(id).catch(() => {});
          // A program that is dead closes nothing.
          seen.isOn = false;
          await journal.close();
        }),
      );
    await warnings(live);
    // It survived: there are no more steps to die at.
    if (seen.steps.length <= last) steps = seen.steps;
    await opened(path, async (journal) => {
      const pending = ids(await journal.pending());
      const due = told.filter((id) => id !== "spent" && id !== "a");
      assert.ok(
        due.every((id) => pending.includes(id)),
        `died after ${seen.steps.slice(0, last)}`,
      );
      assert.ok(!pending.includes("a"));
      assert.deepEqual([ids(await journal.landed(0)), await spentIn(journal, 0)], [["spent"], 7n]);
    });
    await rm(path);
  }
  // On the disk before it takes the old one's place, and in that before another line is.
  const order =
    process.platform === "win32"
      ? /^open,(appendFile,)+sync,close,close,rename,open,/
      : /^open,(appendFile,)+sync,close,close,rename,open,sync,close,open,/;
  assert.match(`${steps}`, order);
});

test("one that cannot be shortened keeps growing with a warning, and is shortened once it can be", async () => {
  const path = fresh();
  const body = JSON.stringify({ mint: "M".repeat(3 << 20) });
  const { stand, seen } = failing("ENOSPC", ".fresh", 1);
  const said = await warnings(() =>
    opened(path, async (journal) => {
      const beginAndFail = async (id) => {
        await journal.begin(intent(id, { body }));
        await journal.settle(intent(id), ended("not_sent"));
      };
      for (const id of ["a", "b"]) await beginAndFail(id);
      await journal.begin(intent("c", { body }));
      await standIn("open", stand, () => journal.begin(intent("d")));
      await journal.settle(intent("c"), ended("not_sent"));
      assert.ok((await stat(path)).size > 9 << 20, "it grew on");
      for (const id of ["e", "f", "g", "h"]) await beginAndFail(id);
      assert.ok((await stat(path)).size < 9 << 20);
    }),
  );
  assert.equal(seen.failed, 1);
  assert.match(said.join(), /could not be shortened and keeps growing: ENOSPC/);
  assert.deepEqual(await pendingIn(path), ["d"]);
});

// The rest runs a program that can be killed.

/** Runs a part of this file in a process of its own; collects the lines it prints. */
function start(role, path, wrap = (command) => command) {
  const [program, ...args] = wrap([
    process.execPath,
    fileURLToPath(new URL("journal-program.mjs", import.meta.url)),
    role,
    path,
  ]);
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    lines.push(...parts);
  });
  const end = new Promise((resolve, reject) =>
    child.once("error", reject).once("close", (code, signal) => resolve({ code, signal, lines })),
  );
  return { child, lines, end };
}

/** Adds what a program has said of intents: a word and an id on each line. */
function tell(told, lines) {
  for (const line of lines) {
    const [word, id] = line.split(" ");
    told[word].add(id);
  }
}
/** The intents that are lost, or settled and still unresolved. */
const wrongIn = ({ begun, settling, settled }, pending) => [
  ...[...begun].filter((id) => !settling.has(id) && !pending.has(id)),
  ...[...settled].filter((id) => pending.has(id)),
];

test("a program that is killed at any moment loses no intent that it has begun", async () => {
  const path = fresh();
  const told = { begun: new Set(), settling: new Set(), settled: new Set() };
  for (let kill = 0; kill < 25; kill++) {
    const { child, lines, end } = start("work", path);
    // Measured by its work, not by time: a loaded machine may give it little.
    const enough = 3 + ((kill * 7) % 24);
    while (lines.length < enough && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill("SIGKILL");
    const { signal } = await end;
    assert.equal(signal, "SIGKILL");
    tell(told, lines);
    const pending = new Set(await pendingIn(path));
    assert.deepEqual(wrongIn(told, pending), []);
  }
  assert.ok(told.begun.size > 50 && told.settled.size > 10, "too little was done to prove anything");
});

test("a program that is killed while it shortens its journal loses nothing, and spends nothing twice", async () => {
  const path = fresh();
  const told = { begun: new Set(), settling: new Set(), settled: new Set(), landed: new Set() };
  for (let kill = 0; kill < KILLS; kill++) {
    // A fresh file is begun when the journal is opened, and each time that it is shortened.
    const watching = watch(folder);
    let left = 1 + (kill % 3);
    const begun = new Promise((resolve) =>
      watching.on(
        "change",
        (event, name) => event === "rename" && name === `${basename(path)}.fresh` && --left === 0 && resolve(),
      ),
    );
    const { child, lines, end } = start("swell", path);
    await Promise.race([begun, end]);
    watching.close();
    for (let turn = 0; turn < kill; turn++) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    assert.equal((await end).signal, "SIGKILL");
    tell(told, lines);
    await opened(path, async (journal) => {
      const pending = new Set(ids(await journal.pending()));
      assert.deepEqual(wrongIn(told, pending), []);
      const landed = ids(await journal.landed(0));
      assert.equal(await spentIn(journal, 0), BigInt(landed.length), "a lamport for each that landed");
      assert.ok([...told.landed].every((id) => landed.includes(id)));
    });
  }
  assert.ok(told.settled.size > 8 * KILLS, "too little was done to prove anything");
});

test("a journal longer than any text is opened, in little memory", async () => {
  const path = fresh();
  const lines = [];
  // Two million lines: one that was not sent may begin again.
  for (let n = 0; n < 1_000; n++) {
    lines.push(
      checked({ begin: intent(`${n}`, { body: JSON.stringify({ mint: "M".repeat(420) }) }) }),
      checked({ settle: `${n}`, outcome: "not_sent" }),
    );
  }
  const piece = `${lines.join("\n")}\n`;
  const handle = await open(path, "w");
  for (let n = 0; n < 1_000; n++) await handle.appendFile(piece);
  await handle.appendFile(`${checked({ begin: intent("left") })}\n`);
  await handle.close();
  assert.ok((await stat(path)).size > constants.MAX_STRING_LENGTH);
  const { lines: said } = await start("measure", path).end;
  const [pending, megabytes] = said[0].split(" ");
  assert.equal(pending, "left");
  assert.ok(Number(megabytes) < 400, `${megabytes} MB`);
  assert.ok((await stat(path)).size < 1_000);
});

for (const [end, landed] of Object.entries({ landed: true, lost: false })) {
  test(`killed while a sale was in flight that ${end}: the next run finds out, and says so`, async () => {
    const path = `${fresh()}.${end}`;
    const bot = start("sell", path);
    while (!bot.lines.length && bot.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    bot.child.kill("SIGKILL");
    const { now } = JSON.parse((await bot.end).lines[0]);
    // It names nothing, and so fits a sell.
    const fetch = fetchOf('{"result":{"transactionResult":{"success":true}}}');
    await opened(path, async (journal) => {
      const client = clientBy(fetch, { journal });
      const [intent] = await client.pending();
      assert.deepEqual([intent.intentId, intent.operation, intent.before.length], ["a", "sell", 1]);
      const again = client.sell(requests().sell, { intentId: "a" });
      assert.equal((await rejection(again)).code, "intent_unknown", "until it is acknowledged");
      const found = reconcile(intent, { now, canStillLand: false, walletsShared: false });
      assert.deepEqual(
        [found.certainty, found.landed],
        [landed ? "proven" : "likely", landed],
        "it may have brought exactly its fee",
      );
      assert.equal(await client.acknowledge("a", found.landed ? "landed" : "did_not_land"), true);
    });
    await opened(path, async (journal) => {
      const client = clientBy(fetch, { journal });
      assert.deepEqual(await client.pending(), []);
      const again = client.sell(requests().sell, { intentId: "a" });
      if (landed) assert.equal((await rejection(again)).code, "intent_landed");
      else assert.equal((await again).intentId, "a", "it may be sent again");
    });
  });
}

test("while one program has it open, no other gets it", async () => {
  const path = fresh();
  await opened(path, async (journal) => {
    await journal.pending();
    const { code, lines } = await start("list", path).end;
    assert.equal(code, 0);
    assert.match(
      lines[0],
      new RegExp(
        `^refused: the journal ${path} is in use by process ${process.pid} on this host: end that program first`,
      ),
    );
    await assert.rejects(pendingIn(path), /in use/, "nor does the same program twice");
  });
  assert.deepEqual((await start("list", path).end).lines, ["pending "]);
});

test("the lock of a program that is gone is taken over, by one of many", async () => {
  const path = fresh();
  for (const lock of [
    { pid: 2 ** 22 + 1, host: hostname(), token: "x" },
    // Its number has another process by now.
    { pid: process.pid, host: hostname(), start: "1", token: "x" },
  ]) {
    if (lock.start && process.platform !== "linux") continue;
    await writeFile(`${path}.lock`, JSON.stringify(lock));
    const programs = Array.from({ length: 6 }, () => start("hold", path));
    while (programs.some(({ lines, child }) => !lines.length && child.exitCode === null))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await writeFile(`${path}.enough`, "");
    const results = await Promise.all(programs.map(({ end }) => end));
    await rm(`${path}.enough`);
    const held = results.filter(({ lines }) => lines.includes("held"));
    const refused = results.filter(({ lines }) => lines[0]?.startsWith("refused"));
    assert.deepEqual([held.length, refused.length], [1, 5], JSON.stringify(results.map(({ lines }) => lines)));
  }
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: "another-machine", token: "x" }));
  const command = `once that program has ended, run "npx launchpad-desk doctor ${path}", or delete ${path}.lock`;
  await assert.rejects(pendingIn(path), {
    message: `the journal ${path} is in use by process 1 on the host another-machine, which cannot be checked from here: ${command}`,
  });
  await writeFile(`${path}.lock`, "something else");
  await assert.rejects(pendingIn(path), {
    message: `${path}.lock is not a lock of the journal ${path}: delete it if no other program uses it`,
  });
  await rm(`${path}.lock`);
});

test("the lock of a zombie is taken over", { skip: process.platform !== "linux" }, async () => {
  const path = fresh();
  // A process that becomes `sleep` never collects its child's status.
  const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
    const stat = async () => (await readFile(`/proc/${pid}/stat`, "latin1")).split(") ")[1].split(" ");
    while ((await stat())[0] !== "Z") await new Promise((resolve) => setTimeout(resolve, 5));
    await writeFile(`${path}.lock`, JSON.stringify({ pid, host: hostname(), start: (await stat())[19], token: "x" }));
    assert.deepEqual(await pendingIn(path), []);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("a program that ends without closing its journal leaves no lock", async () => {
  for (const ending of ["exit", "throw", "list"]) {
    const path = fresh();
    await start(ending, path).end;
    assert.ok(!existsSync(`${path}.lock`), ending);
  }
});

test("a journal that was taken over begins nothing more", async () => {
  const path = fresh();
  const journal = fileJournal(path);
  await journal.begin(intent("a"));
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: "another-machine", token: "x" }));
  await assert.rejects(journal.begin(intent("b")), /another process has taken over the journal/);
  await assert.rejects(journal.begin(intent("c")), /taken over the journal/);
  await rm(`${path}.lock`);
  await journal.close();
  assert.deepEqual(await pendingIn(path), ["a"]);
});

const onLinux = { skip: process.platform !== "linux" };

test("what cannot be written is not begun, and once there is room it goes on and knows all", onLinux, async () => {
  const path = fresh();
  // The file may grow to a kilobyte, and no further until the program asks for more.
  const { lines } = await start("fill", path, (command) => [
    "sh",
    "-c",
    'trap "" XFSZ; ulimit -S -f 2; exec "$@"',
    "sh",
    ...command,
  ]).end;
  const begun = lines.filter((line) => line.startsWith("begun ")).map((line) => line.slice("begun ".length));
  const refused = lines.filter((line) => line.startsWith("refused: EFBIG"));
  assert.deepEqual(
    [begun[0], begun.at(-1), refused.length, lines.length],
    ["0", "later", 1, begun.length + 1],
    `${lines}`,
  );
  assert.deepEqual(await pendingIn(path), begun.slice(1));
});

const trade = (path) => clientBy(fetchOf(LANDED), { journal: fileJournal(path) });

/** What else may happen to a journal while a program has it open, and what the program says of it. */
const MISHAPS = {
  "renamed, as by a rotation of logs": [
    (path) => fs.rename(path, `${path}.1`),
    /is not where it was: it was renamed, moved or deleted while this program had it open/,
  ],
  deleted: [(path) => rm(path), /is not where it was/],
  "replaced, as by a restore": [
    async (path) => (await fs.copyFile(path, `${path}.copy`), await fs.rename(`${path}.copy`, path)),
    /is another file now/,
  ],
  "renamed, and begun anew": [
    async (path) => (await fs.rename(path, `${path}.1`), await writeFile(path, "")),
    /is another file now/,
  ],
  "linked a second time": [
    (path) => fs.link(path, `${path}.other`),
    /has 2 names \(hard links\), and programs that use different ones would not see each other: remove the others/,
  ],
  "cut, as by copytruncate": [(path) => truncate(path, 0), /was changed by another program while this one had it open/],
  "written by another program": [(path) => appendFile(path, "\n"), /was changed by another program/],
};

for (const [how, [mishap, says]] of Object.entries(MISHAPS)) {
  test(`a journal that was ${how} while it was open begins nothing more`, notOnWindows, async () => {
    const path = fresh();
    const journal = fileJournal(path);
    await journal.begin(intent("before"));
    await mishap(path);
    await assert.rejects(journal.begin(intent("after")), says);
    await assert.rejects(journal.begin(intent("later")), says);
    await journal.close().catch(() => {});
  });
}

test(
  "a folder that was renamed takes its journal along, and the program that has it begins nothing more",
  notOnWindows,
  async () => {
    const at = join(folder, "desk");
    await fs.mkdir(at);
    const journal = fileJournal(join(at, "trades.journal"));
    await journal.begin(intent("before"));
    await fs.rename(at, `${at}-moved`);
    const moved = fileJournal(join(`${at}-moved`, "trades.journal"));
    await assert.rejects(moved.begin(intent("other")), /is in use by process/);
    await assert.rejects(journal.begin(intent("after")), /is not where it was/);
  },
);

test("an error says why the journal could not record: which file, and which process has it", async () => {
  const path = fresh();
  await opened(path, async () => {
    const holder = fileJournal(path);
    await holder.pending();
    try {
      for (const [file, why] of [
        [path, `the journal ${path} is in use by process ${process.pid} on this host: end that program first`],
        [join(folder, "nowhere", "trades.journal"), "ENOENT: no such file or directory"],
        [join(path, "trades.journal"), "ENOTDIR: not a directory"],
      ]) {
        const client = trade(file);
        for (const failed of [client.buy(requests().buy), client.pending(), client.plan("buy", requests().buy)]) {
          const { code, outcome, message, stack } = await rejection(failed);
          assert.deepEqual(
            [code, outcome, message.includes(why), message.includes(file)],
            ["journal_failed", "not_sent", true, true],
            message,
          );
          assert.match(message, /^not sent: the journal could not record it \(/);
          assert.ok(stack.includes(message));
        }
      }
    } finally {
      await holder.close();
    }
  });
});

test("a journal with two names is not opened, and nothing is sent", notOnWindows, async () => {
  const path = fresh();
  await opened(path, (journal) => journal.begin(intent("a")));
  await fs.link(path, `${path}.other`);
  for (const name of [path, `${path}.other`]) {
    await assert.rejects(fileJournal(name).begin(intent("b")), /has 2 names \(hard links\)/);
    assert.equal((await rejection(trade(name).buy(requests().buy))).code, "journal_failed");
  }
  await rm(`${path}.other`);
  assert.deepEqual(await opened(path, async (journal) => ids(await journal.pending())), ["a"]);
});
