// A worker whose object writes the rows of a forwarded trade around the forward, and decides nothing: the cost of any gateway
// with an object.

import { DurableObject } from "cloudflare:workers";

const TABLE = "CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID";
const ROW = JSON.stringify({ text: "x".repeat(600) });

export class Desk extends DurableObject {
  #number = 0;

  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(TABLE);
  }

  async ask({ path, body }) {
    const number = this.#number++;
    this.#write([`intent\n${number}`]);
    const { UPSTREAM, API_KEY } = this.env;
    const reply = await fetch(UPSTREAM + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": API_KEY },
      body,
      redirect: "manual",
    });
    const text = await reply.text();
    this.#write([`answer\n${number}`, `intent\n${number}`, `audit\n${number}`]);
    return { status: reply.status, headers: [["content-type", "application/json"]], body: text };
  }

  #write(keys) {
    const { storage } = this.ctx;
    storage.transactionSync(() =>
      keys.forEach((key) => storage.sql.exec("INSERT OR REPLACE INTO rows VALUES (?, ?)", key, ROW)),
    );
  }
}

export default {
  async fetch(request, { DESKS }) {
    const { pathname } = new URL(request.url);
    const asked = { path: pathname, headers: [...request.headers], body: new Uint8Array(await request.arrayBuffer()) };
    const { body, ...head } = await DESKS.get(DESKS.idFromName("desk")).ask(asked);
    return new Response(body, head);
  },
};
