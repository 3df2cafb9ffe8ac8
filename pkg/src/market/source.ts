// Where a market's accounts come from: a node, or a function of the program. It posts the bodies that the core writes.

import * as core from "build:market";
import { within } from "../bound.js";
import { result } from "../crossing.js";
import { type MarketErrorCode, MOST_NODE_BYTES, MOST_REFUSAL_BYTES, NODE_TIMEOUT_MS } from "../generated.js";
import { type NodeCall, networkCode, nodeCall } from "../node-url.js";
import { bodyOf } from "../reply.js";
import { uncached } from "../runtime.js";
import type { MarketOptions } from "./market.js";
import { MarketError, failed } from "./market-error.js";

/** What a node returns for `getMultipleAccounts`: one value for each address, all of one slot. */
export type AccountsOfSlot = {
  /** The slot in which all of them were read. */
  context: { slot: number };
  /** The accounts in the order of the addresses, as a node returns them with the encoding `base64`; `null` where there is none. */
  value: readonly (object | null)[];
};

const encoder = new TextEncoder();

/** What a market asks: each call is answered whole, or throws a {@link MarketError}. */
export class Source {
  readonly #post: (body: string) => Promise<string | Uint8Array | Refused>;
  readonly #maxReplyBytes: number;
  /** Whether it shows transactions: a function that gives accounts does not. */
  readonly hasHistory: boolean;
  /** The most accounts that the node allows a call, if it has refused more. */
  mostAccounts: number | undefined;

  constructor({
    rpc,
    headers,
    accounts,
    timeoutMs = NODE_TIMEOUT_MS,
    maxReplyBytes = MOST_NODE_BYTES,
  }: Pick<MarketOptions, "rpc" | "headers" | "accounts" | "timeoutMs" | "maxReplyBytes">) {
    if ((rpc === undefined) === (accounts === undefined)) throw new TypeError("a market takes either rpc or accounts");
    if (headers !== undefined && typeof rpc !== "string") throw new TypeError("headers are of a URL: pass it as rpc");
    this.hasHistory = rpc !== undefined;
    this.#maxReplyBytes = maxReplyBytes;
    const late = (): never => {
      throw silent(`within ${timeoutMs} ms`);
    };
    if (accounts) this.#post = async (body) => replyOf(await within(timeoutMs, accounts(addressesIn(body)), late));
    else if (typeof rpc === "function") this.#post = async (body) => within(timeoutMs, rpc(body), late);
    else {
      const call = nodeCall(rpc as string, headers);
      this.#post = (body) => posted(call, body, timeoutMs, maxReplyBytes);
    }
  }

  /** The reply to a body, as bytes: in one call, or in as many as the node needs that allows few accounts a call. */
  async ask(body: string): Promise<Uint8Array> {
    const asking = core.asking(body, this.mostAccounts);
    let refused: number | undefined;
    try {
      for (let bodies = asking.bodies(); bodies.length; bodies = asking.bodies()) {
        for (const { status, bytes } of await Promise.all(bodies.map((one) => this.replied(one)))) {
          asking.replied(status, bytes);
          refused = status === 200 ? undefined : status;
        }
      }
      this.mostAccounts = asking.mostAccounts ?? this.mostAccounts;
      const reply = asking.reply();
      if (reply) return reply;
      const { message, code } = result<{ failed: { message: string; code: MarketErrorCode } }>(asking.failed()).failed;
      throw failed(code, message, refused);
    } finally {
      asking.free();
    }
  }

  /** The same, whatever its HTTP status; 200 where nobody says it. */
  async replied(body: string): Promise<Refused> {
    try {
      const reply = await this.#post(body);
      if (typeof reply === "object" && "status" in reply) return reply;
      if (reply.length > this.#maxReplyBytes) throw tooLong(this.#maxReplyBytes);
      return { status: 200, bytes: typeof reply === "string" ? encoder.encode(reply) : reply };
    } catch (thrown) {
      // Only a reason of our own or a code: a URL of a node often has a key in it.
      throw thrown instanceof MarketError ? thrown : silent(networkCode(thrown));
    }
  }
}

function addressesIn(body: string): string[] {
  const { params } = JSON.parse(body) as { params: [string[]] };
  return params[0];
}

const replyOf = (accounts: AccountsOfSlot): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result: accounts });

const silent = (why = ""): MarketError =>
  failed("unreachable", `the market's source gave no reply${why && ` (${why})`}`);
const tooLong = (most: number): MarketError =>
  failed("unreadable_reply", `the reply is longer than ${most} bytes (maxReplyBytes)`);

/** A reply with its HTTP status, which may be none of success. */
interface Refused {
  readonly status: number;
  readonly bytes: Uint8Array;
}

function posted(call: NodeCall, body: string, timeoutMs: number, most: number): Promise<Uint8Array | Refused> {
  const stop = new AbortController();
  // The abort alone does not end it: on Node 20 a request may lose its signal to garbage collection.
  return within(timeoutMs, answered(call, body, most, stop), () => {
    stop.abort();
    throw silent(`within ${timeoutMs} ms`);
  });
}

async function answered(
  { url, headers }: NodeCall,
  body: string,
  most: number,
  stop: AbortController,
): Promise<Uint8Array | Refused> {
  let isRead = false;
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "error",
      ...uncached(fetch),
      signal: stop.signal,
    });
    const { status } = reply;
    const isAnswer = reply.ok;
    const [kind, read] = await bodyOf(reply, isAnswer ? most : Math.min(most, MOST_REFUSAL_BYTES), { stop: 0 });
    isRead = kind === "body";
    if (!isAnswer) return { status, bytes: isRead ? (read as Uint8Array) : new Uint8Array() };
    if (isRead) return read as Uint8Array;
    throw kind === "tooLarge" ? tooLong(most) : silent();
  } finally {
    if (!isRead) stop.abort(); // what is not read is not sent either
  }
}
