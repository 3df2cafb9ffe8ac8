// `launchpad-desk/gateway`: the decisions of an edge gateway. A worker moves bytes and rows for it; everything else is in the core.

import * as core from "build:gateway";
import { callArgs, passBody, result } from "./crossing.js";
import { disposable, freed } from "./handle.js";

/** A row of the store: see {@link Gateway}. */
type GatewayRow = {
  /** Its key, which is unique. */
  key: string;
  /** JSON text; `null` if the row is to be deleted. */
  row: string | null;
};

/** An answer as it goes to the caller: see {@link Gateway}. */
export interface GatewayReply {
  status: number;
  /** Header names in lower case, with their values. */
  headers: [name: string, value: string][];
  /** The body; `null` for none, because some statuses must not have one. */
  body: string | null;
}

/** A request as the runtime received it, for {@link Gateway}. */
export interface GatewayRequest {
  method: string;
  /** Path and query, unchanged. */
  path: string;
  /** The headers, such as those of a `Request`. */
  headers: Iterable<[name: string, value: string]>;
  /** The whole body; `null` if it is longer than `maxBodyBytes`. */
  body: Uint8Array | null;
  /** The texts of the rows for which a step `read` asked, in the order of their keys. */
  rows?: Iterable<string>;
  /** What came of the call for which a step `look` asked. */
  look?: GatewayForwardResult;
}

/** Reads the rows of a desk, in the order of their keys: from the first key until before the second. See {@link Gateway}. */
type ReadRows = (from: string, until: string) => Iterable<{ key: string; row: string }>;

/** Rows to write before anything else is done: see {@link Gateway}. */
export interface GatewayRows {
  /** To be written in one transaction. */
  rows: GatewayRow[];
  /** When to wake the desk next, in milliseconds since 1970; `null` for never. */
  alarmAtMs: number | null;
}

/** Answer the request. */
type GatewayAnswer = GatewayRows & { kind: "answer"; reply: GatewayReply };

/** Nothing more to do. */
type GatewayNothing = GatewayRows & { kind: "nothing" };

/** Send a POST to the service, once; then `forwarded`. */
type GatewayForward = GatewayRows & {
  kind: "forward";
  /** The id of the forward. */
  id: string;
  /** Where it goes. */
  url: string;
  /** All headers. Only these contain the key. */
  headers: [name: string, value: string][];
  /** The exact body. */
  body: string;
  /** How long it may take, in milliseconds. */
  timeoutMs: number;
  /** The longest reply that is read, in bytes. */
  maxReplyBytes: number;
};

/** What to do once the rows are written, as `kind` says: see {@link Gateway}. */
export type GatewayStep =
  | GatewayAnswer
  | GatewayForward
  | GatewayNothing
  /** Read the rows from the first key until before the second, and handle the same request again with them. */
  | (GatewayRows & { kind: "read"; from: string; until: string })
  /** Post this to the node, and handle the same request again with whatever came. */
  | (GatewayRows & { kind: "look"; call: GatewayChainCall })
  /** The same intent is in flight: wait for the answer of that forward, `waitMs` at most, and ask again, or answer `reply`, a 409. */
  | (GatewayRows & { kind: "wait"; id: string; waitMs: number; reply: GatewayReply });

/** What to do after an alarm, once the rows are written, as `kind` says: see {@link Gateway}. */
export type GatewayAlarmStep =
  | GatewayNothing
  /** Read these rows of the audit log, from the first key until before the second; then `checked`. */
  | (GatewayRows & { kind: "check"; from: string; until: string })
  /** Read the rows with these keys, as far as they exist; then `inquire` about the intent in doubt with this id. */
  | (GatewayRows & { kind: "inquire"; id: string; keys: string[] })
  /** Post this to the node; then `replied`, with this number. */
  | (GatewayRows & { kind: "ask"; number: number; call: GatewayChainCall });

