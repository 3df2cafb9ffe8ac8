// `keepState`: a sandbox's log after every kind of crash, and that nothing is lost silently.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs, { copyFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { keepState, serve } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";
import { ADA, MINT, requests } from "./service.mjs";
import { standsIn, warningsOf } from "./stands.mjs";

const folder = await mkdtemp(join(tmpdir(), "state-"));
after(() => rm(folder, { recursive: true }));

/** Long enough that a log grows soon. */
const LARGE = "ü".repeat(100_000);

let files = 0;
const fresh = () => join(folder, `${++files}.log`);
const CONFIG = { maxCalls: 50, market: { alive: true, seed: 7 } };

/** Keeps the state of a sandbox in a file for a while. */
async function kept(path, sandbox, work) {
  const state = await keepState(sandbox, path);
  try {
    return await work(sandbox);
  } finally {
    await state.close();
  }
}
const snapshotIn = (path, config) => kept(path, new Sandbox(config), (sandbox) => sandbox.snapshot());

const warnings = warningsOf;
const standIn = (stands, work) => standsIn(fs, stands, work);
/** Only the file's content is tested, so the disk is not awaited. */
const unsynced = { fsyncSync: () => () => {}, fdatasyncSync: () => () => {} };
const NO_ROOM = "ENOSPC: no space left on device, write";
const fail = (code = "ENOSPC", message = NO_ROOM) => {
  throw Object.assign(new Error(message), { code });
};
const failing = (code, message) => () => () => fail(code, message);
const post = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const BUY = post(requests().buy);
/** A buy, which may fail if the market moves meanwhile. */
const buy = (sandbox) => sandbox.fetch("http://sandbox/v1/trade/buy", BUY);

test("a sandbox goes on where it ended, byte for byte", async () => {
  const path = fresh();
  const model = new Sandbox(CONFIG);
  const moves = [
    async (sandbox) => (sandbox.useClock(() => 1_700_000_000_000), await buy(sandbox)),
    async (sandbox) =>
      new TradeClient({ fetch: sandbox.fetch })
        .sellByPercentage({ mint: sandbox.tokens[0].mint, fromWallet: ADA, percentage: 50 })
        .catch(() => {}),
    (sandbox) => sandbox.fund('ève-"\\-🐇', 9_007_199_254_740_993n, 'a label: ü, 🐇, " and \\ and \u2028'),
    (sandbox) => sandbox.advance(60_000),
    (sandbox) => sandbox.launch({ mint: "NEW", soldBps: 2_500 }),
    (sandbox) => sandbox.setFaults({ script: [{ kind: "noAnswer" }] }),
    (sandbox) => sandbox.advance(30_000),
    (sandbox) => sandbox.reset(),
    (sandbox) => sandbox.advance(5_000),
  ];
  for (const move of moves) {
    await move(model);
    await kept(path, new Sandbox(CONFIG), (sandbox) => move((sandbox.useClock(() => 1_700_000_000_000), sandbox)));
    assert.equal(await snapshotIn(path, CONFIG), model.snapshot());
  }
  // And all of them in one run.
  const whole = fresh();
  const again = new Sandbox(CONFIG);
  await kept(whole, again, async () => {
    for (const move of moves) await move(again);
  });
  assert.equal(again.snapshot(), model.snapshot());
  assert.equal(await snapshotIn(whole, CONFIG), model.snapshot());
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.endsWith(".log")),
    [],
    "neither a lock nor a fresh file is left",
  );
});

test("a new file begins with what the sandbox has, and a link is followed", async () => {
  const path = fresh();
  await symlink(path, `${path}.link.log`);
  const sandbox = new Sandbox();
  sandbox.fund("eve", 1n);
  const before = sandbox.snapshot();
  await kept(`${path}.link.log`, sandbox, () => {});
  assert.equal(await snapshotIn(path), before);
});

