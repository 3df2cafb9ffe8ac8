// The same code in every runtime: it imports the package as an outside project would, makes each row's calls and reports the
// results. It does not judge them; outcomes.mjs does.

import {
  TradeClient,
  TradeFailedError,
  TradeNotSentError,
  TradeOutcomeUnknownError,
  TradeRejectedError,
  isTradeError,
  renderHtml,
  renderText,
} from "launchpad-desk";

const classes = { TradeNotSentError, TradeRejectedError, TradeFailedError, TradeOutcomeUnknownError };

/** What a program may abort with. */
const REASONS = {
  none: [],
  undefined: [undefined],
  null: [null],
  text: ["stop"],
  number: [5],
  symbol: [Symbol("stop")],
  error: [new Error("stop")],
  frozen: [Object.freeze({ frozen: true })],
  hostile: [new Proxy({}, { get: hostile, has: hostile, getPrototypeOf: hostile })],
};
function hostile() {
  throw new Error("do not look");
}

/** Every text in a value, hidden properties and getters included: whatever a program may show or log of it. */
function textsIn(value, seen = new Set()) {
  if (typeof value !== "object" || value === null) return [String(value)];
  if (seen.has(value)) return [];
  seen.add(value);
  const names = [value, Object.getPrototypeOf(value)].flatMap((holder) => (holder ? Reflect.ownKeys(holder) : []));
  return names.flatMap((name) =>
    name === "constructor" || name === "__proto__" ? [] : [String(name), ...textsIn(value[name], seen)],
  );
}

/** Everything of a trade or an error that a program may show or log. */
const traces = (value) => [
  ...new Set([...textsIn(value), String(value), JSON.stringify(value), renderText(value), renderHtml(value)]),
];

function describeError(error) {
  const { name, outcome, code, status, retryAfterMs, serviceMessage, retryable, message, evidence } = error;
  const of = Object.entries(classes)
    .filter(([, type]) => error instanceof type)
    .map(([name]) => name);
  return {
    settled: "error",
    name,
    outcome,
    code,
    status,
    retryAfterMs,
    serviceMessage,
    retryable,
    message,
    evidence,
    class: of.join(),
    guarded: isTradeError(error),
    json: error.toJSON?.(),
    trade: error.trade && describeTrade(error.trade),
    traces: traces(error),
  };
}

const describeTrade = (trade) => ({
  settled: "trade",
  status: trade.status,
  result: trade.result,
  exact: trade.exact,
  warnings: trade.warnings,
  traces: traces(trade),
});

/** One call; resolves to what came of it. */
async function callOnce(client, row, call) {
  const { abort, pauseBefore, ...options } = Array.isArray(row.call) ? row.call[call] : row.call;
  if (pauseBefore && call > 0) await new Promise((resolve) => setTimeout(resolve, pauseBefore));
  let sent;
  if (abort) {
    const controller = new AbortController();
    options.signal = controller.signal;
    if (abort.when === "before") controller.abort(...REASONS[abort.reason]);
    sent = client.buy(request(call), options);
    if (abort.when === "after a while") setTimeout(() => controller.abort(...REASONS[abort.reason]), 500);
    if (abort.when === "once it arrived")
      fetch(`${row.url}/arrived`).then(() => controller.abort(...REASONS[abort.reason]));
  } else {
    sent = client.buy(request(call), options);
  }
  return sent.then(
    (trade) => {
      if (row.calls < 10) console.error(row.name, trade);
      return describeTrade(trade);
    },
    (error) => {
      if (row.calls < 10) console.error(row.name, error);
      return isTradeError(error)
        ? describeError(error)
        : { settled: "foreign", message: String(error?.stack ?? error) };
    },
  );
}

// Each call has its own wallet, by which the server recognizes it.
const request = (call) => ({ mint: "MoonRabbit", fromWallet: `wallet-${call}`, amountInLamports: 1_000_000 });

const tasks = {
  /** Makes the row's calls, `parallel` at a time. */
  async calls(row, settings) {
    const client = new TradeClient({
      baseURL: row.url,
      ...(row.key && { apiKey: row.key }),
      timeoutMs: 60_000,
      ...settings.options,
      ...row.options,
    });
    if (row.warm && !(await client.warm())) throw new Error("no connection was opened ahead");
    const results = [];
    let next = 0;
    const work = async () => {
      while (next < row.calls) {
        const call = next++;
        results[call] = await callOnce(client, row, call);
      }
    };
    await Promise.all(Array.from({ length: row.parallel }, work));
    return results;
  },

  /** Options that a client is not made of. */
  async refusedClient(row, settings) {
    try {
      new TradeClient({ baseURL: row.url, apiKey: row.key, ...settings.options, ...row.options });
      return [{ settled: "client" }];
    } catch (error) {
      return [describeError(error)];
    }
  },

  /** Many calls that share a signal: how many listeners are left on it. */
  async sharedSignal(row, settings) {
    const { signal } = new AbortController();
    const listeners = new Set();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (type, listener, ...more) => (
      listeners.add(listener),
      addEventListener.call(signal, type, listener, ...more)
    );
    signal.removeEventListener = (type, listener, ...more) => (
      listeners.delete(listener),
      removeEventListener.call(signal, type, listener, ...more)
    );
    const reply = '{"result":{"transactionResult":{"success":true}}}';
    let most = 0;
    const fetch = async () => {
      most = Math.max(most, listeners.size);
      return new Response(reply);
    };
    const client = new TradeClient({ baseURL: row.url, ...settings.options, fetch });
    let landed = 0;
    for (let call = 0; call < row.calls; call++) {
      landed += (await client.buy(request(call), { signal })).status === "landed";
      // Other rows run beside this one, and have deadlines.
      if (call % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    const { getEventListeners } = globalThis.process?.getBuiltinModule?.("node:events") ?? {};
    return [
      {
        settled: "count",
        landed,
        listenedWhileUnderWay: most > 0,
        left: listeners.size,
        leftBySignal: getEventListeners?.(signal, "abort").length ?? 0,
      },
    ];
  },
};

/**
 * Runs every row, `parallel` at a time, and calls `emit({ id, results })` as each ends.
 *
 * @param {{ rows: object[], parallel: number }} job
 * @param {(report: object) => void} emit
 * @param {{ options?: object }} settings client options of this runtime, such as a `fetch`
 */
export async function drive({ rows, parallel }, emit, settings = {}) {
  const waiting = [...rows];
  const work = async () => {
    for (let row; (row = waiting.shift());) {
      try {
        emit({ id: row.id, results: await tasks[row.task](row, settings) });
      } catch (error) {
        emit({ id: row.id, failure: String(error?.stack ?? error) });
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}
