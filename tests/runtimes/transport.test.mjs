// An injected `fetch` of any kind: aborts, deadlines, and answers that no service gives.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { TradeClient, TradeOutcomeUnknownError } from "launchpad-desk";
import { anotherCopy } from "../copies.mjs";
import { throws } from "../odd.mjs";
import { LANDED, clientBy, fetchBy, fetchOf, rejection, requests, service } from "./service.mjs";

// A deadline is a timer here: by a clock that goes on, a busy machine could be late before it sends.
mock.timers.enable({ apis: ["Date"], now: Date.now() });

const never = () => new Promise(() => {});

const unknown = async (promise, code) => {
  const error = await rejection(promise);
  assert.ok(error instanceof TradeOutcomeUnknownError, `${error}`);
  assert.deepEqual([error.outcome, error.code], ["unknown", code]);
  return error;
};

/** A `fetch` as some frameworks patch it: equal posts get the first reply, unless the request keeps caches out. */
function caching(fetch) {
  const kept = new Map();
  return async (url, init) => {
    const key = `${url} ${init.body}`;
    if (init.cache !== "no-store" && kept.has(key)) return new Response(kept.get(key));
    const reply = await fetch(url, init);
    kept.set(key, await reply.clone().text());
    return reply;
  };
}

test("a fetch that caches equal posts sends each trade", async () => {
  const fetch = fetchBy(() => new Response(LANDED));
  const client = new TradeClient({ fetch: caching(fetch), ...service });
  const trades = [await client.buy(requests().buy), await client.buy(requests().buy)];
  assert.equal(new Set(trades.map(({ result }) => result.signature)).size, 2);
  assert.equal(fetch.calls.length, 2);
});

test("fetch is called once, with a URL, an init and no `this`", async () => {
  let receiver = "unset";
  let seen;
  async function fetch(...given) {
    receiver = this;
    seen = given;
    return new Response(LANDED);
  }
  await new TradeClient({ fetch, baseURL: "https://service.example/base/", apiKey: "key-8901" }).buy(requests().buy);
  const [url, { method, headers, body, redirect, signal, ...rest }] = seen;
  assert.equal(receiver, undefined);
  assert.equal(seen.length, 2);
  assert.equal(url, "https://service.example/base/v1/trade/buy");
  assert.deepEqual([method, redirect, Object.entries(rest)], ["POST", "manual", [["cache", "no-store"]]]);
  assert.deepEqual(Object.entries(headers).sort(), [
    ["accept", "application/json"],
    ["content-type", "application/json"],
    ["x-api-key", "key-8901"],
  ]);
  assert.equal(
    body,
    `{"mint":"${requests().buy.mint}","fromWallet":"${requests().buy.fromWallet}","amountInLamports":1000000000,"feePayer":null,"slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null}`,
  );
  assert.ok(signal instanceof AbortSignal);
});

test("aborted right after the call, before it could be sent: not sent", async () => {
  const fetch = fetchOf(LANDED);
  const controller = new AbortController();
  const sent = clientBy(fetch).buy(requests().buy, { signal: controller.signal });
  controller.abort();
  const error = await rejection(sent);
  assert.deepEqual([error.outcome, error.code, fetch.calls.length], ["not_sent", "aborted_before_send", 0]);
});

const unsent = () => Object.assign(new Error("given up"), { [Symbol.for("launchpad-desk.unsent")]: true });
/** A transport that gives up at its signal as `giveUp(reject)` does. */
const transport =
  (giveUp) =>
  (_url, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => giveUp(reject)));
const stopped = {
  deadline: ["timeout", (client) => client.withOptions({ timeoutMs: 20 }).buy(requests().buy)],
  abort: [
    "aborted",
    (client) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      return client.buy(requests().buy, { signal: controller.signal });
    },
  ],
};

for (const [what, [code, stop]] of Object.entries(stopped)) {
  test(`at the ${what}, a transport may prove that nothing was sent`, async () => {
    const proves = transport((reject) => reject(unsent()));
    const wrapped = async (url, init) => {
      try {
        return await proves(url, init);
      } finally {
        await undefined;
      }
    };
    for (const fetch of [proves, async (...given) => proves(...given), wrapped]) {
      const client = clientBy(fetch, { maxLamportsPerDay: 10n ** 10n });
      const error = await rejection(stop(client));
      assert.deepEqual([error.outcome, error.code], ["not_sent", `${code}_before_send`]);
      assert.equal(client.guards.lamportsToday, 0n);
    }
  });

  test(`at the ${what}, what a transport does not prove, or too late, is unknown`, async () => {
    const silent = never;
    const noProof = transport((reject) => reject(new Error("given up")));
    const late = transport((reject) => setTimeout(() => reject(unsent()), 5));
    const inTheBody = (_url, { signal }) =>
      new Response(
        new ReadableStream({ start: (body) => signal.addEventListener("abort", () => body.error(unsent())) }),
      );
    for (const fetch of [silent, noProof, late, inTheBody])
      await unknown(stop(clientBy(async (...given) => fetch(...given))), code);
  });
}

