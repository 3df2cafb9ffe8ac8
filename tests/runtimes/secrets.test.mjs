// The API key never appears in a message, JSON, an inspection or a rendering, whatever the service echoes.

import assert from "node:assert/strict";
import test from "node:test";
import { inspect } from "node:util";
import { TradeClient, redact, renderHtml, renderText, view } from "launchpad-desk";
import { thrown } from "../odd.mjs";
import { LANDED, clientBy, fetchBy, rejection, requests, service } from "./service.mjs";

const KEYS = ["sk-plain-8e1f", 'sk-"quoted"\\and/slashed', "sk-<tag>&'quote'", "aaaaaaaa", "$&$1.*+?"];

/** Everything a program may log of a value. */
function traces(value) {
  const inspected = inspect(value, { showHidden: true, depth: Infinity, getters: true, maxStringLength: Infinity });
  const properties = Object.getOwnPropertyNames(Object(value)).map((name) => String(value[name]));
  return [
    String(value),
    JSON.stringify(value),
    inspected,
    ...properties,
    value?.stack,
    renderText(value),
    renderHtml(value),
    JSON.stringify(view(value)),
  ];
}

function holdsNoKey(value, key) {
  for (const trace of traces(value)) assert.ok(!trace?.includes(key), `the key is in ${trace}`);
}

/** The ways in which a service may write a text in JSON, or in a URL in it. */
const spellings = (text) => [
  JSON.stringify(text).slice(1, -1),
  JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`).join(""),
  [...text]
    .map((character) =>
      /[\w.-]/.test(character) ? character : `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
    )
    .join(""),
];

for (const key of KEYS) {
  for (const status of [200, 307, 400, 401, 429, 500]) {
    test(`the key ${key}, echoed with a ${status}, is redacted`, async () => {
      const echoes = [
        `bad key ${key}`,
        ...spellings(key).flatMap((spelled) => [
          `{"message":"bad key ${spelled}"}`,
          `{"result":{"mint":"${spelled}","transactionResult":{"success":false,"results":"custom program error: 0x1 ${spelled}"}}}`,
          `{"result":{"mint":"${spelled}"}}`,
        ]),
      ];
      for (const echo of echoes) {
        const client = clientBy(
          fetchBy(() => new Response(echo, { status })),
          { apiKey: key },
        );
        const settled = await client.buy(requests().buy).catch((error) => error);
        holdsNoKey(settled, key);
        if (settled.trade) holdsNoKey(settled.trade, key);
        if (settled.evidence) holdsNoKey(settled.evidence, key);
        if (settled.serviceMessage) assert.match(settled.serviceMessage, /\[redacted\]/);
      }
    });
  }

  test(`the key ${key} in what fetch throws goes no further`, async () => {
    const lost = Object.assign(new TypeError(`cannot send x-api-key: ${key}`), {
      code: `E_${key}`,
      cause: { code: key, headers: { "x-api-key": key } },
    });
    for (const given of [lost, ...[key, `E_${key}`].map((code) => Object.assign(new Error(), { code }))]) {
      const client = clientBy(
        fetchBy(() => Promise.reject(given)),
        { apiKey: key },
      );
      const error = await rejection(client.buy(requests().buy));
      assert.equal(error.outcome, "unknown");
      holdsNoKey(error, key);
    }
  });

  test(`a client with the key ${key} does not show it`, async () => {
    const client = clientBy(
      fetchBy(() => new Response(LANDED)),
      { apiKey: key },
    );
    holdsNoKey(client, key);
    holdsNoKey(client.build("buy", requests().buy), key);
    holdsNoKey(await client.buy({ ...requests().buy, slipage: 1 }).catch((error) => error), key);
    holdsNoKey(await client.buy(requests().buy), key);
  });
}

test("a transport that makes a code of the key does not get it into the log", async () => {
  const key = "sk_plain_8e1f";
  const logged = [];
  const logger = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, (...told) => logged.push(told)]),
  );
  const fetch = () =>
    Promise.reject(Object.assign(new Error(key), { code: key, [Symbol.for("launchpad-desk.unsent")]: true }));
  const client = clientBy(fetch, { apiKey: key, retryNotSent: 1, logger, logLevel: "debug" });
  holdsNoKey(await client.buy(requests().buy).catch((error) => error), key);
  assert.ok(
    logged.some(([message]) => /trying again/.test(message)),
    "it was tried again",
  );
  assert.ok(!inspect(logged, { depth: Infinity }).includes(key), "the key is in the log");
});

test("redact takes a key out of a text, and leaves any other text as it is", () => {
  for (const key of KEYS) {
    for (const spelled of [
      key,
      ...spellings(key),
      ...spellings(key).flatMap(spellings),
      encodeURIComponent(encodeURIComponent(key)),
    ]) {
      assert.equal(redact(`bad key ${spelled} here`, key), "bad key [redacted] here");
    }
    for (const text of ["", "bad key", "100 % of \\ and & &amp; %41 \\u0041", "\ud800 is half of a pair", "é\u0000"])
      assert.equal(redact(text, key), text);
  }
  for (const none of [undefined, null, ""]) assert.equal(redact("any text", none), "any text");
  for (const [text, key] of [
    [undefined, "k"],
    [5, "k"],
    [new Uint8Array(), "k"],
    ["text", 5],
    ["text", {}],
  ]) {
    assert.throws(() => redact(text, key), { name: "TradeNotSentError", code: "invalid_request" });
  }
});

test("a key that cannot be used is not shown either", () => {
  for (const key of ["sk-with space", "sk-line\n", "sk-ünïcode", "sk-nul\0"]) {
    for (const options of [
      { ...service, apiKey: key },
      { apiKey: key },
      { ...service, apiKey: key, apiKeyHeader: "x y", slipageUnit: 1 },
    ]) {
      const error = thrown(() => new TradeClient(options));
      assert.equal(error.code, "invalid_options");
      holdsNoKey(error, key);
      holdsNoKey(error, key.trim());
    }
  }
});

test("a base URL that holds a password is refused, and the password is not shown", () => {
  assert.throws(
    () => new TradeClient({ baseURL: "https://user:hunter2@service.example" }),
    (error) => {
      holdsNoKey(error, "hunter2");
      return error.field === "baseURL";
    },
  );
});
