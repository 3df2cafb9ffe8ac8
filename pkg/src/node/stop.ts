// What stops all trading, in a file beside the journal (`trades.journal.stop`), which any program may replace without the journal's lock. The
// program that has the journal reads it right before each send. Programs in Rust (crates/client/src/journal/stop.rs) know the same file.
//
//   {"mode":"halted","id":"0198…"}
//
// Each has an id, so that the same words said again are news. A file that cannot be read, or says something else, halts: so does an empty one,
// which any shell can make.

import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Suspension } from "launchpad-desk";
import { MODES } from "../browser/state.js";
import { readIfThereNow } from "./code.js";
import { replaceFile } from "./place.js";

type Mode = NonNullable<Suspension["mode"]>;

/** The path of the stop file of a journal. */
export const stopOf = (journal: string): string => `${journal}.stop`;

/** Its text; undefined if there is none. One that cannot be read is not none. */
function read(path: string): string | undefined {
  try {
    return readIfThereNow(path);
  } catch (error) {
    return (error as Error).message;
  }
}

function modeOf(text: string): Mode {
  try {
    const { mode } = JSON.parse(text) as { mode?: Mode };
    return MODES.find((known) => known === mode) ?? "halted";
  } catch {
    return "halted";
  }
}

/** What a mode is for a journal: who lets everything through has checked what the breaker stopped. */
const changeTo = (mode: Mode): Suspension =>
  Object.freeze(mode === "active" ? { mode, breakerOpen: false, unknownsInARow: 0 } : { mode });

/** Whether a mode stops less than another. */
const isLess = (mode: Mode, other: Mode): boolean => MODES.indexOf(mode) < MODES.indexOf(other);

const textOf = (mode: Mode): string => `${JSON.stringify({ mode, id: randomUUID() })}\n`;

/** Tells every program that has this journal, now or later, what may be traded. A full disk still has room for an empty file, which halts. */
export async function sayTo(journal: string, mode: Mode): Promise<void> {
  const path = stopOf(journal);
  try {
    await replaceFile(path, textOf(mode));
  } catch (error) {
    if (mode !== "halted") throw error;
    await (await open(path, "w", 0o600)).close();
  }
}

/** The stop file of a journal, and what of it the journal has already. */
export class StopFile {
  readonly #path: string;
  #said: string | undefined;
  /** What this journal's own program is about to say, the earliest first. */
  readonly #own = new Map<string, Mode>();
  #saying: Promise<unknown> = Promise.resolve();
  /** What was told last. */
  #latest: { text: string; change: Suspension } | undefined;
  /** What its program was told last: only that counts as heard. */
  #told: Suspension | undefined;
  /** Called once with what another program has said. */
  readonly #news: (change: Suspension) => void;

  constructor(journal: string, news: (change: Suspension) => void) {
    this.#path = stopOf(journal);
    this.#said = read(this.#path);
    this.#news = news;
  }

  /** What it said when it was opened, if that differs from what the journal has. */
  since({ mode = "active" }: Suspension): Suspension | undefined {
    const said = this.#said === undefined ? mode : modeOf(this.#said);
    return said === mode ? undefined : changeTo(said);
  }

  /** What another program has said that this journal has not: the same object, as long as that says nothing else. */
  outsideMode(): Suspension | undefined {
    return (this.#told = this.#outsideOf(read(this.#path)));
  }

  #outsideOf(text: string | undefined): Suspension | undefined {
    if (text === undefined || text === this.#said || this.#own.has(text)) return undefined;
    // What the own program is about to say comes after this, and stops more.
    const mode = modeOf(text);
    if ([...this.#own.values()].some((own) => isLess(mode, own))) return undefined;
    if (this.#latest?.text !== text) {
      this.#latest = { text, change: changeTo(mode) };
      // If it says that again, that is news.
      this.#said = undefined;
      this.#news(this.#latest.change);
    }
    return this.#latest.change;
  }

  /** Says what this journal's own program says, which comes after all that it has heard. A stop that it has not heard is not taken back. */
  async say(mode: Mode): Promise<void> {
    const text = textOf(mode);
    // What is heard only while this waits comes after it.
    const heard = this.#latest?.change === this.#told ? this.#latest : undefined;
    const check = (): string | undefined => {
      const text = read(this.#path);
      const isHeard = heard === this.#latest && text === heard?.text;
      const latest = isHeard ? undefined : this.#outsideOf(text);
      if (latest?.mode && isLess(mode, latest.mode))
        throw new Error(`another program has just said that trading is ${latest.mode}`);
      return text;
    };
    this.#said = check();
    this.#own.set(text, mode);
    // One after another, so that the file has what was said last.
    const saying = this.#saying.then(() =>
      replaceFile(this.#path, text, (fresh) => {
        check();
        renameSync(fresh, this.#path);
        // Whatever another program says from now on is news, even with the same words as before.
        [this.#said, this.#latest] = [text, undefined];
      }),
    );
    this.#saying = saying.catch(() => {});
    try {
      await saying;
    } finally {
      this.#own.delete(text);
    }
  }
}
