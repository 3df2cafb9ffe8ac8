// Agents of node:http and node:https that give a request its connection only once it is open, with TLS set up and the certificate
// checked. Any failure before that has sent nothing, whatever its error code. A connection that waits for a request is closed as
// soon as anything arrives on it: that cannot answer a request that is not written yet.

import type { AgentOptions, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { builtin } from "./builtin.js";
import { isDeno } from "./runtime.js";
import { failure } from "./unsent.js";

/** Where a connection leads. */
interface Address {
  host: string;
  port: number | string;
}

/** The address for an agent to connect to, with the names of node:url. */
interface Target {
  hostname?: string | null | undefined;
  port?: number | string | null | undefined;
}

type Done = (error: unknown, socket?: Socket) => void;

/** The parts of an agent that its types lack. Node documents them for subclasses. */
interface Agent {
  readonly options: AgentOptions & { connectTimeoutMs: number };
  readonly defaultPort: number;
  readonly freeSockets: { readonly [name: string]: unknown[] | undefined };
  getName(options: object): string;
  createConnection(options: object, done?: Done): Socket | undefined;
  keepSocketAlive(socket: Socket): boolean;
  reuseSocket(socket: Socket, request: ClientRequest): void;
  destroy(): void;
}

/** An agent that can also open connections ahead. */
export interface WarmAgent extends Agent {
  /** Opens a connection for a later request, unless one is ready. */
  warm(target: Target): Promise<void>;
  /** Whether a connection waits for a request. */
  isReady(target: Target): boolean;
}

type AgentClass = new (options: object) => Agent;

/** What ends a connection that was opened ahead. */
const ENDS = ["data", "end", "error", "timeout", "close"];

/** Closes a connection that was kept; the agent forgets it now, not only once it is closed. */
function closeKept(this: Socket): void {
  this.destroy().emit("agentRemove");
}

/** An agent whose connections are open once they emit `opened`. */
const agentOf = (Agent: AgentClass, opened: string): new (options: object) => WarmAgent =>
  class extends Agent {
    /** host:port → how to take each connection that was opened ahead */
    #ready = new Map<string, Set<() => Socket>>();
    /** Connections that are being opened. */
    #opening = new Set<Socket>();

    override createConnection(options: Address, handOver: Done): Socket | undefined {
      const take = this.#readyFor(options).values().next().value;
      if (take) return take();
      this.#open(options, handOver);
      return undefined;
    }

    warm(target: Target): Promise<void> {
      if (this.isReady(target)) return Promise.resolve();
      const options = this.#optionsFor(target);
      return new Promise((resolve, reject) => this.#open(options, (error, socket) => (socket ? resolve(this.#keep(options, socket)) : reject(error))));
    }

    isReady(target: Target): boolean {
      const options = this.#optionsFor(target);
      return this.#readyFor(options).size > 0 || (this.freeSockets[this.getName(options)]?.length ?? 0) > 0;
    }

    override keepSocketAlive(socket: Socket): boolean {
      const canKeep = super.keepSocketAlive(socket);
      if (canKeep) socket.on("data", closeKept).on("end", closeKept);
      return canKeep;
    }

    override reuseSocket(socket: Socket, request: ClientRequest): void {
      socket.off("data", closeKept).off("end", closeKept);
      super.reuseSocket(socket, request);
    }

    override destroy(): void {
      for (const socket of this.#opening) socket.destroy();
      for (const ready of this.#ready.values()) for (const take of [...ready]) take().destroy();
      super.destroy();
    }

    #optionsFor({ hostname, port }: Target) {
      const host = hostname ?? "";
      return { ...this.options, host, port: port ?? this.defaultPort, servername: builtin("node:net").isIP(host) ? "" : host };
    }

    #readyFor({ host, port }: Address): Set<() => Socket> {
      const key = `${host}:${port}`;
      let ready = this.#ready.get(key);
      if (!ready) this.#ready.set(key, (ready = new Set()));
      return ready;
    }

    #open(options: Address, done: Done): void {
      // Without a callback, Node's own method returns the connection synchronously.
      const socket = super.createConnection(options) as Socket;
      this.#opening.add(socket);
      const settle = (error?: unknown): void => {
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
      let late: NodeJS.Immediate | undefined;
      // Wait one turn of the event loop first: a busy program may not have noticed yet that it is open.
      const timer = setTimeout(() => (late = setImmediate(tooLong)), this.options.connectTimeoutMs);
      socket.once(opened, settle).once("error", settle).once("close", onClose);
    }

    /** Keeps an open connection for the next request, as long as the other side leaves it open and sends nothing. */
    #keep(options: Address, socket: Socket): void {
      const ready = this.#readyFor(options);
      const drop = () => void take().destroy();
      const take = (): Socket => {
        ready.delete(take);
        for (const event of ENDS) socket.off(event, drop);
        return socket.setTimeout(0).ref();
      };
      for (const event of ENDS) socket.on(event, drop);
      socket.setTimeout(this.options.timeout as number).unref();
      ready.add(take);
    }
  };

/** Settings for agents, which `nodeFetch` has checked. */
export interface AgentSettings {
  connectionPerTrade: boolean;
  keepAliveMs: number;
  connectTimeoutMs: number;
  ca?: unknown;
}

/** The agent of each protocol. */
export function agents({ connectionPerTrade, keepAliveMs, connectTimeoutMs, ca }: AgentSettings): { [protocol: string]: WarmAgent } {
  // Deno resends a request when a reused connection closes without an answer.
  const options = { keepAlive: !connectionPerTrade && !isDeno, timeout: keepAliveMs, scheduling: "lifo", connectTimeoutMs };
  // The events that say that a connection is open; with TLS, after the certificate was checked.
  const Plain = agentOf(builtin("node:http").Agent as unknown as AgentClass, "connect");
  const Secure = agentOf(builtin("node:https").Agent as unknown as AgentClass, "secureConnect");
  return { "http:": new Plain(options), "https:": new Secure({ ...options, ca }) };
}
