// Finds out the outcome of trades without an answer: those of a page that was closed, those of unknown outcome, and those that
// wait for approval. One page at a time looks after each; when that page is closed, another goes on.
//
// Nothing is sent for this. Asking a gateway about an intent only reads: if the trade never got there, asking does not make it.
// Only if the intent has ended there, its recorded answer is fetched, with the same bytes and the same intent id.

import {
  type ClientOptions,
  type IntentDetails,
  type SendOptions,
  type SettledTrade,
  TradeClient,
  view,
} from "launchpad-desk";
import { type Found, type IntentState, REMEMBERED_MS } from "../../generated.js";
import { type Attempt, isOpen, stateOf } from "./attempt.js";
import type { Desk } from "../desk.js";
import { atGateway } from "./machine.js";
import type { GatewayIntent, World } from "../worlds/world.js";

/** The pause between two questions to a gateway about the same intent. */
const REST_MS = 3_000;
/** How many questions come at that pace, and the pause after them. */
const OFTEN = 40;
const LONG_REST_MS = 20_000;
/** How far the clocks of a gateway's machines may differ. */
const CLOCKS_DIFFER_MS = 1_000;

type ReconcilerHost = Pick<Desk, "world" | "attempts" | "ended" | "settle" | "proven" | "unconfirmed" | "gatewaySaid">;

export class Reconciler {
  readonly #host: ReconcilerHost;
  readonly #over = new AbortController();
  /** The attempts that are being looked after, or wait for their turn. */
  readonly #looked = new Set<string>();
  #proving: Promise<void> | undefined;

  constructor(host: ReconcilerHost) {
    this.#host = host;
  }

  watch(): void {
    const { attempts } = this.#host;
    for (const attempt of attempts.all) {
      const { intentId } = attempt;
      if (!isOpen(attempt) || this.#looked.has(intentId)) continue;
      this.#looked.add(intentId);
      void attempts
        .hold(intentId, () => this.#lookAfter(intentId), this.#over.signal)
        // It was closed meanwhile, or nothing can be read: the next page that opens this world tries again.
        .catch(() => {});
    }
  }

  close(): void {
    this.#over.abort();
  }

  /** Its turn has come: no page has it in flight any more. */
  async #lookAfter(intentId: string): Promise<void> {
    const { attempts, world } = this.#host;
    const there = await attempts.read(intentId);
    if (!there || !isOpen(there)) return;
    await this.#byJournal(there);
    for (let asked = 0; world.intent && !this.#over.signal.aborted; asked++) {
      const attempt = attempts.get(intentId);
      if (!attempt || !isOpen(attempt)) return;
      await this.ask(attempt);
      await this.#rest(asked);
    }
  }

  /** Asks the journal. It is written before anything is sent, so it knows the trades that were settled or never began. */
  async #byJournal(attempt: Attempt): Promise<void> {
    const { intentId } = attempt;
    const [state, ended] = await withJournal(
      this.#host,
      async (client) => [await client.intentState(intentId), await client.endedTrade(intentId)] as const,
    );
    if (state === "ended" && ended?.outcome === "unconfirmed") return this.#host.unconfirmed(attempt);
    if (state === "ended" || state === "not_recorded")
      return this.#host.settle(attempt, state === "ended" ? "landed" : "did_not_land", "journal");
    if (stateOf(attempt) !== "in_flight") return;
    await this.#host.attempts.change(intentId, (now) =>
      stateOf(now) === "in_flight" ? { ...now, fate: atGateway(now.fate, "unknown"), settledAtMs: Date.now() } : now,
    );
  }

  async ask(attempt: Attempt): Promise<void> {
    const { world } = this.#host;
    const { intentId, plan } = attempt;
    const intent = await world.intent?.(intentId);
    if (this.#over.signal.aborted) return;
    if (neverCame(attempt, intent)) return this.#host.settle(attempt, "did_not_land", "moment");
    if (intent?.state === "in_doubt") await this.#byChain();
    if (intent?.state !== "ended") return this.#host.gatewaySaid(attempt, intent);
    // Of one that did not land the recorded answer is a refusal, as if it was never sent.
    if (plan && Date.now() < plan.expiresAtMs && intent.outcome !== "did_not_land") {
      const result: unknown = await withJournal(this.#host, (client) => client.send(plan), {
        defaultHeaders: momentHeader(attempt),
      }).catch((error: unknown) => error);
      // A question that failed says nothing about the trade.
      const { status } = view(result);
      return status === "not_sent" || status === "unknown"
        ? this.#host.gatewaySaid(attempt, undefined)
        : this.#host.ended(attempt, result);
    }
    const found = {
      landed: "landed",
      failed: "did_not_land",
      rejected: "did_not_land",
      not_sent: "did_not_land",
      did_not_land: "did_not_land",
    } as const;
    const { outcome } = intent;
    if (outcome === "unconfirmed") await this.#host.unconfirmed(attempt);
    else if (outcome && outcome !== "unknown") await this.#host.settle(attempt, found[outcome], "gateway");
    else await this.#byChain();
  }

  /** Settles what the chain proves of the trades that nobody has an answer to. */
  #byChain(): Promise<void> {
    return (this.#proving ??= this.#prove().finally(() => (this.#proving = undefined)));
  }

  async #prove(): Promise<void> {
    const { world } = this.#host;
    if (!world.connection.market) return;
    const settled = (intentId: string, settled: SettledTrade): unknown =>
      this.#over.signal.aborted || this.#host.proven(intentId, settled);
    // A node that does not answer proves nothing: it is asked again.
    await withJournal(this.#host, (client) => client.settle(), { hooks: { settled } }).catch(() => {});
  }

  /** Stops waiting for the answer to a trade in flight once the gateway can no longer get it, in `leftMs`. */
  async stopIfLost(attempt: Attempt, leftMs: number, stop: AbortController): Promise<void> {
    if (!attempt.moment) return;
    await this.#pause(leftMs + 2 * CLOCKS_DIFFER_MS, stop.signal);
    while (!stop.signal.aborted && !this.#over.signal.aborted) {
      if (neverCame(attempt, await this.#host.world.intent?.(attempt.intentId))) return stop.abort();
      await this.#pause(REST_MS, stop.signal);
    }
  }

  /** Waits before the next question: briefly at first, when an approval may come at any moment, longer later. */
  #rest(asked: number): Promise<void> {
    return this.#pause(asked < OFTEN ? REST_MS : LONG_REST_MS, this.#over.signal);
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end);
    });
  }
}

