// Alerts at a price: the page tells the trader once, and sends nothing. They work while the page is open, and are kept in this browser.

import type { Desk } from "../desk.js";
import { MOST_OF_ID } from "../../generated.js";
import { plainPrice, price } from "../figures.js";
import { Kept, placeOf } from "../kept.js";
import { messages } from "../messages.js";

const say = messages.alerts;

const MOST = 20;

interface Waiting {
  readonly mint: string;
  /** Lamports per whole token. */
  readonly price: number;
  /** Whether the price was below it when it was set. */
  readonly isAbove: boolean;
}

type AlertsHost = Pick<Desk, "world" | "speech" | "changed">;

export class Alerts {
  readonly #kept: Kept<{ readonly waiting: readonly Waiting[]; readonly sound: boolean }>;
  readonly #host: AlertsHost;
  /** What is wrong with what was typed last, or that one was reached. */
  problem = "";
  isOpen = false;

  constructor(host: AlertsHost) {
    this.#host = host;
    this.#kept = new Kept(placeOf("alerts", host.world), read);
  }

  get #waiting(): readonly Waiting[] {
    return this.#kept.now.waiting;
  }

  toggle(): void {
    this.isOpen = !this.isOpen;
    this.refuse("");
  }

  /** Off until the trader turns it on. */
  get hasSound(): boolean {
    return this.#kept.now.sound;
  }

  /** Whether one of a token here waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0 && this.#host.world.tokens().some(({ mint }) => this.of(mint).length);
  }

  of(mint: string): readonly Waiting[] {
    return this.#waiting.filter((one) => one.mint === mint);
  }

  /** Sets one, in lamports per whole token. */
  set(mint: string, price: number): void {
    const token = this.#host.world.tokens().find((token) => token.mint === mint);
    const now = Number(token?.spotPrice ?? 0);
    if (!(now > 0)) throw new Error(messages.exits.noPrice);
    if (this.#waiting.length >= MOST) throw new Error(say.tooMany(MOST));
    this.problem = "";
    const one = { mint, price, isAbove: price > now };
    this.#change((waiting) => [...without(waiting, one), one]);
    // A browser asks at most once, and only now does the trader know why. Without it the panel alone says it.
    if (globalThis.Notification?.permission === "default") void Notification.requestPermission().catch(() => {});
  }

  refuse(problem: string): void {
    this.problem = problem;
    this.#host.changed();
  }

  remove(gone: Waiting): void {
    this.#change((waiting) => without(waiting, gone));
  }

  setSound(hasSound: boolean): void {
    this.#change((waiting) => waiting, hasSound);
  }

  /** The market has moved: those that are reached say so, once. */
  look(): void {
    if (!this.#waiting.length) return;
    const tokens = this.#host.world.tokens();
    for (const one of this.#waiting) {
      const token = tokens.find(({ mint }) => mint === one.mint);
      const now = Number(token?.spotPrice ?? 0);
      if (!token || !(now > 0) || (one.isAbove ? now < one.price : now > one.price)) continue;
      this.remove(one);
      const text = say.reached(token.symbol, price(now), price(one.price));
      this.#host.speech.alert(say.reached(token.symbol, plainPrice(now), plainPrice(one.price)));
      this.problem = text;
      this.isOpen = true;
      notify(text);
      if (this.hasSound) beep();
    }
  }

  #change(change: (waiting: readonly Waiting[]) => readonly Waiting[], hasSound?: boolean): void {
    this.#kept.change(({ waiting, sound }) => ({ waiting: change(waiting), sound: hasSound ?? sound }));
    this.#host.changed();
  }
}

const without = (waiting: readonly Waiting[], gone: Waiting): Waiting[] =>
  waiting.filter(({ mint, price, isAbove }) => mint !== gone.mint || price !== gone.price || isAbove !== gone.isAbove);

/** A notification of the page, where the trader has allowed them. Phones show none from a page. */
function notify(text: string): void {
  try {
    if (globalThis.Notification?.permission === "granted") new Notification(text, { tag: text });
  } catch {
    // The panel has said it.
  }
}

function beep(): void {
  try {
    const audio = new AudioContext();
    const tone = new OscillatorNode(audio, { frequency: 880 });
    tone.connect(new GainNode(audio, { gain: 0.1 })).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.2);
    // A page that nobody has pressed yet makes no sound: its tone never ends.
    setTimeout(() => void audio.close(), 1_000);
  } catch {
    // Where there is no sound, the panel has said it.
  }
}

const isOne = (one: Partial<Waiting> | null): one is Waiting =>
  typeof one?.mint === "string" &&
  one.mint.length <= MOST_OF_ID &&
  typeof one.price === "number" &&
  Number.isFinite(one.price) &&
  one.price > 0 &&
  typeof one.isAbove === "boolean";

function read(value: unknown): { readonly waiting: readonly Waiting[]; readonly sound: boolean } {
  const { waiting, sound } = (value ?? {}) as Record<string, unknown>;
  return { waiting: Array.isArray(waiting) ? waiting.filter(isOne).slice(0, MOST) : [], sound: sound === true };
}