/** A log of a few calls: its bytes, where each line ends, and the state after each. */
async function sample(path) {
  const states = [];
  const [, ends] = await kept(path, new Sandbox(), (sandbox) => {
    const ends = [readFileSync(path).length];
    states.push(sandbox.snapshot());
    for (const label of ["ü", "🐇 and more", "z"]) {
      sandbox.fund("eve", 1n, label);
      ends.push(readFileSync(path).length);
      states.push(sandbox.snapshot());
    }
    return [sandbox, ends];
  });
  return { bytes: await readFile(path), ends, states };
}

test("a last line torn at any byte is dropped with a warning", async () => {
  const { bytes, ends, states } = await sample(fresh());
  const path = fresh();
  const said = await warnings("StateWarning", () =>
    standIn(unsynced, async () => {
      for (let length = ends[0]; length < bytes.length; length++) {
        // What a power cut leaves: a part of the line, and perhaps zeros in place of the rest.
        for (const zeros of length % 5 ? [0] : [0, 7]) {
          await writeFile(path, Buffer.concat([bytes.subarray(0, length), Buffer.alloc(zeros)]));
          // Only its line end is missing: the call is whole.
          const whole = ends.findLastIndex((end) => end - 1 <= length);
          assert.equal(await snapshotIn(path), states[whole], `cut at ${length}`);
        }
      }
    }),
  );
  assert.ok(said.length > bytes.length - ends[0]);
  assert.equal(
    said[0],
    `the last line of the log ${path}, line 2, was torn and is dropped: its call was never answered`,
  );
  // The first line came with its file: it is never torn.
  for (let length = 0; length < ends[0] - 1; length += 97) {
    await writeFile(path, bytes.subarray(0, length));
    await assert.rejects(
      snapshotIn(path),
      length ? /is not the log of a sandbox, or its first line is damaged/ : /is empty, and not the log of a sandbox/,
    );
    assert.equal((await readFile(path)).length, length, "left as it was");
  }
});

test("damage anywhere else is an error, and changes neither file nor sandbox", async () => {
  const { bytes, ends } = await sample(fresh());
  const path = fresh();
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  const refused = async (damaged, message, what) => {
    await writeFile(path, damaged);
    await assert.rejects(keepState(sandbox, path), message, what);
    assert.deepEqual(
      [sandbox.snapshot() === before, (await readFile(path)).equals(damaged), existsSync(`${path}.lock`)],
      [true, true, false],
      what,
    );
  };
  for (let at = 0; at < bytes.length; at += at < ends[0] ? 89 : 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = at % 3 ? damaged[at] ^ (1 << (at % 8)) : 10;
    if (damaged.equals(bytes)) continue;
    await refused(
      damaged,
      at < ends[0] - 1
        ? /is not the log of a sandbox, or its first line is damaged/
        : /(line \d of the log .* is damaged, or one before it is missing: use an earlier copy, or another file|or its first line is damaged)$/,
      `at ${at}`,
    );
  }
  const lines = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  for (const order of [
    [0, 2, 3],
    [0, 1, 3],
    [0, 2, 1, 3],
    [0, 1, 1, 2, 3],
    [0, 1, 2, 0],
    [1, 2, 3],
  ]) {
    await refused(Buffer.concat(order.map((index) => lines[index])), /damaged/, `lines ${order}`);
  }
});

