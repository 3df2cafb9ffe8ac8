// The mode of all trading, which several programs set: every order in which one program and others say something, up to a length. The rules
// are those of the file journal and of the browser's. What must hold is told here from the history alone.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "../../scripts/program.mjs";

const MODES = ["active", "reducing", "halted"];
const strictness = (mode) => MODES.indexOf(mode);
const modeOf = (text) => text.split(" ")[0];

const DEEDS = ["write", "fail", "ask"].map((name) => [name]);
const words = (mode) => [
  ["say", mode],
  ["other", mode],
];
/** What may happen, and how often. Eight times all but the removal takes a minute, and passed, too. */
const WALKS = [
  { length: 6, moves: [["remove"], ...DEEDS, ...MODES.flatMap(words)] },
  { length: 7, moves: [...DEEDS, ...words("active"), ["say", "reducing"], ["other", "halted"]] },
];

async function load() {
  const { outputFiles } = await build({
    entryPoints: [join(root, "pkg/src/browser/shared-mode.ts")],
    bundle: true,
    format: "esm",
    write: false,
    tsconfigRaw: {},
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** A program, the place, and what has happened. */
class World {
  #now = 0;
  #place = undefined;
  #guards = "active";
  #obeyed = undefined;
  #failedAt = -1;
  /** What the program has said and not written, and what it said last. */
  #waiting = [];
  #own = { mode: "active", at: 0 };
  /** What others said last, and since when that counts as heard. */
  #other = undefined;

  #isRead;

  constructor(SharedMode, isRead) {
    this.#isRead = isRead;
    this.shared = new SharedMode(modeOf, undefined, "active");
  }

  say(mode) {
    const word = this.shared.say(mode, `${mode} ${++this.#now}`, this.#place);
    this.#own = { mode, at: this.#now };
    this.#waiting.push({ word, at: this.#now });
    this.#guards = mode;
  }

  other(mode) {
    const at = ++this.#now;
    this.#place = `${mode} ${at}`;
    this.#other = { mode, at, heardAt: Infinity, text: this.#place };
  }

  remove() {
    this.#place = undefined;
    if (this.#other) this.#other.isRemoved = true;
  }

  write() {
    const { word, at } = this.#waiting.shift();
    const other = this.#other;
    const isUnheard = other && at < other.heardAt && strictness(other.mode) > strictness(word.mode);
    try {
      this.shared.check(word, this.#place);
    } catch {
      assert.ok(isUnheard || (this.#failedAt > 0 && strictness(other.mode) > strictness(word.mode)), "refused");
      this.ask();
      return this.#covered();
    }
    assert.ok(!isUnheard || this.#place !== other.text, "a stop that it has not heard is taken back");
    this.#place = word.text;
    // Somebody may read it before the program knows that it was written.
    if (this.#isRead) this.shared.see(this.#place);
    this.shared.wrote(word);
    this.#covered();
  }

  fail() {
    this.shared.failed(this.#waiting.shift().word);
    this.#failedAt = ++this.#now;
    this.#covered();
  }

  /** As right before a send. */
  ask() {
    const said = this.shared.hear(this.#place);
    if (said && said !== this.#obeyed) this.#guards = said.mode;
    this.#obeyed = said;
    if (this.#other && said) this.#heard();
    const [own, other] = [this.#own, this.#other];
    const isTakenBack = other && own.at > other.heardAt;
    if (other && !other.isRemoved && !isTakenBack) this.#stopsAsMuchAs(other);
    if (!other || isTakenBack || other.at < own.at) this.#stopsAsMuchAs(own);
    if (this.#waiting.length || this.#place === undefined) return;
    if (this.#failedAt < 0 || (this.#place === other?.text && this.#failedAt < other.at))
      assert.equal(this.#guards, modeOf(this.#place), "it does not follow the place");
  }

  #stopsAsMuchAs({ mode }) {
    assert.ok(strictness(this.#guards) >= strictness(mode), `${this.#guards} after ${mode}`);
  }

  /** What another said is heard once what the program itself wrote last stands in its place: that stops no less. */
  #covered() {
    if (this.#other && !this.#waiting.length && this.#place !== this.#other.text) this.#heard();
  }

  #heard() {
    this.#other.heardAt = Math.min(this.#other.heardAt, ++this.#now);
  }
}

test("no stop is lost, in whatever order programs say something and it is written", async () => {
  const { SharedMode } = await load();
  let count = 0;
  const walk = (moves, length, history = [], waiting = 0) => {
    const world = new World(SharedMode, count++ % 2 === 0);
    try {
      for (const [name, mode] of history) world[name](mode);
      world.ask();
    } catch (error) {
      error.message = `${history.map((move) => move.join(" ")).join(", ")}: ${error.message}`;
      throw error;
    }
    if (history.length === length) return;
    for (const move of moves) {
      const ends = move[0] === "write" || move[0] === "fail";
      if (waiting || !ends) walk(moves, length, [...history, move], waiting + (move[0] === "say") - ends);
    }
  };
  for (const { moves, length } of WALKS) walk(moves, length);
  assert.ok(count > 900_000, `${count} histories`);
});
