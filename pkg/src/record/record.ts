// What writes a record: around a client's fetch, journal and market. What a line is, is in the core (crates/record).

import * as core from "build:record";
import { result } from "../crossing.js";
import type { ClientOptions, Journal, Plan, TradeIntent } from "launchpad-desk";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { IntentOutcome, SandboxWallet } from "../generated.js";
import { FOLLOW, type Followed, MAY_SEND, UNSENT } from "../symbols.js";
import {
  type Fetch,
  type FetchInit,
  type FetchReply,
  bodyFor,
  codeOf,
  fetchFor,
  isUnsent,
  read,
  sayInTests,
  textOf,
} from "../runtime.js";
import { inJson } from "../json.js";
import { joined } from "../reply.js";
import { type Body, walletsOf } from "../body.js";

/** The header by which a record knows a trade, if the client sets no other. It is not sent. */
const OWN_HEADER = "x-record-intent";

/** The header of an intent at a gateway. */
const GATEWAY_HEADER = "idempotency-key";

/** Headers of an answer that say what it means. */
const KEPT_HEADERS = ["intent-state", "retry-after", "x-simulated"];

/** Options that say what replies mean. */
const DIALECT = [
  "slippageUnit",
  "identifiers",
  "maxBundleSize",
  "tokenDecimals",
  "replyNames",
  "buysMayExceed",
  "statusPolicy",
  "trustsFailure",
];

const LIMITS = [
  "maxLamportsPerTrade",
  "maxLamportsPerDay",
  "maxSlippage",
  "allowMints",
  "allowWallets",
  "maxImpactBps",
  "maxPriceAgeMs",
  "rateLimit",
  "inFlightPerWallet",
  "breaker",
];

/** Where the lines of a {@link DeskRecord} go: `fileRecord` of `launchpad-desk/node`, or your own. */
export interface RecordStore {
  /** The head that was appended last; empty for a new record. */
  head(): Promise<string>;
  /** Appends lines, with their line ends, and then keeps the new head in place of the old one. Called again once it has resolved. */
  append(lines: string, head: string): Promise<void>;
}

/** The parts of a plan that a {@link DeskRecord} needs. */
type AnyPlan = Pick<Plan, "intentId" | "operation" | "body" | "checksum">;

/** The parts of a sandbox that a {@link DeskRecord} needs. */
type AnySandbox = Pick<Sandbox, "fetch" | "tokens" | "wallets" | "curve">;

/** JSON in which a bigint is its decimal text. */
const jsonOf = (value: unknown): string => JSON.stringify(value, inJson) ?? "null";

/** These fields of an object, as far as they are there. */
const some = (of: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.map((name) => [name, (of as Record<string, unknown>)[name]]).filter(([, value]) => value !== undefined),
  );

/** An answer that has begun. */
interface ReplyHead {
  readonly intentId: string;
  readonly status: number;
  readonly headers: string;
}

/**
 * Writes the record of a desk: one line of JSON for each plan, approval, begin, send, answer, end, receipt and piece of evidence, each with the
 * hash of the line before it. The key is never in it, however a service may echo it; neither is the value of
 * `authorization`, or that of another header in `defaultHeaders`, from 8 characters on. See docs/record.md.
 *
 * A trade is sent only once its `send` line is kept: if that fails, it is `not_sent`. What comes after the send never changes its outcome; if it cannot
 * be kept, nothing more is sent.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { memoryJournal } from "launchpad-desk/browser";
 * import { DeskRecord, type RecordStore, verifyRecord } from "launchpad-desk/record";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * let [log, last] = ["", ""]; // on Node, Bun and Deno: fileRecord("desk.log") of launchpad-desk/node
 * const store: RecordStore = { head: async () => last, append: async (lines, head) => void ([log, last] = [log + lines, head]) };
 * const record = new DeskRecord(store);
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const plan = await client.plan("buy", request);
 * await record.plan(plan, sandbox);
 * await client.send(plan);
 * await record.written();
 *
 * const { verified, trades } = await verifyRecord(log, { head: last });
 * console.log(verified, trades); // true 1
 * ```
 */