test("what is no log, of another configuration or of another version is refused with words", async () => {
  const path = fresh();
  await kept(path, new Sandbox(), (sandbox) => sandbox.fund("eve", 1n));
  const log = await readFile(path);
  const others = [
    [{ wallets: [{ wallet: "eve", lamports: 1n }] }, "wallets, tokens"],
    [{ tokens: [{ mint: MINT }] }, "wallets, tokens"],
    [{ market: { seed: 18_446_744_073_709_551_615n } }, "market.seed"],
    [{ market: { alive: true } }, "wallets, tokens, market.alive"],
    [
      { launchpad: { feeTiers: [{ marketCapThresholdLamports: 0, protocolBps: 94, creatorBps: 30 }] } },
      "launchpad.feeTiers",
    ],
    [
      { launchpad: { rentLamportsPerByte: 6_960 }, slippageUnit: "bps", defaultSlippage: 5 },
      "slippageUnit, defaultSlippage, launchpad.rentLamportsPerByte",
    ],
    [{ market: { replay: [{ atMs: 0, mint: MINT, side: "buy", lamports: 5n }] } }, "market.replay"],
  ];
  for (const [config, differing] of others) {
    await assert.rejects(keepState(new Sandbox(config), path), {
      message: `the log ${path} is of a sandbox with other settings (${differing}): use those, or another file`,
    });
  }
  assert.deepEqual(await readFile(path), log);
  // Settings that only say how it is served may change.
  await kept(
    path,
    new Sandbox({
      apiKey: "k-secret",
      control: true,
      corsOrigin: "*",
      rateLimit: { requests: 5, perMs: 5 },
      faults: { script: [{ kind: "noAnswer" }] },
      maxTrades: 5,
    }),
    () => {},
  );
  assert.ok(!(await readFile(path, "utf8")).includes("k-secret"));
  for (const [member, value] of Object.entries({ format: 99, settings: { version: "99" } })) {
    const says = JSON.parse(log.toString().split("\n")[0]);
    says.log[member] = value;
    const members = `"log":${JSON.stringify(says.log)},"rows":${JSON.stringify(says.rows)}}`;
    await writeFile(
      path,
      `{"bytes":${Buffer.byteLength(members)},"sum":"${createHash("sha256").update(members).digest("hex").slice(0, 16)}",${members}\n`,
    );
    await assert.rejects(
      keepState(new Sandbox(), path),
      /was written by another version of this package: use that version, or another file$/,
    );
  }
  for (const foreign of ["secret", "a\nb\n", '{"mint":"M"}\n', "\0\0\0"]) {
    await writeFile(path, foreign);
    await assert.rejects(keepState(new Sandbox(), path), /is not the log of a sandbox/);
    assert.equal(await readFile(path, "utf8"), foreign);
  }
  await assert.rejects(keepState(undefined, path), new TypeError("keepState takes a sandbox"));
  await assert.rejects(keepState(new Sandbox(), ""), new TypeError("keepState takes the path of a file"));
  await assert.rejects(keepState(new Sandbox(), join(folder, "none", "state.log")), /ENOENT/);
  await mkdir(join(folder, "a-folder"));
  await assert.rejects(keepState(new Sandbox(), join(folder, "a-folder")));
});

test("a sandbox that cannot be kept has the store that it had", async () => {
  const path = fresh();
  await writeFile(path, "no log");
  const sandbox = new Sandbox();
  const stored = [];
  sandbox.onChanges((changes) => stored.push(...changes));
  await assert.rejects(keepState(sandbox, path), /is not the log of a sandbox/);
  sandbox.fund("eve", 1n);
  await standIn({ fsyncSync: failing() }, () =>
    assert.rejects(keepState(sandbox, fresh()), /the log .* cannot be kept: ENOSPC: no space left on device, write$/),
  );
  sandbox.fund("eve", 1n);
  assert.deepEqual(stored.map(({ key }) => key).filter((key) => key.includes("eve")).length, 2);
});

test("one has it at a time, and nothing moves once it is closed or taken over", async () => {
  const path = fresh();
  const sandbox = new Sandbox();
  const state = await keepState(sandbox, path);
  await assert.rejects(
    keepState(new Sandbox(), path),
    /^Error: the log .* is in use by process \d+ on this host: end that program first/,
  );
  sandbox.fund("eve", 1n);
  const before = sandbox.snapshot();
  const lock = await readFile(`${path}.lock`);
  await rm(`${path}.lock`);
  assert.throws(() => sandbox.fund("eve", 1n), /another process has taken .* over/);
  await writeFile(`${path}.lock`, lock);
  await state.close();
  await state.close();
  assert.throws(() => sandbox.fund("eve", 1n), /nothing is stored in .* any more: it was closed/);
  assert.equal(sandbox.snapshot(), before);
  assert.equal(await snapshotIn(path), before);
});

