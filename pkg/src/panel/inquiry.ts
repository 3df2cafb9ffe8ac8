// What became of trades that have no answer: those of a page that has ended, those of unknown outcome, and those that wait for
// somebody's approval. One page of all looks after each; when it ends, another does.
//
// Nothing is sent for that. A gateway is asked what it knows of the intent, which is a look: a trade that never got there is not made
// by asking for it. Only of an intent that has ended there, the recorded answer is fetched, by the same bytes under the same intent.

import { type ClientOptions, type IntentState, TradeClient, view } from "launchpad-desk";
import type { Found } from "../generated.js";
import { type Attempt, type Attempts, isOpen } from "./attempts.js";
import type { Standing, World } from "./world.js";

/** How long a gateway rests between two questions about the same intent. */
const REST_MS = 3_000;
/** How often it is asked at first, and how long it rests afterwards. */
const OFTEN = 40;
const LONG_REST_MS = 20_000;
/** How long after it was sent the recorded answer is fetched. A gateway remembers keys for a day at least; one that it has forgotten would be new to it. */
const REMEMBERED_MS = 12 * 3_600_000;

/** What the desk does with what is found out. */
export interface Inquirer {
  readonly world: World;
  readonly attempts: Attempts;
  /** The trade, or the error that says what became of it. */
  ended(attempt: Attempt, result: unknown): Promise<void>;
  settle(attempt: Attempt, what: Found, by: "journal" | "gateway"): Promise<void>;
  /** What a gateway said last of an attempt that it has no answer to; undefined where it said nothing. */
  heard(attempt: Attempt, standing: Standing | undefined): Promise<void>;
}

export class Inquiry {
  readonly #desk: Inquirer;
  readonly #over = new AbortController();
  /** The attempts that are looked after, or wait for their turn. */
  readonly #looked = new Set<string>();

  constructor(desk: Inquirer) {
    this.#desk = desk;
  }

  /** Looks after every open attempt. */
  watch(): void {
    const { attempts } = this.#desk;
    for (const attempt of attempts.all) {
      const { intentId } = attempt;
      if (!isOpen(attempt) || this.#looked.has(intentId)) continue;
      this.#looked.add(intentId);
      void attempts
        .hold(intentId, () => this.#lookAfter(intentId), this.#over.signal)
        // It was closed meanwhile, or nothing can be read: the next to open this world tries again.
        .catch(() => {});
    }
  }

  close(): void {
    this.#over.abort();
  }

  /** Its turn has come: no page has it in flight any more. */
  async #lookAfter(intentId: string): Promise<void> {
    const { attempts, world } = this.#desk;
    const there = await attempts.read(intentId);
    if (!there || !isOpen(there)) return;
    await this.#byJournal(there);
    for (let asked = 0; world.standing && !this.#over.signal.aborted; asked++) {
      const attempt = attempts.get(intentId);
      if (!attempt || !isOpen(attempt)) return;
      await this.ask(attempt);
      await this.#rest(asked);
    }
  }

  /** The journal is written before anything is sent: it knows those that it settled or never began. */
  async #byJournal(attempt: Attempt): Promise<void> {
    const { intentId, startedAtMs } = attempt;
    const { isPending, hasLanded } = await withJournal(this.#desk, async (client, journal) => ({
      isPending: (await client.pending()).some((pending) => pending.intentId === intentId),
      hasLanded: (await journal.landed(startedAtMs - 60_000)).some((landed) => landed.intentId === intentId),
    }));
    if (!isPending) return this.#desk.settle(attempt, hasLanded ? "landed" : "did_not_land", "journal");
    if (attempt.fate === "sending") await this.#desk.attempts.change(intentId, (now) => (now.fate === "sending" ? { ...now, fate: "unknown", settledAtMs: Date.now() } : now));
  }

  /** Asks the gateway how far it is. */
  async ask(attempt: Attempt): Promise<void> {
    const { world } = this.#desk;
    const { intentId, plan, startedAtMs } = attempt;
    const standing = await world.standing?.(intentId);
    if (this.#over.signal.aborted) return;
    if (standing?.state !== "ended") return this.#desk.heard(attempt, standing);
    if (plan && Date.now() - startedAtMs < REMEMBERED_MS) {
      const result: unknown = await withJournal(this.#desk, (client) => client.send(plan)).catch((error: unknown) => error);
      // What kept it from being asked says nothing of the trade.
      const { status } = view(result);
      return status === "not_sent" || status === "unknown" ? this.#desk.heard(attempt, undefined) : this.#desk.ended(attempt, result);
    }
    const found = { landed: "landed", unconfirmed: "landed", failed: "did_not_land", rejected: "did_not_land", not_sent: "did_not_land", did_not_land: "did_not_land" } as const;
    // One that was refused before it was forwarded has no ending.
    if (standing.ending !== "unknown") await this.#desk.settle(attempt, standing.ending ? found[standing.ending] : "did_not_land", "gateway");
  }

  /** Somebody may approve it at any moment at first; what has waited for long can wait for a while. */
  #rest(asked: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, asked < OFTEN ? REST_MS : LONG_REST_MS);
      this.#over.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

/** The name of a world's journal. */
export const journalOf = ({ id }: World): string => `launchpad-desk journal ${id}`;

type Kept = Pick<Inquirer, "world" | "attempts">;

/** Runs `work` with a client that has read the journal as it is now: other pages write to it, too. */
async function withJournal<T>({ world, attempts }: Kept, work: (client: TradeClient, journal: ReturnType<Attempts["journal"]>) => Promise<T>): Promise<T> {
  const journal = attempts.journal(journalOf(world));
  const client = new TradeClient({ ...(world.connection as ClientOptions), journal });
  try {
    return await work(client, journal);
  } finally {
    client.free();
    await journal.close();
  }
}

/** A trade that the journal has as unresolved, with what its wallets held before. */
export const pendingIn = (desk: Kept, intentId: string): Promise<IntentState | undefined> =>
  withJournal(desk, async (client) => (await client.pending()).find((pending) => pending.intentId === intentId));

/** Tells the journal what became of a trade. */
export const acknowledge = (desk: Kept, intentId: string, found: Found): Promise<boolean> => withJournal(desk, (client) => client.acknowledge(intentId, found));
