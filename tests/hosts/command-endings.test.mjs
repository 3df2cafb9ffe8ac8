// How commands of the packed tarball end when something stops them: a person, Ctrl-C, a full disk, another program; and that what they
// say is true.

import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFile, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { installAsStranger } from "../package/stranger.mjs";
import { ADA, RABBIT, SEND, commandsIn, end, limits, serviceWithNode, serving } from "./command.mjs";
import { TOKEN_ACCOUNT_RENT } from "../rents.mjs";

const { folder: cwd } = await installAsStranger();
const { THIS, RUNTIMES, home } = commandsIn(cwd);
/** At how many KiB of a file the disk is full. Each other runtime tries three of them. */
const FULL_AT = { "the oldest Node": [0, 2, 6, 10, 14, 18, 22, 26] };

/** A service with this answer to each trade; it counts them. */
async function service(t, answer) {
  const seen = { trades: 0, keys: new Set() };
  const { url } = await serving((request, response) => {
    if (request.method === "POST") (seen.keys.add(request.headers["idempotency-key"]), seen.trades++);
    answer(response, request);
  }, t);
  return { url, seen };
}

const live = (url, ...more) => [
  'profile = "live"',
  "[profiles.live]",
  `baseURL = "${url}"`,
  ...limits("3_000_000", "3_000_000", 5),
  ...more,
];
const BUY = ["buy", "--mint", RABBIT, "--from-wallet", ADA, "--lamports", "900", "--intent-id", "signal-1"];

