// Agents of node:http and node:https that give a request its connection only once it is open, with TLS and the certificate
// checked. Whatever fails before that has sent nothing, whatever the error is called.

import { builtin } from "./builtin.js";
import { isDeno } from "./runtime.js";
import { failure } from "./unsent.js";

/** An agent whose connections are open once they say `opened`. */
const agentOf = (Agent, opened) =>
  class extends Agent {
    /** host:port → how to take each connection that was opened ahead */
    #ready = new Map();
    /** Connections that are being opened. */
    #opening = new Set();

    createConnection(options, handOver) {
      const take = this.#readyFor(options).values().next().value;
      if (take) return take();
      this.#open(options, handOver);
    }

    /** Opens a connection for a later request, unless one is ready. */
    warm({ hostname, port = this.defaultPort }) {
      const options = { ...this.options, host: hostname, port, servername: builtin("node:net").isIP(hostname) ? "" : hostname };
      if (this.#readyFor(options).size || this.freeSockets[this.getName(options)]?.length) return Promise.resolve();
      return new Promise((resolve, reject) => this.#open(options, (error, socket) => (error ? reject(error) : resolve(this.#keep(options, socket)))));
    }

    destroy() {
      for (const socket of this.#opening) socket.destroy();
      for (const ready of this.#ready.values()) for (const take of [...ready]) take().destroy();
      super.destroy();
    }

    #readyFor({ host, port }) {
      const key = `${host}:${port}`;
      if (!this.#ready.has(key)) this.#ready.set(key, new Set());
      return this.#ready.get(key);
    }

    #open(options, done) {
      const socket = super.createConnection(options);
      this.#opening.add(socket);
      const settle = (error) => {
        this.#opening.delete(socket);
        clearTimeout(timer);
        clearImmediate(late);
        socket.off(opened, settle).off("error", settle).off("close", onClose);
        if (!error) return done(null, socket);
        socket.on("error", () => {}).destroy();
        done(error);
      };
      const onClose = () => settle(failure("ECONNRESET", "the connection closed before it was open"));
      const tooLong = () => settle(failure("ETIMEDOUT", "the connection took too long to open"));
      let late;
      // Wait one turn of the event loop first: a busy program may not have seen yet that it is open.
      const timer = setTimeout(() => (late = setImmediate(tooLong)), this.options.connectTimeoutMs);
      socket.once(opened, settle).once("error", settle).once("close", onClose);
    }

    /** Keeps an open connection for the next request, as long as the other side leaves it open and says nothing. */
    #keep(options, socket) {
      const ready = this.#readyFor(options);
      const drop = () => socket.destroy();
      const take = () => {
        ready.delete(take);
        socket.off("close", take).off("data", drop).off("error", drop).off("timeout", drop);
        return socket.setTimeout(0).ref();
      };
      socket.on("close", take).on("data", drop).on("error", drop).on("timeout", drop);
      socket.setTimeout(this.options.timeout).unref();
      ready.add(take);
    }
  };

/** The event of an open connection; with TLS, after the certificate was checked. */
const OPENED = { http: "connect", https: "secureConnect" };

/** The agent of each protocol. */
export function agents({ keepAliveMs, connectTimeoutMs, ca }) {
  // Deno resends a request when a reused connection closes without an answer.
  const options = { keepAlive: keepAliveMs > 0 && !isDeno, timeout: keepAliveMs || undefined, scheduling: "lifo", connectTimeoutMs };
  const agentFor = (protocol, more) => {
    const Agent = agentOf(builtin(`node:${protocol}`).Agent, OPENED[protocol]);
    return new Agent({ ...options, ...more });
  };
  return { "http:": agentFor("http"), "https:": agentFor("https", { ca }) };
}
