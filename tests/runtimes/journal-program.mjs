// A program that uses a journal, for file-journal.test.mjs to run, and to kill.

import { existsSync } from "node:fs";
import { fileJournal } from "launchpad-desk/node";

const [, , role, path] = process.argv;
const journal = fileJournal(path);
const intent = (intentId) => ({ intentId, operation: "buy", body: `{"mint":"${"M".repeat(100)}"}`, startedAtMs: Date.now() });
const say = (line) => process.stdout.write(`${line}\n`);

const roles = {
  /** Begins and settles without end, and says so each time. */
  async work() {
    for (let n = 0; ; n++) {
      const ids = [0, 1, 2].map((part) => `${process.pid}-${n}-${part}`);
      await Promise.all(ids.map((id) => journal.begin(intent(id)).then(() => say(`begun ${id}`))));
      for (const [part, outcome] of n % 2 ? [[0, "landed"], [1, "rejected"]] : [[2, "failed"]]) {
        say(`settling ${ids[part]}`);
        await journal.settle({ intentId: ids[part] }, { outcome });
        say(`settled ${ids[part]}`);
      }
    }
  },

  async list() {
    say(`pending ${(await journal.pending()).map(({ intentId }) => intentId).join()}`);
    await journal.close();
  },

  /** Holds it until a file says that it is enough. */
  async hold() {
    await journal.begin(intent(`${process.pid}`));
    say("holds");
    while (!existsSync(`${path}.enough`)) await new Promise((resolve) => setTimeout(resolve, 10));
    await journal.begin(intent(`${process.pid} again`));
    say("held");
    await journal.close();
  },

  /** Begins until it no longer can, and tries once more. */
  async fill() {
    let refusals = 0;
    for (let n = 0; refusals < 2 && n < 1_000; n++) {
      await journal.begin(intent(`${n}`)).then(
        () => say(`begun ${n}`),
        (error) => (refusals++, say(`refused: ${error.message}`)),
      );
    }
  },
};

await roles[role]().catch((error) => say(`refused: ${error.message}`));
