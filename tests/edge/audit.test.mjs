// The audit log of a desk in workerd: exported from a cursor, checked offline, and checked again by each start.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { verifyAuditLog } from "launchpad-desk/gateway";
import { root } from "../../scripts/program.mjs";
import { BUY, LANDED, folder, gatewayFor, openGateway, settingsOf } from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

const upstream = await startUpstream(json(200, LANDED));
const settings = settingsOf({ upstream: upstream.url });

/** Every line of the log, one page after another, and the head from the last page. */
async function exported(gateway) {
  const lines = [];
  for (let path = "/desk/audit"; ;) {
    const reply = await gateway.ask(path, { as: "olga" });
    assert.deepEqual([reply.status, reply.headers.get("content-type")], [200, "application/x-ndjson"]);
    lines.push(...(await reply.text()).split("\n"));
    const [number, hash] = reply.headers.get("audit-head").split(" ");
    const next = reply.headers.get("link");
    if (!next) return { lines: lines.filter(Boolean), head: { number: Number(number), hash } };
    path = /^<(.*)>; rel="next"$/.exec(next)[1];
  }
}

test("the log is exported page by page, and the offline check names the first bad row", async () => {
  const gateway = await gatewayFor({ settings });
  for (let n = 0; n < 520; n++) for (const act of ["halt", "resume"]) await gateway.order(act);
  const { lines, head } = await exported(gateway);
  assert.equal(lines.length, 1_041);
  assert.deepEqual(await verifyAuditLog(lines, head), { whole: true, rows: 1_041, last: head, bad: null });
  const bad = async (rows, known = head) => (await verifyAuditLog(rows, known)).bad;
  const changed = lines.with(700, lines[700].replace("olga", "otto"));
  assert.deepEqual(await bad(changed), {
    line: 702,
    reason: "entry 701 does not hold the hash of entry 700: one of the two was changed",
  });
  assert.deepEqual(await bad(lines.toSpliced(9, 1)), { line: 10, reason: "entry 9 is missing" });
  assert.deepEqual(await bad(lines.slice(0, -2)), {
    line: 1_040,
    reason: "the entries after 1038, to 1040, are missing",
  });
  assert.deepEqual(await bad(lines.with(1_040, lines[1_040].replace("olga", "otto"))), {
    line: 1_041,
    reason: "entry 1040 was changed",
  });
  assert.deepEqual(await bad(["nonsense"]), { line: 1, reason: "the first row does not belong to the log" });
  // A part of a log, one that has grown since, and lines that come one at a time.
  assert.equal(await bad(lines.slice(500)), null);
  // A part that begins after the known row goes on right after it.
  const known = (await verifyAuditLog(lines.slice(0, 101))).last;
  assert.equal(await bad(lines.slice(101), known), null);
  assert.deepEqual(await bad(lines.slice(103), known), { line: 1, reason: "entries 101 to 102 are missing" });
  assert.deepEqual(await bad([lines[101].replace("olga", "otto").replace(known.hash, head.hash)], known), {
    line: 1,
    reason: "entry 101 does not hold the hash of entry 100: one of the two was changed",
  });
  await gateway.order("halt");
  const grown = (await exported(gateway)).lines;
  const piecewise = async function* () {
    yield* grown;
  };
  assert.equal(await bad(piecewise()), null);
});

test("a row that was changed in the store stops forwarding after a start, until an operator has acknowledged it", async () => {
  const options = { settings, persist: await folder(), main: join(root, "tests/edge/entries/altering.mjs") };
  const first = await openGateway(options);
  const buy = (gateway, intent) => gateway.post("/v1/trade/buy", BUY, { intent });
  assert.equal((await buy(first, "one")).status, 200);
  await first.close();
  const gateway = await gatewayFor({
    ...options,
    bindings: {
      ALTERS: "UPDATE rows SET row = replace(row, '1002865040 lamports', '5 lamports') WHERE key GLOB 'audit*'",
    },
  });
  upstream.requests.length = 0;
  const refused = await buy(gateway, "two");
  assert.deepEqual([refused.status, (await refused.json()).code], [403, "audit_broken"]);
  assert.equal((await gateway.desk()).auditBroken, "entry 1 was changed");
  assert.equal(upstream.requests.length, 0);
  assert.equal((await gateway.order("acknowledge")).status, 200);
  assert.equal((await buy(gateway, "two")).status, 200);
});
