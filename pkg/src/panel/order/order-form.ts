// An order before it is sent: its quote, its risk, and what prevents sending it. The ticket has one form, a bundle another.

import { type Plan, isTradeError, toBaseUnits, validate } from "launchpad-desk";
import type { CurveQuote } from "launchpad-desk/market";
import { SIDES, type FieldError, type TradeQuote } from "../../generated.js";
import { type Attempt, type Trading, hasLanded, isOpen, mayAdd, stateOf } from "../attempts/attempt.js";
import type { Desk } from "../desk.js";
import { labelOf } from "./entry.js";
import * as machine from "../attempts/machine.js";
import { tokens } from "../figures.js";
import { messages } from "../messages.js";
import { type Draft, type Order, type Problem, legsOf, tradingOf } from "./order.js";
import { type Risk, atRisk, riskOf } from "./risk.js";
import { Moved } from "./sending.js";
import { refusalOf } from "../attempts/sentences.js";
import { Since } from "../../since.js";
import { inJson } from "../../json.js";

/** What prevents an order from being sent: the first of these that applies. */
export type Obstacle =
  | "sending"
  | "offline"
  | "stopped"
  | "empty"
  | "problems"
  | "locked"
  | "spent"
  | "fails"
  | "consent";

/** How long a plan is held while the trader decides about its risk. */
const HELD_MS = 30_000;
/** How long it is said that the quote is a new one. */
const NOTED_MS = 10_000;
/** A press so soon after another is the second half of a double press. */
export const DOUBLE_MS = 500;

export interface Prepared {
  readonly plan: Plan;
  readonly quote: TradeQuote | undefined;
  readonly quoted: CurveQuote | null;
}

/** The same, and whether its quote differs from the one that was shown. */
interface Planned extends Prepared {
  readonly hasMoved: boolean;
}

/** Who prices and sends the order of a form, and shows it. */
export type OrderFormHost = Pick<
  Desk,
  | ("world" | "attempts" | "speech" | "entry" | "limit" | "buysStopped")
  | ("prepare" | "send" | "changed" | "typed" | "focusLater")
>;

export class OrderForm {
  problems: readonly Problem[] = [];
  order: Order | undefined;
  /** The shown quote: what the order would do. */
  quote: TradeQuote | undefined;
  risk: Risk = { level: "calm", reasons: [], toType: null };
  /** Whether nothing is entered yet: then no errors are shown. */
  empty = true;
  stage: machine.Stage = machine.ENTERED;
  /** Counts the edits: parts that show another order are not rendered again for them. */
  edits = 0;
  readonly #host: OrderFormHost;
  readonly #draft: () => Draft;
  readonly #result: string;
  /** The plan whose risk the trader decides about: while it is held, the market does not change what is shown. */
  #held: Promise<Planned | undefined> | undefined;
  #release: ReturnType<typeof setTimeout> | undefined;
  /** When that plan was asked for. */
  #heldSince: Since | undefined;
  /** The quote of all that one press sends, if that is more than the order. */
  #whole: TradeQuote | undefined;
  /** What a press would do, and its quote, as the page has painted it; undefined before that. */
  #painted:
    | { readonly act: string; readonly quote: TradeQuote | undefined; readonly terms: string; readonly since: Since }
    | undefined;
  /** When the button was pressed last and something was sent, or a new quote was shown instead. */
  #press: Since | undefined;
  /** When the next order was prepared by a press. */
  #prepared: Since | undefined;
  /** Stops what is being sent, until it is an attempt. */
  #stop: AbortController | undefined;
  /** Whether what the shown complaint says is over. */
  #isOver: () => boolean = () => false;
  #noted: ReturnType<typeof setTimeout> | undefined;
  readonly #idle: () => Omit<Trading, "mint">;

  /** `result` is a selector for where the outcome is shown, which gets the focus; `idle` is what would trade while there is no order. */
  constructor(host: OrderFormHost, draft: () => Draft, result: string, idle: () => Omit<Trading, "mint">) {
    this.#host = host;
    this.#idle = idle;
    this.#draft = draft;
    this.#result = result;
  }

  edited(): void {
    this.edits++;
    this.#fresh(machine.edited(this.stage));
    this.#host.typed();
  }