/** The result of a forward, for {@link Gateway}, or of a call to the node: the reply, or why there is none. */
export type GatewayForwardResult =
  | {
      status: number;
      headers: Iterable<[name: string, value: string]>;
      body: Uint8Array;
      /**
       * Whether its connection may have carried other requests, as those of `fetch` do. If the service replied twice to one of these, this
       * reply answers that one. So without a signature it proves nothing: the outcome is unknown.
       */
      isShared?: boolean;
    }
  | {
      /**
       * No reply in time; no reply, or an incomplete one; one longer than `maxReplyBytes`; or proof that nothing was sent, such as no open
       * connection.
       */
      failure: "timeout" | "broken" | "tooLarge" | "unsent";
    };

/**
 * Where a request goes, to a desk's object, to the node, to the market of the sandbox behind a desk or to the operators' page, or the
 * answer itself: what {@link GatewayFront} gives.
 */
type GatewayRoute =
  | { desk: string; chain?: undefined; market?: undefined; page?: undefined; reply?: undefined }
  | { chain: true; desk?: undefined; market?: undefined; page?: undefined; reply?: undefined }
  | { market: string; desk?: undefined; chain?: undefined; page?: undefined; reply?: undefined }
  | { page: true; desk?: undefined; chain?: undefined; market?: undefined; reply?: undefined }
  | { reply: GatewayReply; desk?: undefined; chain?: undefined; market?: undefined; page?: undefined };

/** What to post to the node, with the content type `application/json`: what {@link GatewayFront} and {@link Gateway} give. */
type GatewayChainCall = {
  /** The node's URL. Only this has its key. */
  url: string;
  /** The exact body. */
  body: string;
  /** How long it may take, in milliseconds. */
  timeoutMs: number;
  /** The longest reply that is read, in bytes. */
  maxReplyBytes: number;
};

const NO_BYTES = new Uint8Array();
const utf8 = new TextEncoder();

/** The parts of a request that the core reads, except the body and the rows. */
const askedOf = ({ method, path, headers }: Omit<GatewayRequest, "body">, more?: object) =>
  callArgs({ method, path, headers: [...headers], ...more });

/** The texts of rows, in bytes: arguments would lose the longest. */
const joined = (rows: Iterable<string>): Uint8Array => utf8.encode([...rows].map((row) => `\x1e${row}`).join(""));

/** What came of a call to the node, and the bytes of its reply. */
const partsOf = (answer: GatewayForwardResult): [{ failure: string } | { status: number }, Uint8Array] =>
  "failure" in answer ? [{ failure: answer.failure }, NO_BYTES] : [{ status: answer.status }, answer.body];

/** How long the pieces are in which rows are passed: short enough for the memory that is kept for arguments. */
const PIECE = 1 << 14;

/** Joins keys and rows, in turn, into texts of about this length. */
function* sequencesOf(rows: Iterable<{ key: string; row: string }>): Generator<string> {
  let sequence = "";
  for (const { key, row } of rows) {
    sequence += `\x1e${key}\x1e${row}`;
    if (sequence.length < PIECE) continue;
    yield sequence;
    sequence = "";
  }
  yield sequence;
}

/** The rows that a start needs: those of the state, which say which ones of the audit log. */
function* rowsOfStart(read: core.GatewayRows, rows: ReadRows): Generator<Iterable<{ key: string; row: string }>> {
  for (const isOfAudit of [false, true]) {
    const [from, until] = result<[string, string]>(read.range(isOfAudit));
    yield rows(from, until);
  }
}

/** Reads rows into the core. */
function readRows(
  ranges: (read: core.GatewayRows) => Iterable<Iterable<{ key: string; row: string }>>,
): core.GatewayRows {
  const read = core.gatewayRows();
  try {
    for (const rows of ranges(read))
      for (const sequence of sequencesOf(rows)) result(read.add(passBody(sequence)), Gateway);
    return read;
  } catch (error) {
    read.free();
    throw error;
  }
}