export class DeskRecord {
  readonly #store: RecordStore;
  readonly #by: string;
  readonly #onError: (error: unknown) => void;
  #writer: Promise<core.Recorder> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #broken: { error: unknown } | undefined;
  /** What another program has said that the record has a line of. */
  #suspension: object | undefined;
  /** By which settings its trades are judged. */
  #settings: string | undefined;
  readonly #unread = new Map<string, ReplyHead>();

  /**
   * A record that goes on where its store ends.
   *
   * @param options - `by`: who writes, in each line, by default `desk`. `onError` gets why a line after a send could not be kept.
   */
  constructor(
    store: RecordStore,
    { by = "desk", onError = () => {} }: { by?: string; onError?: (error: unknown) => void } = {},
  ) {
    if (typeof store?.append !== "function" || typeof store.head !== "function")
      throw new TypeError("a record needs a store with head and append");
    this.#store = store;
    this.#by = by;
    this.#onError = onError;
  }

  /**
   * The options of a client whose trades are recorded: the same, with its `fetch`, `journal` and `market` watched. On Node, name the `fetch`:
   * `nodeFetch()` of `launchpad-desk/node` is what a client uses there by itself.
   *
   * @throws {TypeError} without a journal, on Node without a `fetch`, or for a second client whose limits, or options that say what replies
   * mean, are others: its trades would be judged by them, too.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { fileJournal, fileRecord, nodeFetch } from "launchpad-desk/node";
   * import { DeskRecord } from "launchpad-desk/record";
   *
   * const record = new DeskRecord(fileRecord("desk.log"));
   * const options = { baseURL: "https://service.example", fetch: nodeFetch(), journal: fileJournal("trades.journal") };
   * const client = new TradeClient(record.around(options));
   * ```
   */
  around<T extends ClientOptions>(options: T): T {
    const { journal, market, apiKey, apiKeyHeader, gateway, baseURL, intentHeader } = options as ClientOptions;
    if (!journal) throw new TypeError("a record needs a journal beside it");
    const given = options.fetch as Fetch | undefined;
    if (!given && isNode())
      throw new TypeError("on Node a record needs the fetch that sends: nodeFetch() of launchpad-desk/node");
    const header = gateway ? GATEWAY_HEADER : (intentHeader ?? OWN_HEADER).toLowerCase();
    const settings = { gateway: gateway === true, dialect: some(options, DIALECT), limits: some(options, LIMITS) };
    if ((this.#settings ??= jsonOf(settings)) !== jsonOf(settings))
      throw new TypeError("the record is of a client with other settings: give this one a record of its own");
    void this.#after((writer) => {
      if (typeof apiKey === "string") writer.keepOut(apiKey);
      return writer.add(Date.now(), "start", "", "", jsonOf({ baseURL: baseURL ?? null, ...settings }));
    });
    return {
      ...options,
      ...(!gateway && { intentHeader: header }),
      fetch: this.#watched(given, header, apiKeyHeader ?? "x-api-key"),
      journal: this.#kept(journal),
      ...(market && { market: this.#asked(market) }),
    };
  }

  /**
   * Records a plan: where it was made, and before it is sent by another program. With the market that its price is of, `verifyRecord` can
   * prove that price.
   *
   * @param market - the sandbox, or `look.sandbox` of a look of `launchpad-desk/market`. It is kept only if it gives exactly the plan's price.
   */
  plan(plan: AnyPlan, market?: AnySandbox | object): Promise<void> {
    const [planned, known] = [
      jsonOf(plan),
      market === undefined ? "" : jsonOf(isSandbox(market) ? marketOf(market, plan) : market),
    ];
    return this.#write((writer) => writer.plan(Date.now(), planned, known));
  }

  /** Records that a plan waits for a person: from now on `verifyRecord` expects an approval before it is sent. */
  ask({ intentId, checksum }: AnyPlan): Promise<void> {
    return this.#add("ask", intentId, "", { checksum });
  }

  /** Records that a person approved exactly this plan. */
  approve({ intentId, checksum }: AnyPlan, by: string): Promise<void> {
    return this.#add("approve", intentId, by, { checksum });
  }

  /**
   * Records what was found about a trade of unknown outcome. If it is acknowledged so after that, its end counts as proven.
   * A client whose market is watched does so by itself.
   */
  evidence(
    intentId: string,
    found: { readonly outcome: IntentOutcome; readonly signature?: string | null; readonly reconciled?: object },
  ): Promise<void> {
    return this.#add("evidence", intentId, found.outcome, found);
  }

  /** Records the order of an exit, such as an `ExitOrder` of `launchpad-desk/market`. */
  exit(intentId: string, reason: string, order: object): Promise<void> {
    return this.#add("exit", intentId, reason, order);
  }

  /**
   * Resolves once everything so far is kept.
   *
   * @throws why a line could not be kept.
   */
  async written(): Promise<void> {
    await this.#queue;
    if (this.#broken) throw this.#broken.error;
  }

  #add(act: string, intentId: string, detail: string, data: unknown): Promise<void> {
    const text = jsonOf(data);
    return this.#write((writer) => writer.add(Date.now(), act, intentId, detail, text));
  }

  /** Writes lines after those that are being written. Rejects if they, or any before, could not be kept. */
  #write(lines: (writer: core.Recorder) => unknown): Promise<void> {
    const written = this.#queue.then(async () => {
      if (this.#broken) throw this.#broken.error;
      try {
        const writer = await (this.#writer ??= this.#opened());
        const text = result<string>(lines(writer));
        if (text) await this.#store.append(text, `${writer.head()}\n`);
      } catch (error) {
        // The writer is ahead of what is kept, so nothing can follow.
        this.#broken = { error };
        throw error;
      }
    });
    this.#queue = written.catch(() => {});
    return written;
  }

  /** The same for what follows a send, or precedes all: a failure is reported, and stops the next trade. */
  async #after(lines: (writer: core.Recorder) => unknown): Promise<void> {
    await this.#write(lines).catch(this.#onError);
  }

