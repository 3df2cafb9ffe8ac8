// Requests through a worker in workerd, to a service in this process. Measures workerd's CPU time.

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
function asked({ url, pid }, headersOf) {
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
  return { run, answer: run, clock: () => processorTime(pid) };
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

const TOKEN = "the-token-of-a-bot";
export const DESK = "desk";

/** The settings of a desk with a trader, in front of a service. */
export const settingsOf = async () => ({
  upstream: await service(),
  desks: [{ name: DESK, limits: { maxLamportsPerDay: 2 ** 53 - 1 } }],
  callers: [{ name: "bot", desk: DESK, role: "trader", tokenSha256: createHash("sha256").update(TOKEN).digest("hex") }],
  maxIntents: 1_000_000,
});

const open = async () => opened({ SETTINGS: await settingsOf() });

export const headers = (intent) => ({ authorization: `Bearer ${TOKEN}`, "idempotency-key": intent });

export const gateway = async () => asked(await open(), (number) => headers(`trade-${number}`));
export const replays = async () => asked(await open(), () => headers("the-same"));
const other = async (file) =>
  asked(await opened({ UPSTREAM: await service() }, new URL(file, import.meta.url).pathname), () => ({}));
export const bare = () => other("bare.js");
export const object = () => other("object.js");
