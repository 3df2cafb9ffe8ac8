// A start of the gateway: the processor time of a fresh workerd, up to the answer to its first trade.

import { Gateway } from "launchpad-desk/gateway";
import { startWorker } from "../../scripts/worker.mjs";
import { BODY, DESK, KEY, LANDED, folder, headers, post, processorTime, settingsOf } from "./through.mjs";

/** How far apart the trades that a desk remembers are: a week has this many. */
const EVERY_MS = 13_000;

/** The rows of a desk that has forwarded this many trades. */
function rowsAfter(trades, settings) {
  const rows = new Map();
  const written = (step) => {
    for (const { key, row } of step.rows) row === null ? rows.delete(key) : rows.set(key, row);
    return step;
  };
  const bytes = new TextEncoder();
  let now = Date.now() - (trades + 10) * EVERY_MS;
  const gateway = new Gateway({ settings: JSON.stringify(settings), desk: DESK, upstreamKey: KEY }, () => [], now);
  written(gateway.start);
  const entropy = new Uint8Array(32);
  for (let number = 0; number < trades; number++, now += EVERY_MS) {
    const asked = { ...headers(`before-${number}`), "content-type": "application/json" };
    const request = { method: "POST", path: "/v1/trade/buy", headers: Object.entries(asked), body: bytes.encode(BODY) };
    const { id } = written(gateway.request(now, entropy, request));
    written(gateway.forwarded(now + 400, id, { status: 200, headers: [], body: bytes.encode(LANDED) }));
  }
  return [...rows];
}

/** Starts of a desk that remembers this many trades. */
export async function started(trades) {
  const settings = await settingsOf();
  const persist = await folder();
  const open = () =>
    startWorker({
      main: new URL("seeded.js", import.meta.url).pathname,
      persist,
      bindings: { API_KEY: KEY, SETTINGS: settings },
    });
  const rows = rowsAfter(trades, settings);
  const worker = await open();
  for (let at = 0; at < rows.length; at += 1_000) {
    const put = await fetch(worker.url, { method: "PUT", body: JSON.stringify(rows.slice(at, at + 1_000)) });
    if (!put.ok) throw new Error(await put.text());
  }
  await worker.close();
  let [spent, number] = [0, 0];
  const run = async () => {
    const { url, pid, close } = await open();
    const body = BODY.replace("1000000", `${1_000_000 + ++number}`);
    await post(new URL("/v1/trade/buy", url), headers(`after-${Date.now()}`), body);
    spent += processorTime(pid);
    await close();
    return number;
  };
  return { run, answer: () => "started", clock: () => spent };
}