/** What {@link verifyAuditLog} found. */
export interface AuditVerdict {
  /** Whether every row fits. */
  whole: boolean;
  /** How many rows were read. */
  rows: number;
  /** The number and the hash of the last row that was read; `null` without any. Keep them, to pass them as `head` another time. */
  last: { number: number; hash: string } | null;
  /** The first bad row, by its line from one, and what is wrong with it. */
  bad: { line: number; reason: string } | null;
}

/**
 * Checks an audit log as `GET /desk/audit` exports it: no row was changed, left out or moved. It reads one line at a time, needs no
 * network, and stops at the first bad row.
 *
 * Without the first rows, it checks the others: after `head`, they must go on right after it. Without `head`, it cannot know whether rows
 * are missing at the end.
 *
 * @example
 * ```js
 * import { verifyAuditLog } from "launchpad-desk/gateway";
 *
 * const lines = ['{"number":0,"previous":""}', '{"number":2,"previous":""}']; // of an export; rows have more fields
 * const { bad } = await verifyAuditLog(lines);
 * console.log(bad?.line, bad?.reason); // 2 entry 1 is missing
 * ```
 *
 * @param lines - the lines of the export, without their line breaks; empty ones are skipped.
 * @param head - the number and the hash of the newest row, as the header `audit-head` has them, or as an earlier verdict had them.
 */
export async function verifyAuditLog(
  lines: Iterable<string> | AsyncIterable<string>,
  head?: { number: number; hash: string },
): Promise<AuditVerdict> {
  const check = core.auditCheck(head?.number, head?.hash);
  try {
    let [line, rows, bad] = [0, 0, null as AuditVerdict["bad"]];
    const last = () => result<AuditVerdict["last"]>(check.last());
    for await (const row of lines) {
      line++;
      if (!row) continue;
      rows++;
      const reason =
        check.add(row) ?? (head && last()?.number === head.number ? check.end(head.number, head.hash) : undefined);
      if (reason === undefined) continue;
      bad = { line, reason };
      break;
    }
    const end = last();
    // A log that has grown since goes on after the head, which was compared on the way.
    if (!bad && head && (!end || end.number < head.number))
      bad = { line: line + 1, reason: check.end(head.number, head.hash) ?? "" };
    return { whole: !bad, rows, last: end, bad };
  } finally {
    check.free();
  }
}

/**
 * The part of a gateway that needs no state: it decides who may come in, and to which desk.
 *
 * @example
 * ```js
 * import { GatewayFront } from "launchpad-desk/gateway";
 *
 * const front = GatewayFront.of('{"desks":[{"name":"alpha"}]}');
 * const { reply } = front.route({ method: "POST", path: "/v1/trade/buy", headers: [] });
 * console.log(reply?.status); // 401
 * ```
 */
export class GatewayFront {
  #core: core.GatewayFront | undefined;

  private constructor(made: core.GatewayFront) {
    this.#core = made;
  }

  /**
   * Makes the front for these settings. It never throws: if the settings cannot be used, every request is answered 503, and
   * {@link problems} says why.
   *
   * @param upstreamKey - the service's key, which is checked but not kept.
   * @param rpc - the URL of a node that pages may read by `/v1/chain`; without it there is none.
   */
  static of(settings: string | undefined, upstreamKey?: string | undefined, rpc?: string | undefined): GatewayFront {
    const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
    return new GatewayFront(core.gatewayFront(text(settings), text(upstreamKey), text(rpc)));
  }

