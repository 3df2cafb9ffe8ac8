// The gateway, and beside it a look into an object's storage: whether SQLite finds it sound, and its rows.

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
