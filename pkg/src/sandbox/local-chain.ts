// A chain around a sandbox, for tests and development. What its node answers is in the core; here is what
// follows the sandbox, and the door.

import * as core from "build:sandbox";
import { callArgs, result } from "../crossing.js";
import type { ChainFaults } from "../generated.js";
import { type Answer, type BodyLimit, type Reply, type SandboxFetch, fetchShape } from "./fetch-shape.js";
import { BODY_LIMIT, FOLLOW, type Followed, QUOTE, SANDBOX } from "../symbols.js";

/** Where the node answers. */
const PATH = "/rpc";

/** Whether a request is for the node. Whatever the query says: a node's URL often has a key there. */
const isForNode = (path: string): boolean => path.split("?", 1)[0] === PATH;

/** How long what the sandbox holds has been there when the chain is made: longer than a block takes to be finalized. */
const PAST_MS = 60_000;

const MOST_BODY = 1 << 20;

/** Precedes each row. JSON never contains it. */
const SEPARATOR = "\x1e";

const EMPTY = new Uint8Array(0);

interface Doors {
  [SANDBOX]: Answer;
  [BODY_LIMIT]: BodyLimit;
  [QUOTE]: Function;
  [FOLLOW]: Followed;
}

function doorsOf(sandbox: { fetch: unknown }): Doors {
  const fetch = (sandbox?.fetch ?? {}) as Partial<Doors>;
  if (typeof fetch[FOLLOW] !== "object") throw new TypeError("LocalChain takes a sandbox");
  return fetch as Doors;
}

/**
 * A chain around a sandbox, for programs that read a chain: its tokens, wallets and holdings as accounts, its trades as
 * transactions, and a node that answers JSON-RPC at `/rpc`. Every other request to its `fetch` goes to the sandbox. So a client,
 * its service and its chain run without a network; `serve` puts them behind a port, and `npx launchpad-desk sandbox --rpc` does
 * all of it.
 *
 * A slot takes 400 milliseconds of the sandbox's clock, and a block is finalized 32 slots later. What the sandbox holds when the chain is
 * made is finalized. Mints and wallets must be base58 of 32 bytes, as the sandbox's own are: others are not on the chain.
 *
 * @example
 * ```js
 * import { curveAddress, readCurve } from "launchpad-desk/market";
 * import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const chain = new LocalChain(sandbox);
 * const address = curveAddress(sandbox.tokens[0].mint);
 * const params = [address, { encoding: "base64", commitment: "processed" }];
 * const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params });
 * const headers = { "content-type": "application/json" };
 * const response = await chain.fetch("https://sandbox.example/rpc", { method: "POST", headers, body });
 * const { result } = await response.json();
 * console.log(readCurve(sandbox.tokens[0].mint, { address, ...result.value }).complete); // false
 * ```
 */
export class LocalChain {
  readonly #core: core.LocalChain;
  readonly #stop: () => void;
  readonly #fetch: SandboxFetch;

  /**
   * The chain of a sandbox, from now on.
   *
   * @throws {TypeError} if it is not a sandbox.
   * @throws {TradeNotSentError} `invalid_request`, with every bad fault in `fields`.
   */
  constructor(sandbox: { readonly fetch: unknown }, faults?: ChainFaults) {
    const doors = doorsOf(sandbox);
    const followed = doors[FOLLOW];
    const began = Math.max(0, followed.now() - PAST_MS);
    const made = result<core.LocalChain>(
      core.makeLocalChain(callArgs({ faults }), followed.launchpad(), began),
      LocalChain,
    );
    const write = (rows: readonly string[], nowMs: number) =>
      void result(made.follow(rows.map((row) => SEPARATOR + row).join(""), nowMs));
    write([...followed.rows()].flat(), began);
    this.#core = made;
    this.#stop = followed.follow(write);
    const answer: Answer = (method, path, headers, body) =>
      isForNode(path)
        ? answerAt({ sandbox: doors[SANDBOX], chain: made, followed }, { method, headers, body })
        : doors[SANDBOX](method, path, headers, body);
    const bodyLimit: BodyLimit = (method, path, headers) => {
      if (!isForNode(path)) return doors[BODY_LIMIT](method, path, headers);
      return method === "POST" ? MOST_BODY : undefined;
    };
    this.#fetch = fetchShape(answer, bodyLimit, doors[QUOTE]);
  }

  /** Answers a request: JSON-RPC at `/rpc`, and anything else as the sandbox does. It may be used on its own. */
  get fetch(): SandboxFetch {
    return this.#fetch;
  }

  /**
   * Replaces what goes wrong with the node.
   *
   * @example
   * ```js
   * import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
   *
   * const chain = new LocalChain(new Sandbox());
   * chain.setFaults({ lagSlots: 40, refuseMethods: ["getTransaction"] });
   * ```
   *
   * @throws {TradeNotSentError} `invalid_request`, with every bad fault in `fields`.
   */
  setFaults(faults: ChainFaults): void {
    result(this.#core.setFaults(callArgs({ faults })), this.setFaults);
  }

  /** Stops following the sandbox. What its `fetch` reads at `/rpc` stays as it is. */
  stop(): void {
    this.#stop();
  }
}

const wrong = (status: number, why: string, ...headers: [string, string][]): Reply => ({
  status,
  headers: [["content-type", "text/plain"], ["cache-control", "no-store"], ...headers],
  cut: "none",
  latencyMs: 0,
  bodyMs: 0,
  body: new TextEncoder().encode(`${why}\n`),
});

/** Answers a request to the node. Which pages may ask, the sandbox decides: as it would at a path where there is nothing. */
async function answerAt(
  { sandbox, chain, followed }: { sandbox: Answer; chain: core.LocalChain; followed: Followed },
  { method, headers, body }: { method: string; headers: [string, string][]; body: Uint8Array },
): Promise<Reply> {
  if (method === "OPTIONS") return sandbox(method, "/v1/trade/buy", headers, EMPTY);
  const door = await sandbox("GET", PATH, headers, EMPTY);
  if (door.status === 403) return door;
  const kept = door.headers.filter(
    ([name]) => name.startsWith("access-control-") || name === "vary" || name === "x-simulated",
  );
  if (method !== "POST") return wrong(405, "the method must be POST", ["allow", "POST"], ...kept);
  if (body.length > MOST_BODY) return wrong(413, `the body is over ${MOST_BODY} bytes`, ...kept);
  const answered = chain.answer(body, followed.now());
  try {
    const head = result<Pick<Reply, "status" | "headers">>(answered.head());
    return {
      status: head.status,
      headers: [...head.headers, ...kept],
      cut: "none",
      latencyMs: 0,
      bodyMs: 0,
      body: answered.body(),
    };
  } finally {
    answered.free();
  }
}
