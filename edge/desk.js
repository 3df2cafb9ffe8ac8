// The object of one desk. The core says what each step is; this writes its rows, and then carries it out:
//
//   request ─▶ core ─▶ rows, in one transaction ─┬─▶ answer
//                                                ├─▶ read rows, or ask the node, and ask again with what came
//                                                ├─▶ forward, once ─▶ core ─▶ rows ─▶ answer
//                                                └─▶ wait for the forward of the same intent, and ask again
//   alarm ───▶ core ─▶ rows ─▶ read more of the audit log, ask the node about what is in doubt, as often as the core says
//
// Nothing is awaited between a step and its rows, and what is sent waits until these are on the disk.

import { DurableObject } from "cloudflare:workers";
import { Gateway } from "launchpad-desk/gateway";
import { openUpstream } from "./upstream.js";

const TABLE = "CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID";
const RANGE = "SELECT key, row FROM rows WHERE key >= ? AND key < ? ORDER BY key";

const entropy = () => crypto.getRandomValues(new Uint8Array(32));

/** Whether a promise settles within `milliseconds`. */
const settles = (promise, milliseconds) =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    promise.finally(() => (clearTimeout(timer), resolve(true)));
  });

export class Desk extends DurableObject {
  #upstream;
  #gateway;
  #alarmAtMs;
  /** The forwards in flight: id → a promise that never rejects. */
  #forwards = new Map();

  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#upstream = await openUpstream(ctx.storage, env);
    });
  }

  /** One request of a caller, to its answer. */
  async ask(desk, request) {
    const began = Date.now();
    let look;
    for (;;) {
      const gateway = (this.#gateway ??= this.#open(desk));
      let step = this.#taken(() => gateway.request(Date.now(), entropy(), { ...request, look }));
      if (step.kind === "read") {
        const rows = this.#rows(step.from, step.until)
          .toArray()
          .map(({ row }) => row);
        step = this.#taken(() => gateway.request(Date.now(), entropy(), { ...request, rows, look }));
      }
      if (step.kind === "look") {
        look = await this.#upstream.ask(step.call);
        continue;
      }
      look = undefined;
      if (step.kind === "forward") return this.#forward(gateway, step);
      const forward = step.kind === "wait" && this.#forwards.get(step.id);
      if (!forward || !(await settles(forward, began + step.waitMs - Date.now()))) return step.reply;
    }
  }

  /** Reads the market of the sandbox behind it. */
  market(path, headers) {
    return this.#upstream.market(path, headers);
  }

  async alarm() {
    this.#alarmAtMs = undefined;
    const desk = this.ctx.storage.kv.get("desk");
    if (!desk) return;
    const gateway = (this.#gateway ??= this.#open(desk));
    let step = this.#taken(() => gateway.alarm(Date.now()));
    while (step.kind !== "nothing") {
      const { kind, id, keys, from, until, number, call } = step;
      const result = kind === "ask" ? await this.#upstream.ask(call) : undefined;
      // Restored in the meantime: the next alarm asks anew.
      if (gateway !== this.#gateway) return;
      step = this.#taken(() => {
        if (kind === "check") return gateway.checked(Date.now(), this.#rows(from, until));
        return result
          ? gateway.replied(Date.now(), number, result)
          : gateway.inquire(Date.now(), id, this.#rowsOf(keys));
      });
    }
  }

  #rowsOf(keys) {
    return keys.flatMap((key) =>
      this.ctx.storage.sql
        .exec("SELECT row FROM rows WHERE key = ?", key)
        .toArray()
        .map(({ row }) => row),
    );
  }

  /** The gateway, restored from its rows. The desk's name is stored, because an alarm does not get it. */
  #open(desk) {
    const { sql, kv } = this.ctx.storage;
    sql.exec(TABLE);
    if (kv.get("desk") !== desk) kv.put("desk", desk);
    const rows = (from, until) => this.#rows(from, until);
    try {
      const { SETTINGS, API_KEY } = this.env;
      const config = { settings: JSON.stringify(SETTINGS), desk, upstreamKey: API_KEY, rpc: this.#upstream.rpc };
      const gateway = new Gateway(config, rows, Date.now());
      this.#taken(() => gateway.start);
      return gateway;
    } catch (error) {
      console.error(`desk ${desk}: ${error.message}`);
      throw error;
    }
  }

  #rows(from, until) {
    return this.ctx.storage.sql.exec(RANGE, from, until);
  }

  /** Takes a step and writes what it changes. If either fails, the request fails, and the gateway is restored from its rows. */
  #taken(take) {
    const { storage } = this.ctx;
    let step;
    try {
      step = take();
      storage.transactionSync(() => {
        for (const { key, row } of step.rows) {
          if (row === null) storage.sql.exec("DELETE FROM rows WHERE key = ?", key);
          else storage.sql.exec("INSERT OR REPLACE INTO rows VALUES (?, ?)", key, row);
        }
      });
    } catch (error) {
      this.#gateway = undefined;
      throw error;
    }
    if (step.alarmAtMs !== this.#alarmAtMs) {
      this.#alarmAtMs = step.alarmAtMs;
      if (step.alarmAtMs === null) storage.deleteAlarm();
      else storage.setAlarm(step.alarmAtMs);
    }
    return step;
  }

  /** Sends a trade, once, and records its outcome. */
  async #forward(gateway, step) {
    const until = Date.now() + step.timeoutMs;
    // A connection does not wait for the disk by itself, as `fetch` does.
    const synced = this.ctx.storage.sync();
    // Nobody would record what comes of it in a gateway that is not the desk's any more.
    const maySend = () => gateway === this.#gateway && gateway.maySend(step.id);
    const answered = synced
      .then(() => this.#upstream.forward({ ...step, timeoutMs: Math.max(1, until - Date.now()) }, maySend))
      .then((result) => {
        // A restored gateway has already put this in doubt.
        if (gateway !== this.#gateway) throw new Error("the desk's rows were read again in the meantime");
        return this.#taken(() => gateway.forwarded(Date.now(), step.id, result)).reply;
      });
    this.#forwards.set(
      step.id,
      answered.catch(() => {}),
    );
    return answered.finally(() => this.#forwards.delete(step.id));
  }
}