  /** Prepares what comes after a send. */
  again(prepare: () => void = () => {}): void {
    if (!this.#isSeen) return;
    prepare();
    this.#prepared = new Since();
    this.edited();
  }

  /** The market has moved. A quote that waits for consent stays as shown, as long as its minimum can still be kept. */
  marketMoved(): void {
    if (this.isSending) return;
    if (this.stage.is === "entered" && this.stage.complaint !== null && this.#isOver()) this.stage = machine.ENTERED;
    if (!this.#held) this.#price();
    else if (this.order && !this.#isKept(this.order, this.quote)) this.#lose("moved");
  }

  /** Accepts the risk by a tick, or takes that back. */
  tick(ticked: boolean): void {
    this.#decide({ ticked });
  }

  /** Accepts the risk by typing its figure. */
  type(typed: string): void {
    this.#decide({ typed });
  }

  /** Ends the session's limit: the next trade is asked about. */
  forgetLimit(): void {
    this.#host.limit.end();
    this.#fresh(machine.edited(this.stage));
    this.#host.changed();
  }

  /** Whether the shown order is on its way. Another one may be entered and sent meanwhile. */
  get isSending(): boolean {
    const sent = this.stage.is === "sent" && this.#host.attempts.get(this.stage.intentId);
    return this.stage.is === "sending" || (!!sent && stateOf(sent) === "in_flight");
  }

  /** Whether a press is on its way to become an attempt: then it can be stopped here. */
  get canStop(): boolean {
    return this.#stop !== undefined;
  }

  stop(): void {
    this.#stop?.abort(new Error(messages.sentences.notSent(messages.refusals.aborted_before_send)));
  }

  /** Whether the shown order was sent, and is no longer on its way. */
  get isSent(): boolean {
    return this.stage.is === "sent" && !this.isSending;
  }

  get hasLanded(): boolean {
    return !!this.attempt && hasLanded(this.attempt);
  }

  get attemptId(): string | undefined {
    return machine.facts(this.stage).attemptId;
  }

  get attempt(): Attempt | undefined {
    return this.attemptId === undefined ? undefined : this.#host.attempts.get(this.attemptId);
  }

  get consented(): boolean {
    const { level, toType } = this.risk;
    const { ticked = false, typed = "" } = machine.facts(this.stage);
    if (level === "type")
      return (
        typed
          .trim()
          .replace(",", ".")
          .replace(/\s*(%|sol)$/i, "") === toType
      );
    return level !== "tick" || ticked;
  }

  /** The attempt in flight or of unknown outcome that blocks this order, or any order of these wallets. */
  get lock(): Attempt | undefined {
    if (this.order) return this.#host.attempts.lock(tradingOf(this.order));
    const lock = this.#host.attempts.lock({ ...this.#idle(), mint: this.#host.entry.mint });
    if (lock) return lock;
    // A bundle whose rows are all sent has no order any more, but its attempt may still be open.
    return this.attempt && isOpen(this.attempt) ? this.attempt : undefined;
  }

  get obstacle(): Obstacle | undefined {
    if (this.isSending) return "sending";
    if (this.lock) return "locked";
    if (this.#host.world.trouble !== undefined) return "offline";
    if (this.#host.buysStopped && SIDES[(this.order ?? this.#idle()).operation] === "buy") return "stopped";
    // A bundle whose rows are all sent has nothing left to send, but is not empty.
    if (this.empty) return this.stage.is === "sent" ? "spent" : "empty";
    if (!this.order || this.problems.length) return "problems";
    if (this.stage.is === "sent") return "spent";
    if (this.quote?.refused || this.#whole?.refused) return "fails";
    return this.consented ? undefined : "consent";
  }

  /** The form is in the page as it is now. A press means it once the frame with it was painted. */
  rendered(): void {
    const now = { act: this.#act, quote: this.quote, terms: this.#terms };
    const painted = (): void => {
      const since = this.#painted?.act === now.act ? this.#painted.since : new Since();
      this.#painted = { ...now, since };
    };
    // The first frame is about to be painted; at the second it was.
    requestAnimationFrame(() => requestAnimationFrame(painted));
  }

  /** What a press would do: another order, another risk or another obstacle is another act. */
  get #act(): string {
    const { order, risk, obstacle } = this;
    return JSON.stringify([obstacle, risk.level, order?.operation, order?.request], inJson);
  }

  /** What all of this form's orders have in common, and whether one press sends them. */
  get #terms(): string {
    const { amount: _amount, ...terms } = this.#host.entry;
    return JSON.stringify([this.#host.limit.instant !== null, terms]);
  }

  /**
   * Enters an order, and sends it at once if it is within the limits of instant mode: at the price of this moment, if it is known, and if
   * nothing has to be decided. Otherwise it stands there as if it was typed. Resolves to whether anything was sent.
   */
  async instant(enter: () => void): Promise<boolean> {
    if ((this.#press?.ageMs ?? DOUBLE_MS) < DOUBLE_MS) return false;
    const isSeen = this.#painted?.terms === this.#terms;
    enter();
    return isSeen && this.#isInstant && this.#send({ act: this.#act, quote: this.quote });
  }

  get #isInstant(): boolean {
    const { order, quote } = this;
    const { instant, lamports } = this.#host.limit;
    if (!instant || lamports === null || !order || !quote || this.isUncertain || this.obstacle) return false;
    return atRisk(order, quote, this.#host.limit) <= (SIDES[order.operation] === "buy" ? lamports : instant.perTrade);
  }

  /** Sends what is shown, once. Resolves to whether anything was sent; `begun` is called once it is an attempt, whatever is entered by then. */
  async send(begun?: (intentId: string) => void): Promise<boolean> {
    return !this.obstacle && !this.#isSecondHalf && this.#send(undefined, begun);
  }

  /** Sends what comes next by the same press, which has accepted the risk of all of it, if it keeps what was promised at that press. */
  async follow(promised: TradeQuote | undefined, begun: (intentId: string) => void): Promise<boolean> {
    this.edited();
    const isClear = !this.obstacle || this.obstacle === "consent";
    return isClear && this.#send({ act: this.#act, quote: promised }, begun);
  }

  /** Whether a press comes so soon after one that has only shown a new quote, or prepared the next order: it was not made for that. */
  get #isSecondHalf(): boolean {
    const before = machine.facts(this.stage).note === "moved" ? this.#press : this.#prepared;
    return (before?.ageMs ?? DOUBLE_MS) < DOUBLE_MS;
  }

  /** Whether the button has said for a while what it says: a press right after a change was made for what it said before. */
  get #isSeen(): boolean {
    return this.#painted?.act === this.#act && this.#painted.since.ageMs >= DOUBLE_MS;
  }

  /** Whether one press sends the order that was sent last once more: nothing has to be decided first. */
  get mayRepeat(): boolean {
    const { order, quote, risk, attempt: sent } = this;
    const isAsked = risk.level === "tick" || risk.level === "type";
    return (
      this.obstacle === "spent" &&
      !!order &&
      !this.problems.length &&
      !!quote &&
      !quote.refused &&
      !isAsked &&
      !!sent &&
      stateOf(sent) !== "unconfirmed"
    );
  }

  /** Sends the same order once more, at the price that is shown now; prepares that, if something has to be decided first. */
  async repeat(): Promise<boolean> {
    if (!this.mayRepeat) return (this.again(), false);
    return this.#isSeen && this.#send();
  }

  /** @param seen what the trader decided by */
  async #send(
    seen: { readonly act: string; readonly quote: TradeQuote | undefined } | undefined = this.#painted,
    tellBegun?: (intentId: string) => void,
  ): Promise<boolean> {
    const { order } = this;
    const press = new Since();
    if (!order) return false;
    if (seen?.act !== this.#act) return (this.#lose("unseen"), false);
    // What follows a press has not been asked about.
    if (this.risk.limit !== undefined && this.consented) this.#host.limit.accept(this.risk.limit);
    // A page that was asleep has not let go of its plan in time.
    if (this.#held && (this.#heldSince?.ageMs ?? 0) > HELD_MS) return (this.#lose("expired"), false);
    // Between the frame that the trader saw and the press the market moved, or its price has become too old.
    if (seen.quote && !(this.quote && keeps(this.quote, seen.quote))) {
      [this.stage, this.#press] = [machine.ENTERED, press];
      return (this.#lose("moved"), false);
    }
    const stop = new AbortController();
    const focus = this.#host.focusLater();
    [this.#press, this.#stop] = [press, stop];
    this.stage = machine.pressed();
    this.#host.changed();
    let note: machine.Note | null = null;
    let complaint: string | null = null;
    let intentId: string | undefined;
    let hasBegun = false;
    try {
      const prepared = await (this.#held ?? this.#plan(order));
      // Only what was shown is sent: a quote that has changed meanwhile is shown first.
      if (!prepared || prepared.hasMoved) throw new Moved();
      const id = (intentId = prepared.plan.intentId);
      this.stage = machine.planned(this.stage, id);
      // From here on its own wallets and token are locked, and the form is free.
      const isKept = (): boolean => this.#isKept(order, prepared.quote);
      const begun = (): void => {
        hasBegun = true;
        this.#stop = undefined;
        this.stage = machine.over(this.stage, true);
        tellBegun?.(id);
        this.#host.changed();
      };
      await this.#host.send(order, prepared, { press, stop, isKept, begun });
      return true;
    } catch (error) {
      if (error instanceof Moved) {
        [note, this.#press] = ["moved", new Since()];
        return false;
      }
      // Refused before it was sent: by a limit of the client, because nothing could be stored, or because nobody would get it.
      complaint = messageOf(error);
      return false;
    } finally {
      if (!hasBegun) {
        this.#stop = undefined;
        this.#fresh(machine.over(this.stage, false, complaint, note));
        this.#endsWithItsCause();
      }
      // A trader who has gone on to another entry keeps it, and the focus.
      else if (intentId !== undefined && this.attemptId === intentId) {
        this.#fresh(machine.complained(this.stage, complaint));
        focus(this.#result);
      }
      if (complaint) this.#host.speech.alert(complaint);
      this.#host.changed();
    }
  }

  close(): void {
    clearTimeout(this.#release);
    clearTimeout(this.#noted);
  }

  /** What the form says of its last press goes once that is over: it is well again, a trade has settled, or the new quote was seen. */
  #endsWithItsCause(): void {
    const { world, attempts } = this.#host;
    const [wasUnwell, known] = [world.trouble !== undefined, attempts.all];
    this.#isOver = () => (wasUnwell && world.trouble === undefined) || attempts.all !== known;
    clearTimeout(this.#noted);
    const { stage } = this;
    if (stage.is === "entered" && stage.note) this.#noted = setTimeout(() => this.#forget(stage), NOTED_MS);
  }

  #forget(noted: machine.Stage): void {
    if (this.stage !== noted) return;
    this.stage = machine.ENTERED;
    this.#host.changed();
  }

  /** Reads and prices the entry; all consent ends. */
  #fresh(stage: machine.Stage): void {
    clearTimeout(this.#release);
    this.#held = undefined;
    this.stage = stage;
    this.#price();
  }

  /** Reads, checks and prices the entry on the current market. */
  #price(): void {
    const draft = this.#draft();
    const { world } = this.#host;
    const isNothing = draft.order !== undefined && world.isMissing?.(draft.order.request.mint) === true;
    this.order = isNothing ? undefined : draft.order;
    this.problems = isNothing
      ? [{ field: "mint", text: messages.header.noPrice(messages.live.noToken) }]
      : (draft.problems ?? []);
    this.empty = !draft.order && draft.empty;
    const all = draft.order && draft.all;
    this.#whole = all?.quote;
    this.quote = undefined;
    if (this.order) this.#quote(this.order);
    if (this.order && !this.problems.length) this.problems = this.#notSurelyHeld(this.order);
    this.risk =
      this.order && !this.problems.length
        ? riskOf(all?.order ?? this.order, all ? all.quote : this.quote, this.#host.limit, all?.priorityLamports)
        : { level: "calm", reasons: [], toType: null };
  }

  /** Whether it sells while an open buy may still add to what is held. */
  get isUncertain(): boolean {
    const trading = this.order && tradingOf(this.order);
    return (
      !!trading &&
      SIDES[trading.operation] === "sell" &&
      this.#host.attempts.all.some((attempt) => mayAdd(attempt, trading))
    );
  }

  /** Whether it sells a percentage of what is held when it gets there. */
  get isPart(): boolean {
    return !!this.order && /percentage/i.test(this.order.operation);
  }

  /** While a buy is open, no more is sold than what is held without it, if that is known. */
  #notSurelyHeld(order: Order): readonly Problem[] {
    const { mint } = order.request;
    const token = this.#host.world.tokens().find((token) => token.mint === mint);
    if (!token || !this.isUncertain) return [];
    const sold = new Map<string, bigint>();
    for (const { fromWallet, amountInToken } of legsOf(order)) {
      if (amountInToken !== undefined)
        sold.set(fromWallet, (sold.get(fromWallet) ?? 0n) + toBaseUnits(amountInToken, token.decimals));
    }
    return [...sold].flatMap(([wallet, units]) => {
      const held = this.#host.world.surelyHeld(wallet, mint);
      return held !== undefined && units > held
        ? [
            {
              field: "amountInToken",
              text: `${messages.ticket.amount} ${messages.risk.surelyHeld(tokens(held, token))}`,
            },
          ]
        : [];
    });
  }

  #quote({ operation, request }: Order): void {
    const { errors } = validate(operation, request);
    if (errors.length) this.problems = errors.map(problemOf);
    else {
      this.#host.world.warm?.(operation);
      try {
        this.quote = this.#host.world.quote(operation, request as never);
      } catch (error) {
        // Well formed but impossible here, such as an amount finer than a base unit.
        if (!isTradeError(error) || !error.fields) throw error;
        this.problems = error.fields.map(problemOf);
      }
    }
  }

  /** Whether an order would still bring the minimum that its quote promised, on the current market. */
  #isKept({ operation, request }: Order, promised: TradeQuote | undefined): boolean {
    if (!promised) return true;
    try {
      const now = this.#host.world.quote(operation, request as never);
      return now !== undefined && keeps(now, promised);
    } catch {
      return false;
    }
  }

  /** The plan of what is shown. If its quote differs from the shown one, that is shown instead. */
  async #plan(order: Order): Promise<Planned> {
    const shown = this.quote;
    const prepared = await this.#host.prepare(order);
    const { quote } = prepared;
    // Edited meanwhile: another order is shown, and this quote is not its. A shown price that is gone has moved, too.
    const hasMoved = this.order === order && !!shown && !(quote && isSame(quote, shown));
    if (hasMoved) {
      this.quote = quote;
      this.risk = riskOf(order, quote, this.#host.limit);
    }
    return { ...prepared, hasMoved };
  }

  /** Makes the plan that the trader decides about, and keeps it until it is sent, edited or too old. */
  #decide(given: { ticked?: boolean; typed?: string }): void {
    const { order } = this;
    const stage = machine.decided(this.stage, given);
    if (stage.is !== "deciding") this.#fresh(stage);
    else {
      this.stage = stage;
      if (!this.#held && order) this.#hold(order);
    }
    this.#host.changed();
  }

  #hold(order: Order): void {
    this.#heldSince = new Since();
    this.#held = this.#plan(order).then(
      (prepared) => (this.order === order && prepared.hasMoved && !this.isSending ? this.#lose("moved") : prepared),
      (error: unknown) => {
        if (this.order !== order) return undefined;
        // The send that waits for it reports the error.
        if (this.isSending) throw error;
        return this.refuse(messageOf(error));
      },
    );
    this.#release = setTimeout(() => this.#lose("expired"), HELD_MS);
  }

  /** Says why nothing is sent. */
  refuse(complaint: string): undefined {
    if (this.isSending) return;
    this.#fresh(machine.refused(complaint));
    this.#endsWithItsCause();
    this.#host.speech.alert(complaint);
    this.#host.changed();
  }

  /** Drops the held plan: the quote is new, so new consent is needed. */
  #lose(note: machine.Note): undefined {
    if (this.isSending) return;
    this.#fresh(machine.lost(this.stage, note));
    this.#endsWithItsCause();
    this.#host.changed();
  }
}

function messageOf(error: unknown): string {
  if (isTradeError(error)) return messages.sentences.notSent(refusalOf(error.code));
  return error instanceof Error ? error.message : String(error);
}

/** An error of a field under the name that the field has in the form. */
function problemOf({ field, message }: FieldError): Problem {
  return { field, text: message.startsWith(`${field} `) ? `${labelOf(field)}${message.slice(field.length)}` : message };
}

const isSame = (one: TradeQuote, other: TradeQuote): boolean =>
  one.refused?.code === other.refused?.code &&
  one.networkFeeLamports === other.networkFeeLamports &&
  one.legs.length === other.legs.length &&
  one.legs.every(
    (leg, at) => leg.tokens === other.legs[at]?.tokens && leg.walletLamports === other.legs[at]?.walletLamports,
  );

/** Whether a quote keeps the promise of another: none of its trades is worse than the other's worst case. */
const keeps = (now: TradeQuote, promised: TradeQuote): boolean =>
  !now.refused &&
  promised.legs.every(({ worstTokens, worstWalletLamports }, at) => {
    const leg = now.legs[at];
    if (!leg) return false;
    return leg.side === "buy"
      ? leg.tokens >= worstTokens && leg.walletLamports <= worstWalletLamports
      : leg.walletLamports >= worstWalletLamports;
  });