test("a fetch that never settles ends at the deadline, a call's own before the client's", async () => {
  const fetch = fetchBy(never);
  const client = clientBy(fetch, { timeoutMs: 60_000 });
  const error = await unknown(client.buy(requests().buy, { timeoutMs: 20 }), "timeout");
  assert.match(error.message, /20 ms/);
  assert.ok(fetch.calls[0].init.signal.aborted);
});

const cut = () => new ReadableStream({ pull: (stream) => stream.error(new Error("cut")) });
const endless = (size) => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(size)) });

test("a refusal whose body is lost proves nothing, and keeps its status and how long to wait", async () => {
  const refused = async (body, init) => {
    const { outcome, code, status, retryAfterMs } = await rejection(
      clientBy(fetchOf(body, init), { timeoutMs: 1_000 }).buy(requests().buy),
    );
    return [outcome, code, status, retryAfterMs];
  };
  assert.deepEqual(await refused(cut(), { status: 401 }), ["unknown", "network_error", 401, undefined]);
  const limited = { status: 429, headers: { "retry-after": "7" } };
  assert.deepEqual(await refused(cut(), limited), ["unknown", "network_error", 429, 7_000]);
  assert.deepEqual(await refused(endless(2_000_000), limited), ["unknown", "reply_too_large", 429, 7_000]);
  assert.deepEqual(await refused(new ReadableStream({}), limited), ["unknown", "timeout", 429, 7_000]);
});

test("odd signals do no harm", async () => {
  const client = clientBy(fetchOf(LANDED));
  for (const signal of [
    null,
    undefined,
    { aborted: false },
    { aborted: false, addEventListener: throws, removeEventListener: throws },
  ]) {
    assert.equal((await client.buy(requests().buy, { signal })).status, "landed");
  }
});

const failed = (properties) => Object.assign(new TypeError("fetch failed"), properties);
for (const [title, answer] of [
  ["throws at once", throws],
  ["rejects with nothing", () => Promise.reject(undefined)],
  ["rejects with null", () => Promise.reject(null)],
  ["rejects with text", () => Promise.reject("no")],
  ["rejects with a symbol", () => Promise.reject(Symbol("s"))],
  ["rejects with a proxy that throws", () => Promise.reject(new Proxy({}, { get: throws, has: throws }))],
  ["rejects as if it were Node's, refused", () => Promise.reject(failed({ cause: { code: "ECONNREFUSED" } }))],
  ["rejects with a reset", () => Promise.reject(failed({ cause: { code: "ECONNRESET" } }))],
  [
    "gives a body that breaks",
    () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(failed({ cause: { code: "ECONNRESET" } })) })),
  ],
  [
    "gives a body that is locked",
    () => {
      const response = new Response(LANDED);
      response.body.getReader();
      return response;
    },
  ],
  [
    "gives a body that was read",
    async () => {
      const response = new Response(LANDED);
      await response.text();
      return response;
    },
  ],
  [
    "gives a refusal that was read",
    async () => {
      const response = new Response('{"signature":"S"}', { status: 400 });
      for await (const _ of response.body);
      return response;
    },
  ],
  ["gives a refusal without a body to read", () => ({ status: 400 })],
  [
    "followed a redirect",
    () => Object.defineProperty(new Response("no", { status: 404 }), "redirected", { value: true }),
  ],
  [
    "gives a body of text, not bytes",
    () => new Response(new ReadableStream({ start: (stream) => (stream.enqueue(LANDED), stream.close()) })),
  ],
  [
    "gives chunks that are nothing",
    () => ({ status: 200, body: { getReader: () => ({ read: async () => ({ done: false }) }) } }),
  ],
  // It leaves the deadline its turn.
  ["gives empty chunks without end", () => new Response(endless(0))],
  ["gives a reader without read", () => ({ status: 200, body: { getReader: () => ({}) } })],
  ["gives a reader that throws", () => ({ status: 200, body: { getReader: throws } })],
  ["gives an array buffer that throws", () => ({ status: 200, arrayBuffer: throws })],
  ["gives an array buffer that rejects", () => ({ status: 200, arrayBuffer: () => Promise.reject(new Error("no")) })],
  ["gives a number for an array buffer", () => ({ status: 200, arrayBuffer: async () => 2 ** 40 })],
  ["gives a small number for an array buffer", () => ({ status: 200, arrayBuffer: async () => 5 })],
  ["gives a symbol for an array buffer", () => ({ status: 200, arrayBuffer: async () => Symbol("s") })],
  [
    "gives a detached array buffer",
    () => ({
      status: 200,
      arrayBuffer: async () => {
        const buffer = new ArrayBuffer(8);
        structuredClone(buffer, { transfer: [buffer] });
        return buffer;
      },
    }),
  ],
  ["gives nothing", () => undefined],
  ["gives null", () => null],
  ["gives a number", () => 5],
  ["gives an empty object", () => ({})],
  [
    "gives a proxy that throws",
    () => new Proxy({}, { get: (_target, name) => (name === "then" ? undefined : throws()) }),
  ],
  ["gives a then that throws", () => Object.defineProperty({}, "then", { get: throws })],
  ["gives a status that is none", () => ({ status: "200", body: null })],
  ["gives a success without a body", () => ({ status: 200 })],
]) {
  test(`a fetch that ${title} leaves the outcome unknown`, async () => {
    const fetch = fetchBy(answer);
    const error = await rejection(clientBy(fetch, { timeoutMs: 1_000 }).buy(requests().buy));
    assert.ok(error instanceof TradeOutcomeUnknownError, `${error}`);
    assert.notEqual(error.code, "timeout", "it was not noticed");
    assert.equal(fetch.calls.length, 1);
  });
}

