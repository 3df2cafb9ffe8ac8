// A proxy that the environment names: trades and looks go one way, through it or past it, on each Node.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test, { after } from "node:test";
import { NODE_20, NODE_22, NODE_24 } from "../faults/pinned.mjs";

const at = (name) => fileURLToPath(new URL(`../faults/certificates/${name}`, import.meta.url));
const run = promisify(execFile);

const service = createSecureServer(
  { key: readFileSync(at("good.key")), cert: readFileSync(at("good.crt")) },
  (request, response) => {
    request
      .resume()
      .on("end", () =>
        response.writeHead(403, { "content-type": "text/html" }).end("<html><title>Reached</title></html>"),
      );
  },
);
const asked = [];
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.writeHead(502).end();
});
proxy.on("connect", (request, socket) => {
  asked.push(`CONNECT ${request.url}`);
  if (refuses) return socket.end("HTTP/1.1 407 No\r\n\r\n");
  const way = connect(service.address().port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    way.pipe(socket).pipe(way);
  });
  for (const end of [way, socket]) end.on("error", () => {});
});
let refuses = false;
for (const server of [service, proxy]) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => (server.closeAllConnections(), server.close()));
}
const HOST = `localhost:${service.address().port}`;

const PROGRAM = `
  import { TradeClient } from "launchpad-desk";
  import { Market } from "launchpad-desk/market";
  const said = ({ outcome, code, message }) => [outcome, code, message];
  const client = new TradeClient({ baseURL: "https://${HOST}", apiKey: "key-8901" });
  const trade = await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 5, slippage: 1 }).catch(said);
  const look = await new Market({ rpc: "https://${HOST}" }).look("So11111111111111111111111111111111111111112").catch(said);
  console.log(JSON.stringify([trade, look]));
  process.exit();
`;

async function traded(program, env) {
  asked.length = 0;
  const { PATH } = process.env;
  const settings = {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { PATH, NODE_EXTRA_CA_CERTS: at("authority.crt"), NO_COLOR: "1", ...env },
  };
  const { stdout } = await run(program, ["--input-type=module", "-e", PROGRAM], settings);
  return JSON.parse(stdout);
}

const TRADE = ["rejected", "unauthorized", 'rejected (403): a web page came in place of the answer: "Reached"'];
const LOOK = [null, "node_refused", 'a web page came in place of the node\'s answer: "Reached" (HTTP status 403)'];

for (const [name, program, canUse] of [
  ["20", NODE_20, false],
  ["22", NODE_22, true],
  ["24", NODE_24, true],
]) {
  test(`on Node ${name}, trades and looks go one way`, async () => {
    const HTTPS_PROXY = `http://127.0.0.1:${proxy.address().port}`;
    const both = [TRADE, LOOK];
    assert.deepEqual(await traded(program(), { HTTPS_PROXY }), both);
    assert.deepEqual(asked, [], "nobody has told Node to use it");
    assert.deepEqual(await traded(program(), { HTTPS_PROXY, NODE_USE_ENV_PROXY: "1", NO_PROXY: "localhost" }), both);
    assert.deepEqual(asked, []);
    assert.deepEqual(await traded(program(), { NODE_USE_ENV_PROXY: "1" }), both);
    assert.deepEqual(asked, []);
    assert.deepEqual(await traded(program(), { HTTPS_PROXY, NODE_USE_ENV_PROXY: "1" }), both);
    assert.deepEqual([...new Set(asked)], canUse ? [`CONNECT ${HOST}`] : []);
    assert.equal(asked.length, canUse ? 2 : 0, "a connection for the trade and one for the look");
    if (!canUse) return;
    // A proxy that refuses the tunnel: nothing was sent, and that is proven.
    refuses = true;
    const [trade, look] = await traded(program(), { HTTPS_PROXY, NODE_USE_ENV_PROXY: "1" });
    refuses = false;
    assert.deepEqual(trade.slice(0, 2), ["not_sent", "connect_failed"], trade[2]);
    assert.equal(look[1], "unreachable");
  });
}