/** Tells a gateway until when it may accept a trade. Afterwards the same request only asks for its answer. */
export const momentHeader = ({ moment }: Attempt): Record<string, string> =>
  moment ? { "not-after": String(moment.nowMs) } : {};

/**
 * Whether a gateway never got a trade and no longer accepts it: it did not know the trade after the trade's `not-after`. The
 * caller and the desk must be those that it was sent by and to, since others have intents of their own; and it must not have
 * forgotten it.
 */
function neverCame({ moment }: Attempt, intent: GatewayIntent | undefined): boolean {
  const asked = intent?.state === "not_recorded" ? intent.asked : null;
  if (!moment || !asked || asked.desk !== moment.desk || asked.caller !== moment.caller) return false;
  const sinceMs = asked.nowMs - moment.nowMs;
  return sinceMs > CLOCKS_DIFFER_MS && sinceMs < REMEMBERED_MS;
}

export const journalOf = ({ id }: World): string => `launchpad-desk journal ${id}`;

type Kept = Pick<ReconcilerHost, "world" | "attempts">;

/** Runs `work` with a client that has just read the journal: other pages write to it too. */
async function withJournal<T>(
  { world, attempts }: Kept,
  work: (client: TradeClient) => Promise<T>,
  options: SendOptions = {},
): Promise<T> {
  const journal = attempts.journal(journalOf(world));
  const client = new TradeClient({ ...(world.connection as ClientOptions), ...options, journal });
  try {
    return await work(client);
  } finally {
    client.free();
    await journal.close();
  }
}

/** A trade that is unresolved in the journal, with what its wallets held before. */
export const pendingIn = (host: Kept, intentId: string): Promise<IntentDetails | undefined> =>
  withJournal(host, async (client) => (await client.pending()).find((pending) => pending.intentId === intentId));

/** How far an intent is, according to the journal. */
export const intentStateIn = (host: Kept, intentId: string): Promise<IntentState | null> =>
  withJournal(host, (client) => client.intentState(intentId));

export const acknowledge = (host: Kept, intentId: string, found: Found): Promise<boolean> =>
  withJournal(host, (client) => client.acknowledge(intentId, found));