for (const [title, answer] of [
  ["returns its response, not a promise", () => new Response(LANDED)],
  [
    "returns an object that is not a Response",
    () => ({ status: 200, arrayBuffer: async () => new TextEncoder().encode(LANDED).buffer }),
  ],
  [
    "gives Node's buffers",
    () => ({
      status: 200,
      headers: { get: throws },
      body: {
        getReader: () => {
          const chunks = [...LANDED].map((character) => Buffer.from(character));
          return { read: async () => (chunks.length ? { done: false, value: chunks.shift() } : { done: true }) };
        },
      },
    }),
  ],
]) {
  test(`a fetch that ${title} is understood`, async () => {
    const calls = [];
    const fetch = (...given) => (calls.push(given), answer());
    assert.equal((await clientBy(fetch).buy(requests().buy)).status, "landed");
    assert.equal(calls.length, 1);
  });
}

test("a runtime without fetch sends nothing, and says so", async () => {
  const own = globalThis.fetch;
  try {
    delete globalThis.fetch;
    // A copy, as in a bundle for browsers: on Node there is the package's own transport.
    const { TradeClient } = await anotherCopy("index.js");
    const error = await rejection(new TradeClient({ baseURL: "https://service.example" }).buy(requests().buy));
    assert.deepEqual([error.outcome, error.code], ["not_sent", "unsupported_runtime"]);
  } finally {
    globalThis.fetch = own;
  }
});

test("where a client sends by the runtime's fetch, one that somebody put there proves nothing", async (t) => {
  const refuses = () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
  t.mock.method(globalThis, "fetch", refuses);
  const { TradeClient } = await anotherCopy("index.js");
  const error = await rejection(new TradeClient(service).buy(requests().buy));
  assert.deepEqual([error.outcome, error.code], ["unknown", "network_error"]);
});

test("many calls at once keep their own outcomes", async () => {
  let count = 0;
  const fetch = fetchBy(async () => {
    const mine = count++;
    await new Promise((resolve) => setTimeout(resolve, (mine * 7) % 20));
    return mine % 3 === 1
      ? new Response("no", { status: 400 })
      : new Response(LANDED, { status: mine % 3 === 0 ? 200 : 500 });
  });
  const client = clientBy(fetch, { inFlightPerWallet: 60, breaker: { unknowns: 60 } });
  const settled = await Promise.allSettled(Array.from({ length: 60 }, () => client.buy(requests().buy)));
  const outcomes = settled.map(({ value, reason }) => value?.status ?? reason.outcome);
  assert.deepEqual(
    outcomes,
    Array.from({ length: 60 }, (_, index) => ["landed", "rejected", "unknown"][index % 3]),
  );
});
