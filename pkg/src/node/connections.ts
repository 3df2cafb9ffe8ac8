// Agents of node:http and node:https that give a request its connection only once it is open, with TLS set up and the certificate
// checked. Any failure before that has sent nothing, whatever its error code. A connection that waits for a request is closed as
// soon as anything arrives on it: that cannot answer a request that is not written yet.

import type { LookupAddress } from "node:dns";
import type { AgentOptions, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { builtin } from "./builtin.js";
import type { Settings } from "./fetch.js";
import { proxyEnv } from "./proxy.js";
import { isDeno, isNode } from "./runtime.js";
import { failure } from "./unsent.js";

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
  readonly options: AgentOptions & { connectTimeoutMs: number; proxyEnv?: object | undefined };
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

type Found = (error: null, address: string, family: number) => void;

/** When the next address of a host is tried, in milliseconds, as in RFC 8305. */
const NEXT_ADDRESS_MS = 250;

/** A host's addresses, of both families by turns. */
function byTurns(addresses: readonly LookupAddress[]): LookupAddress[] {
  const turns = addresses.map((address, index) => ({
    address,
    turn: addresses.slice(0, index).filter(({ family }) => family === address.family).length,
  }));
  return turns.sort((one, other) => one.turn - other.turn).map(({ address }) => address);
}

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
    /** What ends each connection that is being opened. */
    #opening = new Set<() => void>();

    override createConnection(options: Address, handOver: Done): Socket | undefined {
      // Node's own way through a proxy opens the connection by itself.
      if (this.options.proxyEnv) return super.createConnection(options, handOver);
      const take = this.#readyFor(options).values().next().value;
      if (take) return take();
      this.#open(options, handOver);
      return undefined;
    }

    warm(target: Target): Promise<void> {
      if (this.options.proxyEnv || this.isReady(target)) return Promise.resolve();
      const options = this.#optionsFor(target);
      return new Promise((resolve, reject) =>
        this.#open(options, (error, socket) => (socket ? resolve(this.#keep(options, socket)) : reject(error))),
      );
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
      for (const cancel of [...this.#opening]) cancel();
      for (const ready of this.#ready.values()) for (const take of [...ready]) take().destroy();
      super.destroy();
    }

    #optionsFor({ hostname, port }: Target) {
      const host = hostname ?? "";
      return {
        ...this.options,
        host,
        port: port ?? this.defaultPort,
        servername: builtin("node:net").isIP(host) ? "" : host,
      };
    }

    #readyFor({ host, port }: Address): Set<() => Socket> {
      const key = `${host}:${port}`;
      let ready = this.#ready.get(key);
      if (!ready) this.#ready.set(key, (ready = new Set()));
      return ready;
    }

    /**
     * Opens a connection to one of the host's addresses. The next one is tried soon, and the earlier ones go on: neither a family that does not
     * answer nor a slow address takes the time of the others. The first that is open is the connection.
     */
    #open(options: Address, done: Done): void {
      const { connectTimeoutMs } = this.options;
      const trying = new Map<Socket, () => void>();
      let [waiting, pauseMs, firstError]: [LookupAddress[], number, unknown] = [[], 0, undefined];
      let next: NodeJS.Timeout | undefined;
      let late: NodeJS.Immediate | undefined;
      const forget = (socket: Socket): void => {
        trying.get(socket)?.();
        trying.delete(socket);
      };
      const drop = (socket: Socket): void => {
        forget(socket);
        socket.on("error", () => {}).destroy();
      };
      const settle = (error: unknown, socket?: Socket): void => {
        if (!this.#opening.delete(cancel)) return;
        clearTimeout(timer);
        clearTimeout(next);
        clearImmediate(late);
        if (socket) forget(socket);
        for (const other of [...trying.keys()]) drop(other);
        done(error, socket);
      };
      const attempt = (address?: LookupAddress): void => {
        const only = address && {
          autoSelectFamily: false,
          lookup: (_host: string, _options: object, found: Found) => found(null, address.address, address.family),
        };
        let socket: Socket;
        try {
          // Without a callback, Node's own method returns the connection synchronously.
          socket = super.createConnection({ ...options, ...only }) as Socket;
        } catch (error) {
          return settle(error);
        }
        const fail = (error: unknown): void => {
          firstError ??= error;
          drop(socket);
          if (waiting.length > 0) tryNext();
          else if (trying.size === 0) settle(firstError);
        };
        const open = (): void => settle(null, socket);
        const close = (): void => fail(failure("ECONNRESET", "the connection closed before it was open"));
        trying.set(socket, () => void socket.off(opened, open).off("error", fail).off("close", close));
        socket.once(opened, open).once("error", fail).once("close", close);
      };
      const tryNext = (): void => {
        clearTimeout(next);
        const address = waiting.shift();
        if (waiting.length > 0) next = setTimeout(tryNext, pauseMs);
        if (address) attempt(address);
      };
      const cancel = (): void => settle(failure("ECONNRESET", "the connection closed before it was open"));
      this.#opening.add(cancel);
      const tooLong = () => settle(failure("ETIMEDOUT", "the connection took too long to open"));
      // Wait one turn of the event loop first: a busy program may not have noticed yet that it is open.
      const timer = setTimeout(() => (late = setImmediate(tooLong)), connectTimeoutMs);
      const { host } = options;
      if (!isNode || builtin("node:net").isIP(host)) return attempt();
      const { lookup, ADDRCONFIG } = builtin("node:dns");
      lookup(host, { all: true, hints: process.platform === "win32" ? 0 : ADDRCONFIG }, (error, found) => {
        if (!this.#opening.has(cancel)) return;
        if (error) return settle(error);
        waiting = byTurns(found);
        pauseMs = Math.min(NEXT_ADDRESS_MS, connectTimeoutMs / (2 * waiting.length));
        tryNext();
      });
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

export function agents({ connectionPerTrade, keepAliveMs, connectTimeoutMs, ca }: Settings): {
  [protocol: string]: WarmAgent;
} {
  // Deno resends a request when a reused connection closes without an answer.
  const options = {
    keepAlive: !connectionPerTrade && !isDeno,
    timeout: keepAliveMs,
    scheduling: "lifo",
    connectTimeoutMs,
    proxyEnv: isNode ? proxyEnv(builtin("node:https").globalAgent) : undefined,
  };
  // The events that say that a connection is open; with TLS, after the certificate was checked.
  const Plain = agentOf(builtin("node:http").Agent as unknown as AgentClass, "connect");
  const Secure = agentOf(builtin("node:https").Agent as unknown as AgentClass, "secureConnect");
  return { "http:": new Plain(options), "https:": new Secure({ ...options, ca }) };
}