  get #open(): core.GatewayFront {
    return this.#core ?? freed("GatewayFront");
  }

  /** What is wrong with the settings, for a log: a sentence for each bad field. */
  get problems(): string[] {
    return result(this.#open.problems());
  }

  /** The longest body of a request, in bytes. There is no need to read more of a longer one. */
  get maxBodyBytes(): number {
    return this.#open.maxBodyBytes();
  }

  /**
   * Where a request goes: to a desk's object; as `chain`, to the node; as `market`, to the sandbox behind that desk, at the same path; as
   * `page`, because an operator's browser opens the desk, to the operators' page; or the answer itself, for an unknown path, a missing
   * token, a page of an unlisted origin, or a health check.
   */
  route(request: Omit<GatewayRequest, "body">): GatewayRoute {
    const asked = askedOf(request);
    return result(this.#open.route(asked), this.route);
  }

  /** What to post to the node for a request that goes to it, or the answer. Only calls that read are passed on. */
  chainCall(
    request: GatewayRequest,
  ): { call: GatewayChainCall; reply?: undefined } | { call?: undefined; reply: GatewayReply } {
    return result(this.#open.chainCall(request.body ?? undefined, askedOf(request)), this.chainCall);
  }

  /** The answer to such a request, from the result of the call. */
  chainAnswer(request: Omit<GatewayRequest, "body">, answer: GatewayForwardResult): GatewayReply {
    const [more, body] = partsOf(answer);
    const asked = askedOf(request, more);
    return result(this.#open.chainAnswer(body, asked), this.chainAnswer);
  }

  /** The head of the answer to a request that goes to a market, from that of the sandbox's reply. The body goes with it as it comes. */
  marketAnswer(request: Omit<GatewayRequest, "body">, status: number, contentType: string | null): GatewayReply {
    const asked = askedOf(request, { status, contentType });
    return result(this.#open.marketAnswer(asked), this.marketAnswer);
  }

  /** The answer to a request whose body was cut off. */
  incomplete(request: Omit<GatewayRequest, "body">): GatewayReply {
    const asked = askedOf(request);
    return result(this.#open.incomplete(asked), this.incomplete);
  }

  /** The answer to a request that the desk's object failed to answer. Its outcome is unknown, and the caller may ask again with the same intent. */
  interrupted(request: Omit<GatewayRequest, "body">): GatewayReply {
    const asked = askedOf(request);
    return result(this.#open.interrupted(asked), this.interrupted);
  }

  /** Frees its memory. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(GatewayFront);

/**
 * One desk of a gateway, which a Durable Object holds. Each call returns the rows that changed: write them in one transaction before
 * you do anything else. If that fails, nothing was sent: make the desk again from its rows.
 *
 * @example
 * ```js
 * import { Gateway } from "launchpad-desk/gateway";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const token = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // the SHA-256 of "abc"
 * const settings = JSON.stringify({ desks: [{ name: "alpha" }], callers: [{ name: "bot", desk: "alpha", tokenSha256: token }] });
 * const random = new Uint8Array(32); // filled by crypto.getRandomValues when you go live
 * const gateway = new Gateway({ settings, desk: "alpha" }, () => [], Date.now());
 * const { fetch } = new Sandbox(); // without an `upstream`, trades are for a sandbox
 *
 * const headers = new Headers({ authorization: "Bearer abc", "content-type": "application/json", "idempotency-key": "signal-1" });
 * const request = { mint: "SimMoonRabbit111111111111111111111111111111", fromWallet: "SimTraderAda1111111111111111111111111111111", amountInLamports: 5_000_000 };
 * const body = new TextEncoder().encode(JSON.stringify(request));
 * const step = gateway.request(Date.now(), random, { method: "POST", path: "/v1/trade/buy", headers, body });
 * if (step.kind !== "forward" || !gateway.maySend(step.id)) throw new Error("it may not be sent");
 * const reply = await fetch(step.url, { method: "POST", headers: step.headers, body: step.body });
 * const came = { status: reply.status, headers: reply.headers, body: new Uint8Array(await reply.arrayBuffer()) };
 * const answer = gateway.forwarded(Date.now(), step.id, came);
 * console.log(answer.kind, answer.kind === "answer" && answer.reply.status); // answer 200
 * ```
 */
export class Gateway {
  #core: core.GatewayDesk | undefined;

  /**
   * Restores a desk from its rows. Intents that were in flight when the rows were written are now in doubt.
   *
   * @param config - the settings as JSON text, the name of the desk, the service's key if it needs one, and the URL of a node if
   *   the desk is to read the chain.
   * @param rows - reads the rows that were written.
   * @throws {TradeNotSentError} `invalid_options`: settings, a key or rows that cannot be used.
   */
  constructor(
    config: { settings: string; desk: string; upstreamKey?: string | undefined; rpc?: string | undefined },
    rows: ReadRows,
    nowMs: number,
  ) {
    const { settings, desk, upstreamKey, rpc } = config;
    const read = readRows((read) => rowsOfStart(read, rows));
    this.#core = result(core.restoreGateway(callArgs({ settings, desk, upstreamKey, rpc }), read, nowMs), Gateway);
  }

  get #open(): core.GatewayDesk {
    return this.#core ?? freed("Gateway");
  }

  /** The rows that change at the start. Write them before the first request. */
  get start(): GatewayRows {
    return result(this.#open.start());
  }

  /** The longest body of a request, in bytes. */
  get maxBodyBytes(): number {
    return this.#open.maxBodyBytes();
  }

  /**
   * Decides what to do with a request.
   *
   * @param entropy - at least 16 bytes that nobody can guess, for the ids that are made.
   */
  request(nowMs: number, entropy: Uint8Array, request: GatewayRequest): GatewayStep {
    const { body, look } = request;
    const [answered, looked] = look ? partsOf(look) : [undefined, NO_BYTES];
    const rows = request.rows && joined(request.rows);
    const asked = askedOf(request, answered && { look: answered });
    return result(this.#open.request(nowMs, entropy, body ?? undefined, rows, looked, asked), this.request);
  }

  /**
   * Whether a trade that is about to be forwarded may still go: somebody may have stopped trading since its rows were written. Ask this right
   * before the request is sent; if it may not go, report it with the failure `unsent`.
   */
  maySend(id: string): boolean {
    return this.#open.maySend(id);
  }

  /** Decides what the reply to a forward means: the answer for the caller. */
  forwarded(nowMs: number, id: string, forwarded: GatewayForwardResult): GatewayAnswer | GatewayNothing {
    if ("failure" in forwarded)
      return result(
        this.#open.forwarded(nowMs, NO_BYTES, callArgs({ id, failure: forwarded.failure })),
        this.forwarded,
      );
    const { status, headers, body, isShared } = forwarded;
    const reply = callArgs({ id, status, headers: [...headers], isShared });
    return result(this.#open.forwarded(nowMs, body, reply), this.forwarded);
  }

  /**
   * Call this at `alarmAtMs`: what has waited too long expires, old keys are forgotten, what a start has left of the audit log is
   * checked, and the chain is asked about what is in doubt.
   */
  alarm(nowMs: number): GatewayAlarmStep {
    return result(this.#open.alarm(nowMs), this.alarm);
  }

  /**
   * Begins to find out how an intent in doubt ended, with the rows that a step `inquire` asked for.
   *
   * @param id - the id of the step.
   * @param rows - the texts of the rows.
   */
  inquire(nowMs: number, id: string, rows: Iterable<string>): GatewayAlarmStep {
    return result(this.#open.inquire(nowMs, id, joined(rows)), this.inquire);
  }

  /**
   * Checks a part of the audit log that the start has left: the newest entries are checked before the first request, the
   * others after it, a part at each alarm, so that no trade waits for them.
   *
   * @param rows - the rows that a step `check` asked for.
   */
  checked(nowMs: number, rows: Iterable<{ key: string; row: string }>): GatewayAlarmStep {
    const desk = this.#open;
    const read = readRows(() => [rows]);
    return result(desk.checked(nowMs, read), this.checked);
  }

  /**
   * Decides what the node's reply to a step `ask` means.
   *
   * @param number - the number of the step. The reply to any other call changes nothing.
   */
  replied(nowMs: number, number: number, answer: GatewayForwardResult): GatewayAlarmStep {
    const [more, body] = partsOf(answer);
    return result(this.#open.replied(nowMs, number, body, callArgs(more)), this.replied);
  }

  /** Frees its memory. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Gateway);
