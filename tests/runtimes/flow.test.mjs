// The driver carries out the machine's steps and decides nothing: the random scripts of tests/rust/flow_scripts.rs lead to the same
// calls, in the same order, and to the same end.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { clientBy, service } from "./service.mjs";

const UNSENT = Symbol.for("launchpad-desk.unsent");
const never = () => new Promise(() => {});
const BODIES = {
  landed: '{"result":{"transactionResult":{"success":true}}}',
  failed: '{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}',
  garbage: "{",
};

const request = { mint: "M", fromWallet: "W", amountInLamports: 1_000 };

/** The trade, requested directly or by a plan that somebody else made. */
const WAYS = {
  buy: (client, signal) => client.buy(request, { intentId: "own", signal }),
  plan: (client, signal, plan) => client.send(plan, { signal }),
};

/** What is called, in order, and how it ends. */
async function play(script, way) {
  const plan =
    way === "plan"
      ? await new TradeClient(service).plan("buy", request, { intentId: "own", validForMs: 3_600_000 })
      : undefined;
  const called = [];
  const controller = new AbortController();
  const abort = () => controller.abort();
  let answerLate;
  const does = (word, what) => {
    called.push(what);
    if (word === "fail") throw new Error("as the script says");
    if (word === "abort") abort();
    if (word === "halt") client.halt();
    if (word !== "hang" && word !== "late") return undefined;
    setImmediate(abort);
    return word === "late" ? new Promise((resolve) => (answerLate = resolve)) : never();
  };
  const arrayBuffer = async () => {
    if (script.body === "lost") throw new TypeError("terminated");
    if (script.body === "hang") return (setImmediate(abort), never());
    return new TextEncoder().encode(BODIES[script.body]).buffer;
  };
  let sends = 0;
  const unsent = (code) => Promise.reject(Object.assign(new Error("unsent"), { [UNSENT]: true, code }));
  const fetch = (_url, { signal }) => {
    called.push("send");
    const word = script.sends[sends++];
    if (word === "unsent") return unsent();
    if (word === "unsent, with a code") return unsent("ENOTFOUND");
    if (word === "broken") return Promise.reject(Object.assign(new Error("broken"), { code: "ECONNRESET" }));
    if (!word.startsWith("hang")) return Promise.resolve({ status: Number(word), headers: new Headers(), arrayBuffer });
    setImmediate(abort);
    return word === "hang"
      ? never()
      : new Promise((_, reject) => signal.addEventListener("abort", () => unsent().catch(reject)));
  };
  const client = clientBy(fetch, {
    ...(script.key !== "none" && {
      apiKey: { fixed: "key-12345678", asked: () => does(script.askKey, "askKey") ?? "key-12345678" }[script.key],
    }),
    retryNotSent: script.retries,
    dryRun: script.dryRun,
    journal: script.journal
      ? {
          recall: () => does(script.recall, "recall") ?? { pending: [], landed: [], lamports: 0n },
          begin: () => does(script.begin, "begin"),
          settle: (_intent, { outcome }) => does(script.settle, `settle ${outcome}`),
        }
      : undefined,
    hooks: script.hooks
      ? {
          beforeSend: () =>
            does(script.beforeSend, "beforeSend") ??
            (script.beforeSend === "saw" ? { before: [{ wallet: "W", tokens: 5 }] } : undefined),
          afterSettle: (_intent, { outcome }) => does(script.afterSettle, `afterSettle ${outcome}`),
        }
      : undefined,
  });
  const ends = await WAYS[way](client, controller.signal, plan).then(
    ({ status }) => [status, null, null, null],
    ({ outcome, code, status, message }) => [outcome, code, status ?? null, message],
  );
  answerLate?.();
  await new Promise(setImmediate);
  const { inFlight, unresolved, lamportsToday } = client.guards;
  return { called, ends, guards: [inFlight.length, unresolved.length, `${lamportsToday}`] };
}

for (const way of Object.keys(WAYS))
  test(`${way}: whatever journal, key, hooks, transport and caller do: the same calls and the same end as the machine's own`, async () => {
    const scripts = JSON.parse(readFileSync(new URL("../vectors/flow.json", import.meta.url)));
    await Promise.all(
      scripts.map(async ({ script, plays }) => {
        const played = await play(script, way);
        // Nobody waits for the end of an entry that was begun after the stop.
        if (["abort", "late"].includes(script.begin)) for (const { called } of [plays, played]) called.sort();
        assert.deepEqual(played, plays, JSON.stringify(script));
      }),
    );
  });