test("on a full disk a trade is refused before anything counts, and the next one is kept once there is room", async () => {
  const path = fresh();
  /** Writes a few of the given bytes, and then nothing. */
  const inPart = (real) => {
    let calls = 0;
    return (fd, bytes, from, length, at) => (calls++ ? fail() : real(fd, bytes, from, Math.min(length, 40), at));
  };
  const ways = { "in the middle of a line": { writeSync: inPart }, "at its beginning": { writeSync: failing() } };
  const sandbox = new Sandbox();
  const end = await kept(path, sandbox, async () => {
    const { url, close } = await serve(sandbox);
    for (const [way, stands] of Object.entries(ways)) {
      await buy(sandbox);
      const [before, log] = [sandbox.snapshot(), readFileSync(path)];
      await standIn(stands, async () => {
        await assert.rejects(
          sandbox.fetch(`${url}/v1/trade/buy`, BUY),
          { message: `it could not be stored in ${path}: ${NO_ROOM}` },
          way,
        );
      });
      assert.ok(sandbox.snapshot() === before && readFileSync(path).equals(log), way);
    }
    await standIn({ writeSync: failing() }, async () => {
      const reply = await fetch(`${url}/v1/trade/buy`, BUY);
      assert.deepEqual(
        [reply.status, (await reply.json()).detail],
        [500, `nothing was executed: it could not be stored in ${path}: ${NO_ROOM}`],
      );
    });
    const [before, log] = [sandbox.snapshot(), readFileSync(path)];
    let calls = 0;
    await standIn({ fdatasyncSync: (real) => (fd) => (calls++ ? real(fd) : fail()) }, () =>
      assert.throws(() => sandbox.fund("eve", 1n), { message: `it could not be stored in ${path}: ${NO_ROOM}` }),
    );
    assert.ok(sandbox.snapshot() === before && readFileSync(path).equals(log));
    await buy(sandbox);
    await close();
    return sandbox.snapshot();
  });
  assert.equal(await snapshotIn(path), end);
  assert.equal(sandbox.account.level, 3);
});

test("a folder, and a disk without room for the lock, are named", async () => {
  await assert.rejects(keepState(new Sandbox(), folder), { message: `${folder} is a folder: name a file in it` });
  const path = fresh();
  await standsIn(fs.promises, { writeFile: () => async () => fail() }, () =>
    assert.rejects(keepState(new Sandbox(), path), { message: `the log ${path} cannot be kept: ${NO_ROOM}` }),
  );
  assert.ok(!existsSync(path) && !existsSync(`${folder}.lock`));
});

/** Syncs of requests, each of which ends when `release` is called. */
function heldSyncs() {
  const waiting = [];
  return {
    waiting,
    stands: { fdatasync: () => (fd, done) => void waiting.push(done) },
    release: (error = null) => waiting.shift()(error),
  };
}
const settled = async (promise) =>
  await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise((resolve) => setImmediate(() => setImmediate(resolve, false))),
  ]);

test("requests that come while the disk is busy share the next sync, and each is answered only then", async () => {
  const path = fresh();
  const sandbox = new Sandbox({ control: true });
  await kept(path, sandbox, async () => {
    const { waiting, stands, release } = heldSyncs();
    await standIn(stands, async () => {
      const first = buy(sandbox);
      while (!waiting.length) await new Promise(setImmediate);
      const more = Array.from({ length: 20 }, () => buy(sandbox));
      const look = sandbox.fetch("http://sandbox/_sandbox/state");
      while (sandbox.trades.length < 21) await new Promise(setImmediate);
      assert.equal(readFileSync(path, "utf8").trim().split("\n").length, 22, "all are written");
      assert.deepEqual(
        await Promise.all([first, ...more, look].map(settled)),
        Array(22).fill(false),
        "none is answered, and none is seen",
      );
      release();
      assert.equal((await first).status, 200);
      while (!waiting.length) await new Promise(setImmediate);
      assert.deepEqual(await Promise.all(more.map(settled)), Array(20).fill(false));
      assert.equal(waiting.length, 1, "one sync for all of them");
      // A change in code waits for the disk itself.
      sandbox.fund("eve", 1n);
      release();
      assert.deepEqual(
        (await Promise.all(more)).map(({ status }) => status),
        Array(20).fill(200),
      );
      assert.equal((await look).status, 200);
    });
  });
  assert.equal(await snapshotIn(path, { control: true }), sandbox.snapshot());
});

