// A server in this process, called by another process. Measures CPU time, which limits the requests per second.

import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";

/** Requests in a run. */
const REQUESTS = 1_000;

async function asked(port) {
  const load = fork(new URL("load.mjs", import.meta.url), [String(port)]);
  await once(load, "message");
  load.unref();
  load.channel.unref();
  const run = async () => {
    load.send(REQUESTS);
    const [landed] = await once(load, "message");
    return landed;
  };
  const clock = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  return { run, answer: run, clock };
}

export async function sandbox() {
  const [{ Sandbox }, { serve }] = await Promise.all([import("launchpad-desk/sandbox"), import("launchpad-desk/node")]);
  const wallets = Array.from({ length: 8 }, (_, number) => ({
    wallet: `wallet-${number}`,
    lamports: 1_000_000_000_000n,
  }));
  const { port } = await serve(new Sandbox({ wallets }));
  return asked(port);
}

export async function echo() {
  const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(pieces).toString())));
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return asked(server.address().port);
}
