// Alerts at a price: the page tells the trader once, and sends nothing. They work while the page is open, and are kept in this browser.

import { readPrice } from "./exits/typed.js";
import { plainPrice, price } from "./figures.js";
import { messages } from "./messages.js";
import type { Speech } from "./speech.js";
import type { World } from "./world.js";

const say = messages.alerts;

const MOST = 20;
const MOST_LENGTH = 10_000;

/** An alert that waits. */
interface Waiting {
  readonly mint: string;
  /** Lamports per whole token. */
  readonly price: number;
  /** Whether the price was below it when it was set. */
  readonly isAbove: boolean;
}

export class Alerts {
  readonly #name: string;
  readonly #host: { readonly world: World; readonly speech: Speech; changed(): void };
  #waiting: readonly Waiting[];
  /** Off until the trader turns it on. */
  hasSound: boolean;
  /** What is wrong with what was typed last. */
  problem = "";
  isOpen = false;

  constructor(host: { readonly world: World; readonly speech: Speech; changed(): void }) {
    this.#host = host;
    this.#name = `launchpad-desk alerts ${host.world.kind} ${location.pathname}`;
    const { waiting, sound } = read(this.#name);
    this.#waiting = waiting;
    this.hasSound = sound;
  }

  of(mint: string): readonly Waiting[] {
    return this.#waiting.filter((one) => one.mint === mint);
  }

  /** Sets one at what was typed, a price or a market cap. */
  set(mint: string, text: string): void {
    const { world } = this.#host;
    const token = world.tokens().find((token) => token.mint === mint);
    const curve = world.curve(mint);
    try {
      const supply = curve && Number(curve.supply) / 10 ** (token?.decimals ?? 0);
      const at = readPrice(say.field, text, supply ? (lamports) => lamports / supply : undefined);
      const now = Number(token?.spotPrice ?? 0);
      if (at === undefined) throw new Error(say.notRead);
      if (!(now > 0)) throw new Error(messages.exits.noPrice);
      if (this.#waiting.length >= MOST) throw new Error(say.tooMany(MOST));
      this.problem = "";
      this.#keep([...this.#waiting, { mint, price: at, isAbove: at > now }]);
      // A browser asks at most once, and only now does the trader know why. Without it the panel alone says it.
      if (globalThis.Notification?.permission === "default") void Notification.requestPermission().catch(() => {});
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      this.#host.changed();
    } finally {
      curve?.free();
    }
  }

  remove(gone: Waiting): void {
    this.#keep(this.#waiting.filter((one) => one !== gone));
  }

  setSound(hasSound: boolean): void {
    this.hasSound = hasSound;
    this.#keep(this.#waiting);
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

  #keep(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    try {
      localStorage.setItem(this.#name, JSON.stringify({ waiting, sound: this.hasSound }));
    } catch {
      // Where the browser stores nothing, they last as long as the panel.
    }
    this.#host.changed();
  }
}

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

/** What is kept, as far as it can be alerts. */
function read(name: string): { readonly waiting: readonly Waiting[]; readonly sound: boolean } {
  try {
    const text = localStorage.getItem(name) ?? "";
    const { waiting, sound } = JSON.parse(text && text.length <= MOST_LENGTH ? text : "{}") as Record<string, unknown>;
    const isOne = (one: Partial<Waiting> | null): one is Waiting =>
      typeof one?.mint === "string" && Number(one.price) > 0 && typeof one.isAbove === "boolean";
    return { waiting: Array.isArray(waiting) ? waiting.filter(isOne).slice(0, MOST) : [], sound: sound === true };
  } catch {
    return { waiting: [], sound: false };
  }
}