  async #opened(): Promise<core.Recorder> {
    return result<core.Recorder>(core.makeRecorder((await this.#store.head()).trim(), this.#by));
  }

  /** A fetch that records what is sent, and what comes back. */
  #watched(given: Fetch | undefined, header: string, keyHeader: string): Fetch {
    const watched = async (url: string, init: FetchInit): Promise<FetchReply> => {
      const fetch = fetchFor(given) as Fetch;
      const { [header]: intentId = "", ...rest } = init.headers ?? {};
      const headers = header === OWN_HEADER ? rest : init.headers;
      // Only a trade is recorded: other requests are of no trade, and what keeps their headers out comes with a trade.
      if (init.method !== "POST" || typeof init.body !== "string")
        return fetch(url, headers ? { ...init, headers } : init);
      if (!given) sayInTests();
      const { body, signal } = init;
      const maySend = read(init, MAY_SEND);
      const isStopped = (): boolean => signal.aborted || (typeof maySend === "function" && !maySend());
      let isRecorded = false;
      try {
        await this.#write((writer) => {
          // Lines before it may have taken longer than the trade had: then it has none.
          if (isStopped()) return "";
          isRecorded = true;
          result(writer.keepHeadersOut(jsonOf(rest), keyHeader));
          return writer.add(Date.now(), "send", intentId, "", jsonOf({ url, body }));
        });
      } catch (error) {
        throw markUnsent(error);
      }
      try {
        // So may its own.
        if (!isRecorded || isStopped()) throw markUnsent(signal.reason ?? new Error("trading was stopped"));
        const sent = { ...init, ...(headers && { headers }), body: bodyFor(fetch, body) as string };
        return this.#watchReply(await fetch(url, sent), intentId);
      } catch (error) {
        if (isRecorded)
          void this.#after((writer) =>
            writer.add(Date.now(), "lost", intentId, codeOf(error), jsonOf({ unsent: isUnsent(error) })),
          );
        throw error;
      }
    };
    // A sandbox is known by the symbols on its fetch.
    for (const symbol of given ? Object.getOwnPropertySymbols(given) : [])
      Object.defineProperty(watched, symbol, Object.getOwnPropertyDescriptor(given, symbol) ?? {});
    const warm = read(given, "warm");
    return typeof warm === "function"
      ? Object.assign(watched, { warm: (...args: unknown[]) => warm.apply(given, args) as unknown })
      : watched;
  }

  /** A reply whose body is recorded once the client has read it. */
  #watchReply(reply: FetchReply, intentId: string): FetchReply {
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = textOf(reply.headers.get(name));
      return value ? [[name, value]] : [];
    });
    const head: ReplyHead = { intentId, status: reply.status, headers: jsonOf(Object.fromEntries(kept)) };
    this.#unread.set(intentId, head);
    const end = (bytes: Uint8Array): void => this.#answered(head, bytes);
    return new Proxy(reply, {
      get(target, name) {
        if (name === "body")
          return target.body && typeof read(target.body, "getReader") === "function"
            ? bodyHeard(target.body as ReadableStream<Uint8Array>, end)
            : target.body;
        if (name === "arrayBuffer") {
          return async () => {
            const buffer = await target.arrayBuffer();
            end(new Uint8Array(buffer.slice(0)));
            return buffer;
          };
        }
        const value = read(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  }

  /** Records an answer. A client that has stopped reading has judged it by its head. */
  #answered({ intentId, status, headers }: ReplyHead, body: Uint8Array | undefined): void {
    this.#unread.delete(intentId);
    void this.#after((writer) => writer.answer(Date.now(), intentId, status, headers, body));
  }

  /** A journal that records what begins and how it ends. */
  #kept(journal: Journal): Journal {
    const { keepSuspension, outsideMode } = journal;
    return {
      begin: async (intent: TradeIntent) => {
        await this.#add("begin", intent.intentId, intent.operation, intent);
        try {
          return await journal.begin(intent);
        } catch (error) {
          const none = { outcome: "not_sent", code: "journal_failed", status: null, signature: null, proven: false };
          void this.#after((writer) => writer.add(Date.now(), "settle", intent.intentId, none.outcome, jsonOf(none)));
          throw error;
        }
      },
      settle: async (intent, settlement, suspension) => {
        const unread = this.#unread.get(intent.intentId);
        if (unread) this.#answered(unread, undefined);
        const ended = jsonOf(some(settlement, ["outcome", "code", "status", "signature", "proven"]));
        const recorded = this.#after((writer) =>
          writer.add(Date.now(), "settle", intent.intentId, settlement.outcome, ended),
        );
        const kept = await journal.settle(intent, settlement, suspension);
        await recorded;
        return kept;
      },
      ...(keepSuspension && {
        keepSuspension: async (change) => {
          void this.#after((writer) => writer.add(Date.now(), "suspend", "", change.mode ?? "", jsonOf(change)));
          return await keepSuspension.call(journal, change);
        },
      }),
      ...methodsOf(journal, ["pending", "landed", "recall"]),
      ...(outsideMode && {
        outsideMode: () => {
          const change = outsideMode.call(journal);
          if (change !== undefined && change !== this.#suspension) {
            this.#suspension = change;
            void this.#after((writer) =>
              writer.add(Date.now(), "suspend", "", change.mode ?? "", jsonOf({ mode: change.mode, outside: true })),
            );
          }
          return change;
        },
      }),
    };
  }

  /** A market that records what it says about trades of unknown outcome. */
  #asked(market: NonNullable<ClientOptions["market"]>): NonNullable<ClientOptions["market"]> {
    return {
      ...methodsOf(market, ["quoteBody", "decimalsOf", "before", "confirm", "traded", "moved", "bought", "drift"]),
      settleTrade: async (trade, others, areAll) => {
        const settled = await market.settleTrade(trade, others, areAll);
        const { outcome } = settled;
        // Of a trade that was answered, only what the answer did not say.
        if (trade.answered && (outcome === "unknown" || outcome === trade.answered.outcome)) return settled;
        await this.#add("evidence", trade.intentId, outcome, settled);
        return settled;
      },
    };
  }
}