/** Runs it where no file may grow past so many KiB. The signal that would end the program is ignored, so that writing fails, as on a full disk. */
const onFullDisk = (blocks, runtime, env, ...args) => {
  const words = [...runtime, ...args].map((word) => `'${word}'`).join(" ");
  return end("bash", ["-c", `trap '' XFSZ; ulimit -f ${blocks}; ${words}`], { cwd, env });
};

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  /** A test of what is the same code in each runtime, on the same file system, terminal and network. */
  const inOldest = name === "the oldest Node" ? test : () => {};

  inOldest(
    `${name}: a trade that waits at a gateway for a person is exit code 5, stays pending, and is settled once that person has decided`,
    async (t) => {
      let approved = false;
      const body = JSON.stringify({
        message: "ok",
        result: { buyAmount: 5, preTokenBalance: 0, postTokenBalance: 5, transactionResult: { success: true } },
      });
      const gateway = await service(t, (response, { method }) =>
        method === "GET"
          ? response.writeHead(200, { "intent-state": approved ? "ended" : "awaiting_approval" }).end("{}")
          : approved
            ? response.writeHead(200, { "content-type": "application/json", "intent-state": "ended" }).end(body)
            : response
                .writeHead(202, { "content-type": "application/json", "intent-state": "awaiting_approval" })
                .end('{"detail":"a person decides"}'),
      );
      const { json, run } = await home(runtime, ...live(gateway.url, "gateway = true", 'apiKeyEnv = "DESK_TEST_KEY"'));
      const waits = await json(...BUY, ...SEND);
      assert.deepEqual([waits.exitCode, waits.outcome, waits.error.code], [5, "unknown", "awaiting_approval"]);
      assert.match(waits.next, /A person decides at the gateway/);
      assert.deepEqual(
        (await json("pending")).intents.map(({ intentId }) => intentId),
        ["signal-1"],
      );
      assert.equal(gateway.seen.trades, 1);
      const early = await json("settle");
      assert.deepEqual(
        [early.exitCode, early.settled[0].outcome, early.settled[0].reason, gateway.seen.trades],
        [4, "unknown", "awaiting_approval", 1],
      );
      const verified = await run("verify");
      assert.deepEqual([verified.code, /signal-1: buy unknown/.test(verified.out)], [0, true], verified.out);
      approved = true;
      const { settled } = await json("settle");
      assert.deepEqual(
        settled.map(({ intentId, outcome }) => [intentId, outcome]),
        [["signal-1", "landed"]],
      );
      assert.deepEqual((await json("pending")).intents, []);
      assert.deepEqual([gateway.seen.keys, gateway.seen.trades], [new Set(["signal-1"]), 2]);
      assert.equal((await run("verify")).code, 0);
    },
  );

  test(`${name}: in a terminal only yes sends, and Ctrl-C at the question sends nothing`, async () => {
    const at = await home(runtime);
    for (const [typed, code, said] of [
      ["no\n", 1, /Nothing was sent/],
      ["\u0003", 1, /Nothing was sent/],
      ["yes\n", 0, /Buy landed \(simulated\)/],
    ]) {
      const asked = await at.inTerminal(["buy", "--sol", "0.1", "--send"], typed);
      assert.deepEqual([asked.code, said.test(asked.out)], [code, true], asked.out);
    }
    assert.equal(
      (await at.json("position")).positions[0].lamports,
      String(99_900_000_000n - 5_000n - TOKEN_ACCOUNT_RENT),
      "one buy was made",
    );
    assert.deepEqual((await at.json("pending")).intents, []);
  });

  test(`${name}: Ctrl-C before anything is sent leaves nothing behind; in flight it is unknown, cannot be sent again, and is settled`, async (t) => {
    const silent = await service(t, () => {});
    const slowKey = await home(
      runtime,
      ...live(
        silent.url,
        `apiKeyCommand = ["${process.execPath}", "-e", "require('node:fs').writeFileSync(process.env.LAUNCHPAD_DESK_HOME + '/asked', ''); setTimeout(() => {}, 60000)"]`,
      ),
    );
    const early = slowKey.start(...BUY, ...SEND);
    while (!(await readdir(slowKey.folder)).includes("asked")) await new Promise((resolve) => setTimeout(resolve, 20));
    early.child.kill("SIGINT");
    const [code, signal] = await early.closed;
    assert.ok(code !== 0 && (code === 1 || code === 130 || signal === "SIGINT"), `${code} ${signal}`);
    assert.equal(silent.seen.trades, 0);

    let [trades, arrive] = [0];
    const arrived = new Promise((resolve) => (arrive = resolve));
    const made = await serviceWithNode({ onTrade: () => (trades++, arrive()), ends: t });
    const { json, start } = await home(
      runtime,
      ...live(
        made.url,
        'apiKeyEnv = "DESK_TEST_KEY"',
        `rpc = "${made.url}/rpc"`,
        'market = { commitment = "processed", walletsShared = false, serviceHoldsMs = 1000 }',
      ),
    );
    const sent = start(...BUY, ...SEND, "--json");
    const [printed] = [once(sent.lines, "line"), await arrived];
    sent.child.kill("SIGINT");
    assert.equal((await sent.closed)[0], 4);
    const { outcome, error, next } = JSON.parse(await printed);
    assert.deepEqual([outcome, error.code, /Never send it again/.test(next)], ["unknown", "aborted", true]);
    assert.deepEqual(
      (await json("pending")).intents.map(({ intentId }) => intentId),
      ["signal-1"],
    );
    assert.equal((await json(...BUY, ...SEND)).exitCode, 1, "the same id is not sent again");
    assert.equal(trades, 1);
    made.finalize();
    const { settled } = await json("settle");
    assert.deepEqual(
      settled.map(({ intentId, outcome }) => [intentId, outcome]),
      [["signal-1", "landed"]],
    );
    assert.deepEqual((await json("pending")).intents, []);
  });

  test(`${name}: two at once do not trade on the same files`, async () => {
    const { json, run } = await home(runtime);
    await json("position");
    const results = await Promise.all(Array.from({ length: 4 }, () => run("buy", "--sol", "0.1", ...SEND)));
    const landed = results.filter(({ code }) => code === 0).length;
    assert.ok(landed >= 1);
    for (const { code, err } of results.filter(({ code }) => code !== 0)) {
      assert.equal(code, 1);
      assert.match(err, /in use by process/);
    }
    assert.equal(
      BigInt((await json("position")).positions[0].lamports),
      100_000_000_000n - TOKEN_ACCOUNT_RENT - BigInt(landed) * 100_005_000n,
    );
  });

  inOldest(`${name}: a command that fails writes its lines into the record before it closes the file`, async () => {
    // Eight times, because it depends on which comes first: without the wait, three of them had lost their line.
    const lines = live("http://127.0.0.1:9", 'apiKeyEnv = "DESK_TEST_KEY"');
    const homes = await Promise.all(Array.from({ length: 8 }, () => home(runtime, ...lines)));
    for (const { code, err } of await Promise.all(homes.map(({ run }) => run("settle", "nobody", "landed"))))
      assert.deepEqual([code, err], [64, "nobody is not unresolved\n"]);
  });

  test(
    `${name}: on a full disk a trade is not sent, or its outcome is true`,
    { skip: process.platform === "win32" },
    async () => {
      const seen = new Set();
      for (const blocks of FULL_AT[name] ?? [2, 11, 20]) {
        const { folder, env, json, run } = await home(runtime);
        assert.equal((await json("buy", "--sol", "0.1", "--intent-id", "before", ...SEND)).exitCode, 0);
        const [{ tokens: before }] = (await json("position")).positions;
        const onFull = (...args) => onFullDisk(blocks, runtime, env, ...args);
        const { code, out, err } = await onFull("buy", "--sol", "0.1", "--intent-id", "full", ...SEND);
        seen.add(code);
        const [{ tokens: after }] = (await json("position")).positions;
        const pending = (await json("pending")).intents.map(({ intentId }) => intentId);
        const said = `${blocks} KiB: ${code} ${out}${err}`;
        assert.ok([0, 1, 4].includes(code), said);
        if (code === 1) assert.deepEqual([after, pending], [before, []], said);
        if (code === 0) assert.notEqual(after, before, said);
        if (code === 4) {
          assert.deepEqual(pending, ["full"], said);
          assert.equal((await json("settle")).settled[0].outcome, after === before ? "did_not_land" : "landed", said);
        }
        assert.equal((await run("verify")).code, 0, said);
        assert.equal((await json("buy", "--sol", "0.1", ...SEND)).exitCode, 0, "once there is room, it trades on");
        assert.doesNotMatch(`${await readdir(join(folder, "sandbox"))}`, /\.lock/, said);
        // That it cannot write says nothing of what is in the files.
        if (!blocks)
          assert.match((await onFull("doctor")).out, /\nBAD files: EFBIG.* with room on its disk\n(?!.*BAD|[^]*\nBAD)/);
      }
      assert.ok(seen.has(0) && seen.has(1), `what was tried has both ends: ${[...seen]}`);
    },
  );

  inOldest(`${name}: an end that found no room in the record is written by \`settle\`, from the journal`, async () => {
    const { folder, json, run } = await home(runtime);
    await json("buy", "--sol", "0.1", "--intent-id", "cut", ...SEND);
    const record = join(folder, "sandbox/desk.log");
    const whole = await readFile(record, "utf8");
    await writeFile(record, whole.slice(0, whole.lastIndexOf("\n", whole.indexOf('"act":"settle"')) + 1));
    await rm(`${record}.head`);
    const ends = async () => (await json("settle")).settled.map(({ intentId, outcome }) => `${intentId} ${outcome}`);
    assert.deepEqual([await ends(), await ends()], [["cut landed"], []]);
    assert.match((await run("verify")).out, /^cut: buy landed, said later/);
    assert.notEqual((await json("position")).positions[0].costLamports, null);
  });

  inOldest(`${name}: a record that was changed stops trading on its profile, and verify says so`, async () => {
    const { folder, json } = await home(runtime);
    await json("buy", "--sol", "0.1", ...SEND);
    const record = join(folder, "sandbox/desk.log");
    await appendFile(record, '{"number":99}\n');
    const { size } = await stat(record);
    const changed = await json("verify");
    assert.deepEqual([changed.exitCode, changed.verified], [6, false]);
    const refused = await json("buy", "--sol", "0.1", ...SEND);
    assert.deepEqual([refused.exitCode, refused.outcome], [1, "not_sent"]);
    assert.equal((await stat(record)).size, size, "nothing was added to it");
  });
}

