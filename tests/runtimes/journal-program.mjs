// A program that uses a journal, for file-journal.test.mjs to run, and to kill.

import { execFileSync } from "node:child_process";
import { existsSync, writeSync } from "node:fs";
import { TradeClient } from "launchpad-desk";
import { fileJournal } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";

const [, , role, path] = process.argv;
const journal = fileJournal(path);
const intent = (intentId) => ({
  intentId,
  operation: "buy",
  body: `{"mint":"${"M".repeat(100)}"}`,
  startedAtMs: Date.now(),
});
// A kill would lose what process.stdout buffers for a slow reader.
const say = (line) => writeSync(1, `${line}\n`);

const roles = {
  /** Begins and settles without end, and prints each one. */
  async work() {
    for (let n = 0; ; n++) {
      const ids = [0, 1, 2].map((part) => `${process.pid}-${n}-${part}`);
      await Promise.all(ids.map((id) => journal.begin(intent(id)).then(() => say(`begun ${id}`))));
      for (const [part, outcome] of n % 2
        ? [
            [0, "landed"],
            [1, "rejected"],
          ]
        : [[2, "failed"]]) {
        say(`settling ${ids[part]}`);
        await journal.settle({ intentId: ids[part] }, { outcome });
        say(`settled ${ids[part]}`);
      }
    }
  },

  /** Begins and settles large intents, so that the file is shortened again and again, and prints each one. */
  async swell() {
    const body = JSON.stringify({ mint: "M".repeat(300_000) });
    for (let n = 0; ; n++) {
      const id = (part) => `${process.pid}-${n}-${part}`;
      const begin = (part, body) => journal.begin({ ...intent(id(part)), body }).then(() => say(`begun ${id(part)}`));
      await Promise.all([
        begin("large", body),
        begin("landed", '{"amountInLamports":1}'),
        n % 10 ? 0 : begin("doubtful", "{}"),
      ]);
      for (const [part, outcome] of Object.entries({ large: "failed", landed: "landed" })) {
        say(`settling ${id(part)}`);
        await journal.settle({ intentId: id(part) }, { outcome });
        say(`settled ${id(part)}`);
        if (outcome === "landed") say(`landed ${id(part)}`);
      }
    }
  },

  /** Sells in a sandbox that lives as long as the program, and never gets its answer; the file says whether it is made. */
  async sell() {
    const sandbox = new Sandbox();
    const [{ mint }] = sandbox.tokens;
    const look = () => {
      const [{ wallet, lamports, tokenAccounts }] = sandbox.wallets;
      const account = tokenAccounts.find((account) => account.mint === mint);
      return [{ wallet, lamports, tokens: account ? account.tokens : 0n }];
    };
    const own = new TradeClient({ fetch: sandbox.fetch });
    const [{ wallet: fromWallet }] = look();
    await own.buy({ mint, fromWallet, amountInLamports: 1_000_000_000n });
    const client = new TradeClient({
      baseURL: "https://service.example",
      journal,
      fetch: async (url, init) => {
        if (path.endsWith("landed")) await sandbox.fetch(url, init);
        say(JSON.stringify({ now: look() }, (_key, value) => (typeof value === "bigint" ? `${value}` : value)));
        return new Promise(() => {});
      },
    });
    await client.sell({ mint, fromWallet, amountInToken: 1_000 }, { intentId: "a", before: look() });
  },

  /** Says what is unresolved, and the most megabytes that the program has had. */
  async measure() {
    const pending = (await journal.pending()).map(({ intentId }) => intentId).join();
    say(`${pending} ${Math.round(process.resourceUsage().maxRSS / 1024)}`);
    await journal.close();
  },

  async list() {
    say(`pending ${(await journal.pending()).map(({ intentId }) => intentId).join()}`);
    await journal.close();
  },

  /** Ends without closing it. */
  async exit() {
    await journal.begin(intent("a"));
    process.exit();
  },

  /** Ends by an error that nobody catches. */
  async throw() {
    await journal.begin(intent("a"));
    setImmediate(() => {
      throw new Error("nobody catches it");
    });
  },

  /** Holds it until a file ends the wait. */
  async hold() {
    await journal.begin(intent(`${process.pid}`));
    say("holds");
    while (!existsSync(`${path}.enough`)) await new Promise((resolve) => setTimeout(resolve, 10));
    await journal.begin(intent(`${process.pid} again`));
    say("held");
    await journal.close();
  },

  /** Begins until it no longer can, ends one of them, and begins again once there is room. */
  async fill() {
    const begin = (id) =>
      journal.begin(intent(id)).then(
        () => (say(`begun ${id}`), true),
        (error) => (say(`refused: ${error.message}`), false),
      );
    let n = 0;
    while (await begin(`${n}`)) n++;
    await journal.settle({ intentId: "0" }, { outcome: "rejected" });
    execFileSync("prlimit", ["--pid", `${process.pid}`, "--fsize=unlimited:"]);
    await begin("later");
  },
};

await roles[role]().catch((error) => say(`refused: ${error.message}`));