test("where a sync of requests fails, they all fail, and nothing more is stored or seen", async () => {
  const path = fresh();
  const sandbox = new Sandbox({ control: true });
  const broken = "EIO: i/o error, fdatasync";
  await kept(path, sandbox, async () => {
    const { url, close } = await serve(sandbox);
    const { waiting, stands, release } = heldSyncs();
    await standIn(stands, async () => {
      const asked = [buy(sandbox), buy(sandbox)];
      const served = fetch(`${url}/v1/trade/buy`, BUY);
      while (sandbox.trades.length < 3) await new Promise(setImmediate);
      release(Object.assign(new Error(broken), { code: "EIO" }));
      for (const one of asked) await assert.rejects(one, { message: `it may not be stored in ${path}: ${broken}` });
      const reply = await served;
      assert.deepEqual(
        [reply.status, (await reply.json()).detail],
        [500, `it was executed, but may be lost: it may not be stored in ${path}: ${broken}`],
      );
      assert.equal(waiting.length, 0);
    });
    await assert.rejects(buy(sandbox), { message: `nothing is stored in ${path} any more: ${broken}` });
    await assert.rejects(sandbox.fetch("http://sandbox/_sandbox/state"), {
      message: `it may not be stored in ${path}: ${broken}`,
    });
    await close();
  });
});

test("a log grows and is shortened under requests, too", async () => {
  const path = fresh();
  const sandbox = new Sandbox({ control: true });
  let most = 0;
  const end = await kept(path, sandbox, async () => {
    const fund = (n) =>
      sandbox.fetch("http://sandbox/_sandbox/wallets", post({ wallet: "eve", lamports: 1, label: `${LARGE}${n}` }));
    for (let n = 0; n < 10; n++) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => fund(n)));
      assert.ok(replies.every(({ status }) => status === 200));
      most = Math.max(most, readFileSync(path).length);
    }
    assert.ok(most < 4_000_000, `${most} bytes`);
    return sandbox.snapshot();
  });
  assert.equal(await snapshotIn(path, { control: true }), end);
});

test("a state of many rows is stored and read in pieces", async () => {
  const path = fresh();
  const config = { maxTrades: 5_000, wallets: [{ wallet: "ada", lamports: 10n ** 15n }], tokens: [{ mint: "M" }] };
  const sandbox = new Sandbox(config);
  const small = post({ mint: "M", fromWallet: "ada", amountInLamports: 10_000 });
  for (let n = 0; n < 2_500; n++) await sandbox.fetch("http://sandbox/v1/trade/buy", small);
  assert.ok(sandbox.rows().length > 2_500);
  await kept(path, sandbox, () => {});
  const lines = readFileSync(path, "utf8").trim().split("\n");
  assert.equal(lines.length, 6);
  assert.equal(await snapshotIn(path, config), sandbox.snapshot());
  // A line of the snapshot that is missing is damage, as everywhere.
  await writeFile(path, [lines[0], lines[2], ""].join("\n"));
  await assert.rejects(snapshotIn(path, config), /line 2 of the log .* is damaged/);
  const again = new Sandbox(config);
  again.apply(sandbox.rows());
  assert.equal(again.snapshot(), sandbox.snapshot());
});

test("where a line cannot even be taken back, nothing more is stored until it is opened again", async () => {
  const path = fresh();
  const before = await kept(path, new Sandbox(), async (sandbox) => {
    sandbox.fund("eve", 1n);
    const before = sandbox.snapshot();
    const inPart = (real) => (fd, bytes, from, length, at) => (
      real(fd, bytes, from, 20, at),
      fail("EIO", "EIO: i/o error")
    );
    await standIn({ writeSync: inPart, ftruncateSync: failing("EIO", "EIO: i/o error") }, () =>
      assert.throws(() => sandbox.fund("eve", 1n), /it could not be stored in/),
    );
    assert.throws(() => sandbox.fund("eve", 1n), /nothing is stored in .* any more: EIO: i\/o error/);
    assert.equal(sandbox.snapshot(), before);
    return before;
  });
  assert.equal((await warnings("StateWarning", async () => assert.equal(await snapshotIn(path), before))).length, 1);
});

