// The gateway, with access to an object's storage: whether SQLite finds it intact, and its rows.

import gateway, { Desk as Deployed } from "../../../edge/worker.js";

export class Desk extends Deployed {
  check() {
    const { sql } = this.ctx.storage;
    return { sound: [...sql.exec("PRAGMA quick_check")], rows: [...sql.exec("SELECT key, row FROM rows")] };
  }
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/-check/")) return gateway.fetch(request, env);
    return Response.json(await env.DESKS.get(env.DESKS.idFromName(pathname.slice("/-check/".length))).check());
  },
};
