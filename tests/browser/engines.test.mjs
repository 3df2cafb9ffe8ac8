// The engines of `npm run bench`, each with a test work.

import assert from "node:assert/strict";
import test from "node:test";
import { openEngine } from "../../scripts/engines.mjs";
import { BROWSERS } from "../../scripts/engines/side.mjs";

const MODULE = "tests/browser/engines.mjs";
const [RUNNING] = process.versions.node.split(".").map(Number);

for (const name of [`node${RUNNING}`, ...BROWSERS]) {
  const open = () => openEngine(name, [MODULE]);
  const isNode = !BROWSERS.includes(name);

  test(`${name}: each side answers, tells times, and has seen nothing else`, async () => {
    const engine = await open();
    try {
      assert.match(engine.title, /^[A-Z][A-Za-z]+ \d+\./);
      const ours = await engine.start(MODULE, "counting", "ours");
      assert.equal(ours.answer, JSON.stringify([isNode ? "object" : "undefined", 0, String(2n ** 64n)]));
      const one = await ours.time(1);
      const many = await ours.time(2 ** 22);
      assert.ok(one >= 0 && many > one, `${one} ms for one call, ${many} ms for many`);
      for (let time = 0; time < 2; time++) {
        const theirs = await engine.start(MODULE, "counting", "theirs");
        assert.equal(theirs.answer, "1", "a realm of its own");
        assert.ok((await theirs.time(2 ** 12)) > 0);
        await theirs.end();
      }
      await ours.end();
    } finally {
      await engine.close();
    }
  });

  test(`${name}: a side that cannot be set up is an error, and leaves the engine able`, async () => {
    const engine = await open();
    try {
      await assert.rejects(
        engine.start(MODULE, "failing", "ours"),
        isNode ? /ended before it answered/ : /no such peer/,
      );
      const side = await engine.start(MODULE, "counting", "theirs");
      assert.equal(side.answer, "1");
      await side.end();
    } finally {
      await engine.close();
    }
  });
}