test("without room for the first snapshot, it is not opened, and sandbox and file are as they were", async () => {
  const path = fresh();
  await kept(path, new Sandbox(), (sandbox) => sandbox.fund("eve", 1n));
  const log = await readFile(path);
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  for (const stands of [{ writeSync: failing() }, { fsyncSync: failing() }, { renameSync: failing() }]) {
    await standIn(stands, () =>
      assert.rejects(keepState(sandbox, path), { message: `the log ${path} cannot be kept: ${NO_ROOM}` }),
    );
    assert.equal(sandbox.snapshot(), before);
    assert.ok((await readFile(path)).equals(log));
    assert.ok(!existsSync(`${path}.fresh`) && !existsSync(`${path}.lock`));
  }
  sandbox.fund("bob", 1n); // its store is gone
});

test("a log that grows is shortened, and one that cannot be grows on", async () => {
  const path = fresh();
  const sandbox = new Sandbox();
  let most = 0;
  await kept(path, sandbox, async () => {
    for (let n = 0; n < 25; n++) {
      sandbox.fund("eve", 1n, `${LARGE}${n}`);
      most = Math.max(most, readFileSync(path).length);
    }
    assert.ok(most < 3_000_000, `${most} bytes`);
    // A file is replaced only as a whole.
    for (const stands of [
      { renameSync: failing("EPERM", "EPERM: operation not permitted") },
      { fsyncSync: failing() },
      {
        rmSync: (real) => real,
        openSync:
          (real) =>
          (file, ...rest) =>
            String(file).endsWith(".fresh") ? fail() : real(file, ...rest),
      },
    ]) {
      const said = await warnings("StateWarning", () =>
        standIn(stands, () => {
          for (let n = 0; n < 12; n++) sandbox.fund("eve", 1n, LARGE);
        }),
      );
      assert.equal(said.length, 1);
      assert.match(said[0], /^the log .* could not be shortened and keeps growing: /);
      assert.ok(!existsSync(`${path}.fresh`));
      await writeFile(`${path}.copy.log`, readFileSync(path));
      assert.equal(await snapshotIn(`${path}.copy.log`), sandbox.snapshot());
      for (let n = 0; n < 30; n++) sandbox.fund("eve", 1n, LARGE);
      assert.ok(readFileSync(path).length < 3_000_000);
    }
  });
  assert.equal(await snapshotIn(path), sandbox.snapshot());
});

test("stopped between any two steps of the file system, it comes back before or after the call", async () => {
  const path = fresh();
  const copy = fresh();
  const sandbox = new Sandbox();
  const stops = [];
  let around = [];
  /** After each step, the state that a kill would leave is copied. */
  const putAside =
    (real) =>
    (...given) => {
      const done = real(...given);
      if (existsSync(path)) {
        const file = `${copy}.${stops.length}.log`;
        copyFileSync(path, file);
        stops.push({ file, around });
      }
      return done;
    };
  const inTwo = (real) =>
    putAside((fd, bytes, from, length, at) => real(fd, bytes, from, length > 50_000 ? length >> 1 : length, at));
  const steps = {
    writeSync: inTwo,
    fdatasyncSync: putAside,
    fsyncSync: putAside,
    renameSync: putAside,
    openSync: putAside,
    closeSync: putAside,
  };
  await kept(path, sandbox, () =>
    standIn(steps, () => {
      for (let n = 0; n < 9; n++) {
        around = [sandbox.snapshot()];
        sandbox.fund("eve", 1n, `${LARGE}${n}`);
        around.push(sandbox.snapshot());
      }
    }),
  );
  assert.ok(stops.length > 50, `${stops.length} steps`);
  const seen = new Set();
  await warnings("StateWarning", async () => {
    for (const { file, around } of stops) {
      const which = around.indexOf(await snapshotIn(file));
      assert.ok(which >= 0, file);
      seen.add(which);
      await rm(file);
    }
  });
  assert.deepEqual([...seen].sort(), [0, 1]);
});
