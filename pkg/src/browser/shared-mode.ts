// What a program knows of the mode of all trading, which other programs set, too: in the stop file of a journal, or in a browser's database.
// These are the rules alone; who reads and writes that place calls them. crates/client/src/journal/shared_mode.rs has the same.
//
// - What another program says is heard once this one has asked for it.
// - What this program says comes after all that it has heard, and takes back no stop that it had not heard when it said so.
// - What it says and cannot write holds until somebody else says something.
// - Once nothing of its own is being written, it follows what the place says.

import type { Suspension } from "launchpad-desk";
import { MODES } from "./state.js";

export type Mode = NonNullable<Suspension["mode"]>;

/** What this program says and has not written yet. */
export interface OwnWord {
  readonly text: string;
  readonly mode: Mode;
  /** What another program has said that this one had not heard when it said this. */
  unheard: Mode;
}

/** What the place says, if that is not what this program has said last. */
interface Outside {
  readonly text: string;
  /** Otherwise this program has said it, before it said or heard something else. */
  readonly isOfAnother: boolean;
  readonly change: Suspension & { readonly mode: Mode };
  isHeard: boolean;
}

/** What a mode is for a journal: who lets everything through has checked what the breaker stopped. */
export const changeTo = (mode: Mode): Outside["change"] =>
  Object.freeze(mode === "active" ? { mode, breakerOpen: false, unknownsInARow: 0 } : { mode });

const isLess = (mode: Mode, other: Mode): boolean => MODES.indexOf(mode) < MODES.indexOf(other);

export class SharedMode {
  readonly #modeOf: (text: string) => Mode;
  /** What the place says, as far as this program knows. */
  #place: string | undefined;
  /** What this program has said or heard last. */
  #mode: Mode;
  /** What of its own the place does not say yet, or cannot: it stops no less than what others say meanwhile. */
  #unwritten: Mode = "active";
  #outside: Outside | undefined;
  /** What this program is about to write, the earliest first. */
  readonly #own: OwnWord[] = [];

  /** `text` is what the place says at the start, where the program's mode is `mode`. */
  constructor(modeOf: (text: string) => Mode, text: string | undefined, mode: Mode) {
    this.#modeOf = modeOf;
    this.#place = text;
    this.#mode = mode;
  }

  /** Takes note of what the place says now. */
  see(text: string | undefined): void {
    if (text === this.#place) return;
    const own = this.#own.find((own) => own.text === text);
    if (own) return this.wrote(own);
    this.#place = text;
    if (!this.#own.length) this.#unwritten = "active";
    const change = changeTo(text === undefined ? "active" : this.#modeOf(text));
    this.#outside = text === undefined ? undefined : { text, isOfAnother: true, change, isHeard: false };
    for (const own of this.#own) own.unheard = change.mode;
  }

  /** What another program has said, as the same object until something else is said. This program has heard it then. */
  hear(text: string | undefined): Suspension | undefined {
    this.see(text);
    const outside = this.#outside;
    if (!outside || isLess(outside.change.mode, this.#unwritten)) return undefined;
    if (!outside.isHeard) {
      outside.isHeard = true;
      this.#mode = outside.change.mode;
    }
    return outside.change;
  }

  /** This program says something: `word` is its text. */
  say(mode: Mode, word: string, text: string | undefined): OwnWord {
    this.see(text);
    const outside = this.#outside;
    if (!outside?.isOfAnother || outside.isHeard) this.#outside = undefined;
    const own = { text: word, mode, unheard: this.#outside?.change.mode ?? "active" };
    this.#own.push(own);
    this.#mode = this.#unwritten = mode;
    return own;
  }

  /** Right before it replaces what the place says: throws if it must not, and is given up then. */
  check(own: OwnWord, text: string | undefined): void {
    this.see(text);
    const { mode, unheard } = own;
    if (!isLess(mode, unheard)) return;
    this.#remove(own);
    this.#follow();
    throw new Error(`another program has just said that trading is ${unheard}`);
  }

  wrote(own: OwnWord): void {
    if (!this.#remove(own)) return;
    this.#place = own.text;
    this.#follow();
  }

  failed(own: OwnWord): void {
    this.#remove(own);
  }

  /** Once nothing of its own is left to be written, the place is right, whatever this program said or heard before. */
  #follow(): void {
    if (this.#own.length || this.#outside?.text === this.#place || this.#place === undefined) return;
    const mode = this.#modeOf(this.#place);
    const own = { text: this.#place, isOfAnother: false, change: changeTo(mode), isHeard: false };
    this.#outside = mode === this.#mode ? undefined : own;
  }

  #remove(own: OwnWord): boolean {
    const at = this.#own.indexOf(own);
    if (at >= 0) this.#own.splice(at, 1);
    return at >= 0;
  }
}