test(
  "on a full disk `halt buys` says that it stops nothing and what does, and `halt` stops",
  { skip: process.platform === "win32" },
  async () => {
    const { env, json } = await home();
    assert.equal((await json("buy", "--sol", "0.1", ...SEND)).exitCode, 0);
    const reduced = await onFullDisk(0, THIS, env, "halt", "buys");
    assert.deepEqual([reduced.code, reduced.out], [1, ""]);
    assert.match(
      reduced.err,
      /^Nothing has changed in profile sandbox \(simulated\): EFBIG[^.]*\. `launchpad-desk halt --profile sandbox` works on a full disk, and stops all trades\.\n$/,
    );
    assert.equal((await json("buy", "--sol", "0.1", ...SEND)).exitCode, 0);
    // The first finds no room for a lock, the second has one, and no room in the journal.
    for (const blocks of [0, 1]) {
      const halted = await onFullDisk(blocks, THIS, env, "halt");
      assert.deepEqual(
        [halted.code, halted.out],
        [0, "Trading is halted in profile sandbox (simulated).\n"],
        halted.err,
      );
      assert.match(
        halted.err,
        /^The record does not say so \(.*EFBIG[^.]*\), but it holds, after a restart, too\.\n$/m,
      );
      assert.doesNotMatch(halted.err, /may undo/);
      assert.equal((await json("buy", "--sol", "0.1", ...SEND)).plan.refused.code, "halted");
      const resumed = await onFullDisk(blocks, THIS, env, "resume");
      const active = "Trading is active in profile sandbox (simulated).\n";
      assert.deepEqual([resumed.code, resumed.out], blocks ? [0, active] : [1, ""], resumed.err);
      if (blocks) continue;
      assert.match(resumed.err, /^Nothing has changed in profile sandbox \(simulated\): EFBIG[^.]*\.\n$/m);
      assert.equal((await json("buy", "--sol", "0.1", ...SEND)).plan.refused.code, "halted");
      assert.equal((await json("resume")).exitCode, 0);
    }
  },
);

