// Exits of positions: plans by which the desk sells on its own while this page is open. The core decides when, as for a bot; the desk sends
// each sell like any other trade. One page of an origin carries them out.

import { isTradeError } from "launchpad-desk";
import type { Curve, ExitClient, ExitLook, Managed } from "launchpad-desk/market";
import type { ExitPlan, ExitPosition, ExitState, IntentOutcome, IntentState } from "../../generated.js";
import { LEARNS, type Learning } from "../../symbols.js";
import { newId } from "../../runtime.js";
import { isOpen, stateOf } from "../attempts/attempt.js";
import { finderOf } from "../attempts/machine.js";
import { sentenceOf } from "../attempts/sentences.js";
import type { Desk } from "../desk.js";
import { shortTokens } from "../figures.js";
import { soldOf } from "../positions/closed.js";
import type { Holding } from "../positions/holdings.js";
import { hasLocks, whileHeld } from "../attempts/locks.js";
import { messages } from "../messages.js";
import type { Order } from "../order/order.js";
import { intentStateIn } from "../attempts/reconciler.js";
import { Since } from "../../since.js";
import { inJson } from "../../json.js";

const say = messages.exits;

/** How often the market is looked at for them. */
const EVERY_MS = 1_000;
/** The most positions with exits, and the longest text that is read of them. */
const MOST = 50;
const MOST_LENGTH = 500_000;
/** How long exits stay once nothing is left to sell: until then the chain may show that the last sale was none. */
const MAY_RETURN_MS = 900_000;
export interface Watched {
  readonly managed: Managed;
  /** What selling all that is left would bring, compared with its cost: `1.25x`; null if there is no price. */
  multiple: string | null;
  /** Why the last look or order came to nothing; empty if it did not. */
  trouble: string;
  /** Whether the next look ends that, and not only the next order. */
  isPassing: boolean;
  isBusy: boolean;
  /** The list of attempts that its sells are in: if the browser has dropped that, nobody here knows what was sold. */
  list: string;
  /** The trader's sales from before this are of another position. */
  readonly sinceMs: number;
  /** Since when nothing is left to sell: then it is shown no more, and may only return. */
  over?: Since | undefined;
  /** What its multiple is at the look that it has seen last. */
  readonly measure: () => string | null;
  readonly free: () => void;
}

type ExitsHost = Pick<
  Desk,
  "world" | "client" | "attempts" | "entry" | "speech" | "nameOf" | "prepare" | "send" | "changed" | "ticked" | "tell"
>;

export class DeskExits {
  readonly #host: ExitsHost;
  readonly #name: string;
  readonly #end = new AbortController();
  #timer: ReturnType<typeof setInterval> | undefined;
  #watched: Watched[] = [];
  /** Whether this page carries them out. */
  isMine = false;
  /** Why some that were started before are not carried out; empty if all are. */
  notice = "";

  constructor(host: ExitsHost) {
    this.#host = host;
    this.#name = `launchpad-desk exits ${host.world.id}`;
    void this.#run().catch((error: Error) => this.#end.signal.aborted || host.speech.alert(error.message));
  }

  /** Carries them out in this page's turn. */
  async #run(): Promise<void> {
    const work = (): Promise<void> => this.#work();
    // A page without locks shares nothing with others.
    await (hasLocks() ? whileHeld(this.#name, work, this.#end.signal) : work());
  }

  #notify(notice: string): void {
    this.notice = notice;
    this.#host.speech.alert(notice);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#end.abort();
    this.#forget();
  }