/** Those methods of an object that it has. A later change of one counts. */
const methodsOf = <T extends object, N extends keyof T>(of: T, names: readonly N[]): Pick<T, N> =>
  Object.fromEntries(
    names
      .filter((name) => of[name])
      .map((name) => [name, (...given: unknown[]) => (of[name] as (...given: unknown[]) => unknown)(...given)]),
  ) as Pick<T, N>;

const isNode = (): boolean => {
  const { process, Bun, Deno } = globalThis as {
    process?: { versions?: { node?: string } };
    Bun?: unknown;
    Deno?: unknown;
  };
  return process?.versions?.node !== undefined && Bun === undefined && Deno === undefined;
};

const markUnsent = (error: unknown): Error =>
  Object.defineProperty(error instanceof Error ? error : new Error(String(error)), UNSENT, {
    value: true,
    configurable: true,
  });

/** A body that passes a copy of all its bytes on once it has been read to its end. */
function bodyHeard(
  body: ReadableStream<Uint8Array>,
  end: (bytes: Uint8Array) => void,
): { getReader(): Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel" | "releaseLock"> } {
  return {
    getReader() {
      const reader = body.getReader();
      const pieces: Uint8Array[] = [];
      return {
        async read() {
          const piece = await reader.read();
          if (piece.done) end(joined(pieces));
          // A copy, because a stream may fill the same buffer again.
          else
            pieces.push(
              Uint8Array.from(new Uint8Array(piece.value.buffer, piece.value.byteOffset, piece.value.byteLength)),
            );
          return piece;
        },
        cancel: (reason) => reader.cancel(reason),
        releaseLock: () => reader.releaseLock(),
      };
    },
  };
}