test(
  "`halt buys` in a folder that cannot be synced stops, and says what may undo that",
  { skip: process.platform === "win32" },
  async () => {
    const { env, json } = await home();
    assert.equal((await json("buy", "--sol", "0.1", ...SEND)).exitCode, 0);
    const preload = `import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
    const { open } = fs; const sync = async () => { throw new Error("EIO: as there"); };
    fs.open = async (path, ...more) => Object.assign(await open(path, ...more), /sandbox$/.test(path) && { sync });
    syncBuiltinESMExports();`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(preload)}`;
    const [command, ...args] = [...THIS, "halt", "buys"];
    const { code, out, err } = await end(command, args, { cwd, env: { ...env, NODE_OPTIONS } });
    assert.deepEqual([code, out], [0, "Buys are halted in profile sandbox (simulated).\n"], err);
    assert.match(err, /^It holds, but a power cut may undo it: EIO: as there\.\n/);
    assert.equal((await json("buy", "--sol", "0.1", ...SEND)).plan.refused.code, "reducing");
  },
);

test("a journal that cannot be written stops the trade before it is sent", async () => {
  const { folder, json, run } = await home();
  assert.equal((await json("buy", "--sol", "0.1", ...SEND)).exitCode, 0);
  const [{ tokens }] = (await json("position")).positions;
  const journal = join(folder, "sandbox/trades.journal");
  const whole = await readFile(journal, "utf8");
  // Damage that is no torn end.
  await writeFile(journal, whole.replace(/"crc32":"./, '"crc32":"x'));
  const { code, err } = await run("buy", "--sol", "0.1", ...SEND);
  assert.deepEqual([code, err.includes("journal")], [1, true], err);
  for (const args of [["pending"], ["settle"], ["settle", "signal-1", "landed"]]) {
    const unread = await json(...args);
    assert.deepEqual([unread.exitCode, unread.outcome], [4, "unknown"], "what it cannot read may have been made");
  }
  await writeFile(journal, whole);
  assert.equal((await json("position")).positions[0].tokens, tokens);
});

test("a reader that ends early ends no command with an error", async () => {
  const { env } = await home();
  const words = [...THIS, "completion", "json"].map((word) => `'${word}'`).join(" ");
  const { out, err } = await end("bash", ["-c", `${words} | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`], {
    cwd,
    env,
  });
  assert.deepEqual([out, err], ["0\n", ""]);
});
