// Requests through a worker in workerd, to a service in this process. Measures workerd's CPU time, or the time of day.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { startWorker } from "../../scripts/worker.mjs";
import { REQUESTS } from "../gateway.mjs";

const PARALLEL = 16;
export const KEY = "sk-bench";
export const LANDED =
  '{"result":{"mint":"M","wallet":"W","buyAmount":34199203.120618,"transactionResult":{"success":true}},"explorer":{},"launchpad":{}}';

/** Linux counts a process's time in hundredths of a second. */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export async function service() {
  const server = createServer((asked, response) => {
    asked
      .resume()
      .on("end", () =>
        response.writeHead(200, { "content-type": "application/json", "content-length": LANDED.length }).end(LANDED),
      );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

export const post = (url, headers, body) =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: { ...headers, "content-type": "application/json", "content-length": body.length },
      },
      (response) => {
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (piece) => (text += piece))
          .on("end", () => (text === LANDED ? resolve() : reject(new Error(`${response.statusCode} ${text}`))));
      },
    );
    sent.on("error", reject).end(body);
  });

export const BODY = '{"mint":"M","fromWallet":"W","amountInLamports":1000000,"slippage":5}';

/** A side that makes the requests of a run and returns how many landed. */
function asked({ url, pid }, what, headersOf) {
  const target = new URL("/v1/trade/buy", url);
  let number = 0;
  const run = async () => {
    let left = REQUESTS;
    const side = async () => {
      while (left-- > 0) await post(target, headersOf(number++), BODY);
    };
    await Promise.all(Array.from({ length: PARALLEL }, side));
    return REQUESTS;
  };
  const now = what === "cpu" ? () => processorTime(pid) : () => performance.now();
  return { run, answer: run, clock: now };
}

/** A folder that goes away with this process, in memory where the machine has a file system there. */
export async function folder() {
  const memory = "/dev/shm";
  const path = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), "bench-gateway-"));
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function opened(bindings, main) {
  const worker = await startWorker({ main, persist: await folder(), bindings: { API_KEY: KEY, ...bindings } });
  process.once("exit", () => process.kill(worker.pid, "SIGKILL"));
  return worker;
}

const tokenOf = (desk) => `token-of-desk-${desk}`;

/** The settings of this many desks, each with a trader, in front of a service. */
export async function settingsOf(desks) {
  const names = Array.from({ length: desks }, (_, at) => at);
  const callers = names.map((at) => ({
    name: `bot-${at}`,
    desk: `desk-${at}`,
    role: "trader",
    tokenSha256: createHash("sha256").update(tokenOf(at)).digest("hex"),
  }));
  return {
    upstream: await service(),
    desks: names.map((at) => ({ name: `desk-${at}`, limits: { maxLamportsPerDay: 2 ** 53 - 1 } })),
    callers,
    maxIntents: 1_000_000,
  };
}

const open = async (desks) => opened({ SETTINGS: await settingsOf(desks) });

export const headers = (desk, intent) => ({ authorization: `Bearer ${tokenOf(desk)}`, "idempotency-key": intent });

export const gateway = async (what, desks = 1) =>
  asked(await open(desks), what, (number) => headers(number % desks, `trade-${number}`));
export const replays = async (what) => asked(await open(1), what, () => headers(0, "the-same"));
const other = async (file, what) =>
  asked(await opened({ UPSTREAM: await service() }, new URL(file, import.meta.url).pathname), what, () => ({}));
export const bare = (what) => other("bare.js", what);
export const object = (what) => other("object.js", what);
