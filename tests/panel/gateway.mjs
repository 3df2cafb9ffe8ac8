// A gateway as it is deployed, over a socket of this process, in front of a service that does what the test says.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Gateway } from "launchpad-desk/gateway";
import { Sandbox } from "launchpad-desk/sandbox";
import { ADA, RABBIT } from "./panel.mjs";

export const TRADER = "token-of-ada-5f1c0d2e";
export const OTHER = "token-of-bea-2b7d9e41";
const OPERATOR = "token-of-olga-93b1a7c4";
const hashed = (token) => createHash("sha256").update(token).digest("hex");
let drawn = 0;
const entropy = () => new Uint8Array(createHash("sha256").update(`entropy ${drawn++}`).digest());

async function listening(answer) {
  // It closes no idle connection: a browser that sends on it at that moment would send again.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

const bodyOf = async (request) => Buffer.concat(await request.toArray());

/**
 * Opens one.
 *
 * - `service`: what the service behind it does: `sandbox` carries it out, `got` lists the requests, `status` is another one that it answers with, `results` are
 *   those that a failed trade has, and `hold()` keeps its answers back until what that returns is called
 * - `got`: every request of a page, as `METHOD path`
 * - `isDown`: whether connections are cut; or the method of those that are
 * - `holds`: a promise that requests for trades wait for on their way
 * - `order(act, body)`: what its operator orders
 */
export async function openGateway({ origin, desk = {}, ...more }) {
  const service = {
    sandbox: new Sandbox(),
    got: [],
    status: 0,
    results: undefined,
    held: undefined,
    hold() {
      let release;
      this.held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
  const { sandbox } = service;
  const upstream = await listening(async (request, response) => {
    const body = await bodyOf(request);
    service.got.push({ path: request.url, key: request.headers["idempotency-key"], body: body.toString() });
    const { status } = service;
    const reply = await sandbox.fetch(`http://x${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    // A sandbox marks its signatures; a service does not.
    let text = (await reply.text()).replaceAll("SIM", "5Kt");
    if (service.results) {
      const failed = JSON.parse(text);
      failed.result.transactionResult.results = service.results;
      text = JSON.stringify(failed);
    }
    await service.held;
    response.writeHead(status || reply.status, { "content-type": "application/json" }).end(status ? "{}" : text);
  });
  const settings = {
    upstream: upstream.url,
    origins: [origin],
    waitMs: 300,
    desks: [{ name: "alpha", ...desk }],
    callers: [
      { name: "ada", desk: "alpha", tokenSha256: hashed(TRADER) },
      { name: "bea", desk: "alpha", tokenSha256: hashed(OTHER) },
      { name: "olga", desk: "alpha", role: "operator", tokenSha256: hashed(OPERATOR) },
    ],
    ...more,
  };
  const core = new Gateway(
    { settings: JSON.stringify(settings), desk: "alpha", upstreamKey: "key-of-the-service" },
    () => [],
    Date.now(),
  );
  const [forwards, rows] = [new Map(), new Map()];
  /** What a step writes is there before it is carried out. */
  const written = (step) => {
    for (const { key, row } of step.rows) row === null ? rows.delete(key) : rows.set(key, row);
    return step;
  };
  const forward = async ({ id, url, headers, body }) => {
    const came = await fetch(url, { method: "POST", headers, body }).then(
      async (reply) => ({
        status: reply.status,
        headers: reply.headers,
        body: new Uint8Array(await reply.arrayBuffer()),
      }),
      () => ({ failure: "broken" }),
    );
    return written(core.forwarded(Date.now(), id, came)).reply;
  };
  const ask = async (asked) => {
    for (let tries = 0; ; tries++) {
      let step = written(core.request(Date.now(), entropy(), asked));
      if (step.kind === "read") {
        const { from, until } = step;
        const found = [...rows]
          .filter(([key]) => from <= key && key < until)
          .sort()
          .map(([, row]) => row);
        step = written(core.request(Date.now(), entropy(), { ...asked, rows: found }));
      }
      if (step.kind === "forward") {
        const answered = forward(step);
        forwards.set(step.id, answered);
        return answered;
      }
      if (step.kind !== "wait" || tries) return step.reply;
      await Promise.race([forwards.get(step.id), pause(step.waitMs)]);
    }
  };
  const gateway = { service, got: [], isDown: false, holds: undefined };
  const server = await listening(async (request, response) => {
    const body = new Uint8Array(await bodyOf(request));
    if (request.method !== "OPTIONS" && request.url !== "/health") gateway.got.push(`${request.method} ${request.url}`);
    if (gateway.isDown === true || gateway.isDown === request.method) return void response.destroy();
    if (request.method === "POST") await gateway.holds;
    const {
      status,
      headers,
      body: text,
    } = await ask({ method: request.method, path: request.url, headers: Object.entries(request.headers), body });
    response.writeHead(status, headers).end(text ?? "");
  });
  return Object.assign(gateway, {
    url: server.url,
    close: () => (server.close(), upstream.close()),
    order: async (act, body) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${OPERATOR}` };
      const reply = await fetch(`${server.url}/desk/${act}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(await reply.text());
    },
  });
}

/** Opens one for the panel of a test, and the panel before it. `load(more, tab)` loads its page, or that of another tab, again. */
export async function openBefore(at, options) {
  const { panel } = at;
  const gateway = await openGateway({ origin: new URL(panel.url).origin, ...options });
  after(() => gateway.close());
  panel.elsewhere.push(gateway.url);
  gateway.load = (more = {}, tab = panel) =>
    tab.openLive({ "base-url": gateway.url, mint: RABBIT, wallet: ADA, token: TRADER, ...more });
  await gateway.load();
  return gateway;
}
