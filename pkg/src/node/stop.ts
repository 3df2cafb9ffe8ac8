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
import { type Mode, SharedMode, changeTo } from "../browser/shared-mode.js";
import { MODES } from "../browser/state.js";
import { readIfThereNow } from "./code.js";
import { replaceFile } from "./place.js";

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

/** What was last said about a journal; undefined if nothing. */
export function modeSaid(journal: string): Mode | undefined {
  const said = read(stopOf(journal));
  return said === undefined ? undefined : modeOf(said);
}

const textOf = (mode: Mode): string => `${JSON.stringify({ mode, id: randomUUID() })}\n`;

/**
 * Tells every program that has this journal, now or later, what may be traded. A full disk still has room for an empty file, which halts.
 * Resolves to why a power cut may undo that, if so.
 */
export async function sayTo(journal: string, mode: Mode): Promise<Error | undefined> {
  const [path, text] = [stopOf(journal), textOf(mode)];
  try {
    await replaceFile(path, text);
  } catch (error) {
    if (read(path) === text) return error as Error;
    if (mode !== "halted") throw error;
    await (await open(path, "w", 0o600)).close();
  }
  return undefined;
}

/** The stop file of a journal, and what of it the journal's program knows. */
export class StopFile {
  readonly #path: string;
  readonly #shared: SharedMode;
  /** Called once with what another program has said. */
  readonly #news: (change: Suspension) => void;
  #last: Suspension | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** What a person said while no program had the journal. */
  readonly since: Suspension | undefined;

  /** `suspension` is what the journal has. */
  constructor(journal: string, suspension: Suspension, news: (change: Suspension) => void) {
    this.#path = stopOf(journal);
    this.#news = news;
    const { mode = "active" } = suspension;
    const said = read(this.#path);
    const now = said === undefined ? mode : modeOf(said);
    this.#shared = new SharedMode(modeOf, said, now);
    if (now !== mode) this.since = changeTo(now);
  }

  /** What another program has said that this one has not taken back: the same object, as long as that says nothing else. */
  outsideMode(): Suspension | undefined {
    const change = this.#shared.hear(read(this.#path));
    if (change && change !== this.#last) this.#news(change);
    return (this.#last = change);
  }

  /** Says what this journal's own program says. It has said so once this is called; it is written when this resolves. */
  say(mode: Mode): Promise<void> {
    const word = this.#shared.say(mode, textOf(mode), read(this.#path));
    // One after another, so that the file has what was said last.
    const written = this.#writing.then(() =>
      replaceFile(this.#path, word.text, (fresh) => {
        this.#shared.check(word, read(this.#path));
        renameSync(fresh, this.#path);
        this.#shared.wrote(word);
      }).catch((error: unknown) => {
        this.#shared.failed(word);
        throw error;
      }),
    );
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Resolves once nothing is being written. */
  async written(): Promise<void> {
    await this.#writing;
  }
}