const isSandbox = (market: object): market is AnySandbox => typeof read(read(market, "fetch"), FOLLOW) === "object";

/** What a sandbox has of a plan's token and wallets, as a config. */
function marketOf(sandbox: AnySandbox, { body }: AnyPlan): object {
  const followed = (sandbox.fetch as unknown as { [FOLLOW]: Followed })[FOLLOW];
  const asked = JSON.parse(body) as Body;
  const { mint } = asked;
  const named = walletsOf(asked);
  const holdingsOf = ({ tokenAccounts }: SandboxWallet) => tokenAccounts.filter((account) => account.mint === mint);
  return {
    launchpad: JSON.parse(followed.launchpad()) as object,
    tokens: sandbox.tokens
      .filter((token) => token.mint === mint)
      .map(({ symbol, name }) => {
        const curve = sandbox.curve(mint);
        const { launchpad: _, creatorBps, ...token } = curve.options;
        curve.free();
        return { mint, symbol, name, ...token, ...(creatorBps !== null && { creatorBps }) };
      }),
    wallets: sandbox.wallets
      .filter(({ wallet }) => named.includes(wallet))
      .map((one) => ({
        ...some(one, ["wallet", "lamports", "opensVolumeAccount"]),
        holdings: holdingsOf(one).map((held) => some(held, ["mint", "tokens", "lamports", "isFrozen", "staysOpen"])),
      })),
  };
}