  #forget(): void {
    const watched = this.#watched;
    this.#watched = [];
    for (const { isBusy, free } of watched) if (!isBusy) free();
  }

  of(wallet: string, mint: string): Watched | undefined {
    return this.#watched.find((watched) => !watched.over && isOf(watched, wallet, mint));
  }

  /** Those of tokens that the page offers no longer. */
  get unlisted(): readonly Watched[] {
    const offered = new Set(this.#host.world.tokens().map(({ mint }) => mint));
    return this.#watched.filter(({ managed, over }) => !over && !offered.has(managed.exits.state.position.mint));
  }

  /** Starts exits of what was bought here. Returns what they would sell at once, unless the trader knows that; empty if they have started. */
  start(holding: Holding, plan: ExitPlan, isWarned: boolean): string {
    const { wallet, token } = holding;
    if (this.#watched.filter(({ over }) => !over).length >= MOST) throw new Error(say.tooMany(MOST));
    if (!this.#host.world.hasMarket) throw new Error(say.noPrice);
    if (this.of(wallet, token.mint)) return "";
    const position = positionOf(holding);
    const warning = isWarned ? "" : this.#soldAtOnce(plan, position);
    if (warning) return warning;
    // What is over gives way.
    for (const other of this.#watched)
      if (other.over && (this.#watched.length >= MOST || isOf(other, wallet, token.mint))) this.remove(other);
    // A clock that was set back makes no sale from before one from after.
    const before = this.#host.attempts.all.filter(({ mint }) => mint === token.mint);
    const sinceMs = Math.max(Date.now(), ...before.map(({ startedAtMs }) => startedAtMs + 1));
    const watched = this.#watch(plan, position, { sinceMs });
    this.#watched.push(watched);
    this.#save();
    this.#host.changed();
    // What a look has shown once can be missed soon.
    if (this.isMine) void this.#tick(watched);
    return "";
  }

  /** What a plan would sell at the price of now; empty if nothing. Throws if there is none: it might sell all at the first one. */
  #soldAtOnce(plan: ExitPlan, position: ExitPosition): string {
    const { world } = this.#host;
    const { decimals = 6, symbol = "" } = world.tokens().find(({ mint }) => mint === position.mint) ?? {};
    const open = new world.maths.Exits(plan).open(position);
    const curve = world.curve(position.mint);
    try {
      if (!curve) throw new Error(say.noPrice);
      const due = open.next(curve);
      return due
        ? say.atOnce(shortTokens(BigInt(due.order.tokens), { symbol, decimals }), shown(due.order.multiple))
        : "";
    } finally {
      open.free();
      curve?.free();
    }
  }

  /** Ends the exits of a position: nothing more is sold by itself. What is in flight stays so. */
  remove(watched: Watched): void {
    this.#watched = this.#watched.filter((other) => other !== watched);
    this.#save();
    if (!watched.isBusy) watched.free();
    this.#host.changed();
  }

  /** Whether the list that its sells were in is gone. Nothing is sold before the trader has looked and resumes it. */
  isLost({ list }: Watched): boolean {
    return list !== this.#host.attempts.list;
  }

  async set(watched: Watched, what: "pause" | "resume" | "closeNow"): Promise<void> {
    try {
      // A trader who goes on has looked. An order that nobody knows of stays: only ending these exits ends it.
      if (what !== "pause" && !watched.managed.exits.order) watched.list = this.#host.attempts.list;
      await watched.managed[what]();
    } catch (error) {
      watched.trouble = wordsOf(error);
    }
    this.#host.changed();
    void this.#tick(watched);
  }

  /** Carries them out until this desk is closed. */
  async #work(): Promise<void> {
    if (this.#end.signal.aborted) return;
    for (const { list, sinceMs, ...state } of read(this.#name)) {
      try {
        const watched = this.#watch(state.plan, state.position, { kept: state, list, sinceMs });
        if (this.isLost(watched)) watched.managed.exits.pause();
        this.#watched.push(watched);
      } catch {
        // Another version has written it, or something else has.
        this.#notify(say.unreadable);
      }
    }
    // Only now: exits of a position that has some already are not started.
    this.isMine = true;
    this.#timer = setInterval(() => {
      for (const watched of this.#watched) void this.#tick(watched);
    }, EVERY_MS);
    this.#host.changed();
    await new Promise<void>((resolve) => this.#end.signal.addEventListener("abort", () => resolve()));
    this.isMine = false;
  }

  #watch(
    plan: ExitPlan,
    position: ExitPosition,
    { kept, list = this.#host.attempts.list, sinceMs }: { kept?: ExitState; list?: string; sinceMs: number },
  ): Watched {
    const { maths } = this.#host.world;
    let seen: (ExitLook & { readonly curve: Curve }) | undefined;
    const look = async (mint: string, [wallet = ""]: readonly string[]): Promise<ExitLook> => {
      const now = await this.#look(mint, wallet);
      seen?.curve.free();
      seen = { ...now, curve: now.curve instanceof maths.Curve ? now.curve : new maths.Curve(now.curve) };
      return seen;
    };
    this.#host.world.warm?.("sell");
    const { client } = this.#host;
    const learns = { [LEARNS]: (mint: string, decimals: number) => (client as Learning)[LEARNS]?.(mint, decimals) };
    const managed = new maths.Exits(plan).manage(
      { ...this.#client, ...learns, tokenDecimals: client.tokenDecimals },
      position,
      { look },
      { ...(kept && { kept }), save: () => this.#save() },
    );
    const measure = (): string | null => {
      if (!seen) return null;
      const { curve, atMs = Date.now(), wallets } = seen;
      const own = wallets?.find(({ wallet }) => wallet === position.wallet);
      return managed.exits.multiple(curve, { atMs, walletTokens: own && (own.holding?.tokens ?? 0n) });
    };
    const free = (): void => {
      seen?.curve.free();
      seen = undefined;
      managed.exits.free();
    };
    const over = managed.exits.isOver ? new Since() : undefined;
    return {
      managed,
      multiple: null,
      trouble: "",
      isPassing: false,
      isBusy: false,
      list,
      sinceMs,
      over,
      measure,
      free,
    };
  }

  async #look(mint: string, wallet: string): Promise<ExitLook> {
    const look = await this.#host.world.exitLook(mint, wallet);
    if (!look) throw new Error(say.noPrice);
    // A simulated market may stand still; what exits wait for passes all the same.
    return { ...look, atMs: Date.now() };
  }

  /** Whether the trader has sold all of it here since they began: what is bought after that is another position, with another cost. */
  #isSold({ managed, sinceMs }: Watched): boolean {
    const { wallet, mint } = managed.exits.state.position;
    return soldOf(this.#host).some(
      (closed) => closed.wallet === wallet && closed.mint === mint && closed.isSure && closed.soldAtMs >= sinceMs,
    );
  }

  async #tick(watched: Watched): Promise<void> {
    if (watched.isBusy || !this.#watched.includes(watched)) return;
    watched.isBusy = true;
    const [before, shown] = [watched.trouble, watched.multiple];
    try {
      if (!watched.managed.exits.order && this.#isSold(watched)) {
        watched.over ??= new Since();
        return this.#mayReturn(watched) ? undefined : this.remove(watched);
      }
      const events = await watched.managed.tick();
      for (const { what, error } of events)
        if (what === "completed" || what === "gone") this.#unprotected(watched, what, wordsOf(error));
      const failed = events.filter(({ error }) => error !== null).at(-1);
      const isUnseen = events.some(({ what }) => what === "no_look");
      // That a curve is complete, or an order refused, is told once.
      if (events.length || watched.isPassing) watched.trouble = failed ? wordsOf(failed.error) : "";
      watched.isPassing = isUnseen;
      if (this.#watched.includes(watched)) watched.multiple = isUnseen ? null : watched.measure();
      this.#ends(watched);
      // In a market that stands still nothing else draws it.
      if (events.length || before !== watched.trouble || watched.multiple !== shown) this.#host.ticked();
    } catch (error) {
      Object.assign(watched, { trouble: wordsOf(error), isPassing: true });
      this.#host.ticked();
    } finally {
      watched.isBusy = false;
      // It was ended meanwhile.
      if (!this.#watched.includes(watched)) watched.free();
    }
  }

  /** Those that have sold all go once the chain can no longer show that they have not. */
  #ends(watched: Watched): void {
    watched.over = watched.managed.exits.isOver ? (watched.over ?? new Since()) : undefined;
    if (watched.over && !this.#mayReturn(watched)) this.remove(watched);
  }

  /** Whether the chain may still show that not all was sold. */
  #mayReturn({ over }: Watched): boolean {
    return !!this.#host.world.connection.market && (over?.ageMs ?? 0) < MAY_RETURN_MS;
  }

  /** Whoever relies on exits hears at once that they no longer protect. */
  #unprotected({ managed }: Watched, what: "completed" | "gone", reason: string): void {
    const { mint, wallet } = managed.exits.state.position;
    const { symbol = mint } = this.#host.world.tokens().find((token) => token.mint === mint) ?? {};
    this.#host.tell("desk-unprotected", { mint, wallet, what, reason });
    this.#host.speech.alert(say.unprotected(symbol, reason));
  }

  /** Before each order is sent: what could not be kept is not sent. A closed desk keeps nothing: others may go on with what is kept. */
  #save(): void {
    this.#end.signal.throwIfAborted();
    const states = this.#watched.map(({ managed, list, sinceMs }): Kept => ({ ...managed.exits.state, list, sinceMs }));
    localStorage.setItem(this.#name, JSON.stringify(states, inJson));
  }

  /** Sends an exit as any other trade of this desk: it is on the disk first, it has its lock, and stands among the trades. */
  readonly #client: ExitClient = {
    sell: async (request, { intentId }) => {
      const { attempts, nameOf } = this.#host;
      const order = { operation: "sell", request } as Order;
      let hasBegun = false;
      let code: string | undefined;
      const [{ signal }, stop] = [this.#end, new AbortController()];
      // Once it is an attempt, every page knows of it.
      const close = (): void => void (hasBegun || stop.abort(signal.reason));
      signal.addEventListener("abort", close);
      try {
        // Until its request goes out, these exits may be ended, and the trader may sell what they are of.
        const isKept = (): boolean =>
          signal.aborted || this.#watched.some((watched) => isOrderOf(watched, intentId) && !this.#isSold(watched));
        const sending = { press: new Since(), stop, isKept, begun: () => void (hasBegun = true) };
        await this.#host.send(order, await this.#host.prepare(order, intentId), sending);
      } catch (error) {
        if (!hasBegun) throw new NotSold("not_sent", error);
        code = wordsOf(error);
      } finally {
        signal.removeEventListener("abort", close);
      }
      const attempt = attempts.get(intentId);
      const state = attempt ? stateOf(attempt) : "unknown";
      if (state === "landed" || state === "unconfirmed") return { status: state };
      // Each attempt is kept under its id, so that the next one needs another.
      throw new NotSold(
        UNSOLD[state] ?? "unknown",
        new Error(code ?? (attempt ? sentenceOf(attempt, nameOf) : messages.outcome.states[state])),
      );
    },
    intentState: async (intentId): Promise<IntentState | null> => {
      const attempt = this.#host.attempts.get(intentId);
      if (attempt && isOpen(attempt)) return "in_doubt";
      if (attempt) return ["landed", "unconfirmed"].includes(stateOf(attempt)) ? "ended" : "not_recorded";
      // The list keeps the newest ones only; the journal knows more of those that landed.
      const state = await intentStateIn(this.#host, intentId);
      return state === "not_recorded" && this.#watched.some((one) => isOrderOf(one, intentId) && this.isLost(one))
        ? "in_doubt"
        : state;
    },
    // One that the service has only accepted is not sold yet. What the chain proves counts more than what the service has said.
    endedTrade: async (intentId) => {
      const fate = this.#host.attempts.get(intentId)?.fate;
      const proven = fate && finderOf(fate) === "chain";
      return proven || fate?.is === "unconfirmed" ? { outcome: fate.is as IntentOutcome, proven } : null;
    },
    pending: async () => [],
    acknowledge: async () => false,
  };
}

/** Why an exit was not sold, as its manager wants to know it. */
class NotSold extends Error {
  readonly outcome: "not_sent" | "rejected" | "failed" | "unknown";

  constructor(outcome: NotSold["outcome"], cause: unknown) {
    super(wordsOf(cause));
    this.outcome = outcome;
  }
}

/** What a manager wants to know of an attempt that has sold nothing. */
const UNSOLD: { readonly [state: string]: NotSold["outcome"] | undefined } = {
  failed: "failed",
  rejected: "rejected",
  not_sent: "rejected",
  did_not_land: "rejected",
};

const isOf = ({ managed }: Watched, wallet: string, mint: string): boolean => {
  const { position } = managed.exits.state;
  return position.wallet === wallet && position.mint === mint;
};

const isOrderOf = ({ managed }: Watched, intentId: string): boolean => managed.exits.order?.order.intentId === intentId;

/** The position that exits of a holding are of, from now on. */
export const positionOf = ({ wallet, token, bought, cost, rentLocked, tokens }: Holding): ExitPosition => ({
  id: `exit-${newId()}`,
  mint: token.mint,
  wallet,
  tokens: bought < tokens ? bought : tokens,
  costLamports: cost,
  rentLockedLamports: rentLocked,
  openedAtMs: Date.now(),
});

/** What is wrong, with the fields' own names. */
export function wordsOf(error: unknown): string {
  if (!isTradeError(error)) return error instanceof Error ? error.message : String(error);
  const [problem] = error.fields ?? [];
  if (!problem) return error.serviceMessage ?? error.message;
  // As the fields are called here: "Take profit 2" for `takeProfit[1].at`.
  const names = new RegExp(`\\b(${Object.keys(say.fields).join("|")})(?:\\[(\\d+)\\])?(?:\\.\\w+)*`, "g");
  return problem.message.replace(names, (_all, field: keyof typeof say.fields, at?: string) =>
    at === undefined ? say.fields[field] : `${say.fields[field]} ${Number(at) + 1}`,
  );
}

/** A multiple with three places. */
export const shown = (multiple: string): string => multiple.replace(/(\.\d{3})\d+/, "$1");

type Kept = ExitState & Pick<Watched, "list" | "sinceMs">;

/** What was kept, as far as it can be states; the core checks each. */
function read(name: string): Kept[] {
  try {
    const text = localStorage.getItem(name) ?? "";
    const said: unknown = text.length <= MOST_LENGTH ? JSON.parse(text || "[]") : [];
    return Array.isArray(said)
      ? said
          .filter((state) => typeof state === "object" && state !== null && state.plan && state.position)
          .slice(0, MOST)
      : [];
  } catch {
    return [];
  }
}
