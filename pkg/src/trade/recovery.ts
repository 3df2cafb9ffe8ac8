// A client's journal at the start: its unresolved trades are restored once.

import type { ClientCore } from "build:trade";
import { callArgs, result } from "../crossing.js";
import { DAY_MS } from "../generated.js";
import type { Journal, Suspension } from "./options.js";
import { fieldsOf, now, read, textOf } from "../runtime.js";

/** What each mode is for the guards, the one that stops most first. */
const ACTS = new Map([
  ["halted", "halt"],
  ["reducing", "reduce"],
  ["active", "resume"],
] as const) as ReadonlyMap<string | undefined, "halt" | "reduce" | "resume">;
const MODES = [...ACTS.keys()];

/** A stop that cannot be read may be one. */
const UNHEARD: Suspension = { mode: "halted" };
const NO_MODE = "outsideMode must say active, reducing or halted";

/** Restores a journal's trades once, for all clients that share it. */
export class Recovery {
  readonly #core: ClientCore;
  readonly #journal: Journal;
  #restored: Promise<void> | undefined;
  #heard: Suspension | undefined;
  /** The mode that was heard or that this program said, whichever came last. */
  #inForce: Suspension["mode"];
  /** Called once they are restored. */
  restored: () => void = () => {};
  /** Called with why nobody knows what another program has said of all trading: it is halted. */
  unheard: (why: unknown) => void = () => {};

  constructor(core: ClientCore, journal: Journal) {
    this.#core = core;
    this.#journal = journal;
  }

  /** Resolves once the journal's trades are restored. If that failed, the next call tries again. */
  done(): Promise<void> {
    return (this.#restored ??= this.#run().then(
      () => this.restored(),
      (error) => {
        this.#restored = undefined;
        throw error;
      },
    ));
  }

  /** Obeys what another program has said of all trading, if that is new. It waits for nothing, so that a stop comes before the next send. */
  obeyStop(): void {
    let latest: Suspension | undefined;
    let why: unknown;
    try {
      latest = this.#journal.outsideMode?.();
      if (latest && !ACTS.has(latest.mode)) throw new TypeError(NO_MODE);
    } catch (thrown) {
      latest = UNHEARD;
      why = thrown;
    }
    // While a journal still says it, it counts again over what stops less.
    if (latest === this.#heard && MODES.indexOf(latest?.mode) >= MODES.indexOf(this.#inForce)) return;
    // Once nobody says anything, the same words are news again.
    this.#heard = latest;
    this.#inForce = latest?.mode;
    const act = ACTS.get(latest?.mode);
    if (act) this.#core[act]();
    if (latest === UNHEARD) this.unheard(why);
  }

  /** This program has said something itself. */
  said({ mode }: Suspension): void {
    this.#inForce = mode;
  }

  async #run(): Promise<void> {
    const [core, journal] = [this.#core, this.#journal];
    // The daily limit counts days in UTC, and a plan is valid for at most a day.
    const nowMs = now();
    if (!journal.recall) {
      for (const intent of (await journal.pending?.()) ?? [])
        result(core.restore(...journaled(intent, nowMs)), this.#run);
      // Those since midnight count for the limit. The 24 hours before are needed too: a plan that landed then may not have expired.
      for (const intent of (await journal.landed?.(nowMs - DAY_MS)) ?? [])
        result(core.restoreLanded(...journaled(intent, nowMs)), this.#run);
      core.forgetEnded(nowMs);
      result(core.restoreSuspension(callArgs({})), this.#run);
      return;
    }
    const { pending, landed, lamports, suspension, ended } = await journal.recall(nowMs - (nowMs % DAY_MS));
    for (const intent of pending) result(core.restore(...journaled(intent, nowMs)), this.#run);
    for (const intentId of landed) core.restoreLandedId(textOf(intentId));
    // An unreadable one does not block trades.
    if (ended) for (const trade of ended) core.restoreEnded(...journaled(trade, nowMs, ENDED));
    else core.forgetEnded(nowMs);
    result(core.restoreSuspension(callArgs({ suspension })), this.#run);
    // Last, so that it is restored once, even if the others had to be tried again.
    if (!core.restoreSpent(String(lamports), nowMs))
      throw new TypeError("the journal's lamports are not a whole number");
  }
}

/** The fields by which the core knows a trade of a journal, and those of one that has ended. */
const FIELDS = ["operation", "intentId", "before", "throughGateway", "counted", "namedSignature"];
const ENDED = [...FIELDS, "outcome", "signature", "proven"];

/** A trade from a journal, as the core takes it. */
function journaled(
  trade: unknown,
  nowMs: number,
  fields = FIELDS,
): [body: string, startedAtMs: number, nowMs: number, given: ReturnType<typeof callArgs>] {
  const startedAtMs = read(trade, "startedAtMs");
  const body = textOf(read(trade, "body"));
  return [body, typeof startedAtMs === "number" ? startedAtMs : nowMs, nowMs, callArgs(fieldsOf(trade, fields))];
}
