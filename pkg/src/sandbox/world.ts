// A sandbox's state and what happens around it: its clock, its store, who follows it, and the answer to a request.

import * as core from "build:sandbox";
import { callArgs, failure, result } from "../crossing.js";
import type { Operation, TradeQuote } from "../generated.js";
import type { Followed } from "../symbols.js";
import { Feed } from "./feed.js";
import type { Reply } from "./fetch-shape.js";

export type Store = (changes: { key: string; row: string }[], later?: (stored: Promise<void>) => void) => void;

/** What the answer of a stream has as its content type, alone of all answers. */
const EVENT_STREAM = "text/event-stream";

/** The most rows that cross at once: a whole state may be longer than the longest text. */
const PIECE = 1_000;

/** A sandbox's state in pieces. */
export interface Pieces {
  /** Its rows, some at a time. The sandbox must not change meanwhile. */
  rows(): Iterable<string[]>;
  stored(): StoredPieces;
}

/** A state that is put together from rows of a store. It must be freed. */
export interface StoredPieces {
  /** Applies the next rows. */
  apply(rows: readonly string[]): void;
  /** The sandbox takes over the state if it is consistent; calling this again restores the previous state. */
  swap(): void;
  free(): void;
}

/** A number as it is; NaN for anything else. */
const numberOf = (value: unknown): number => (typeof value === "number" ? value : NaN);

/** A list of texts joined into one, because it may be too long to flatten. `undefined` for anything but a list of texts. */
function sequenceOf(texts: readonly string[]): string | undefined {
  try {
    return Array.isArray(texts) && texts.every((text) => typeof text === "string")
      ? texts.map((text) => `\x1e${text}`).join("")
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a store has returned a promise. */
function isPromise(stored: unknown): boolean {
  try {
    return typeof (stored as { then?: unknown } | null | undefined)?.then === "function";
  } catch {
    return false;
  }
}

/** What the paths of the launchpad's rules begin with, among the settings that decide results. */
const LAUNCHPAD = "launchpad.";

/** The sandbox itself. Its `fetch` shares it, and works on after the sandbox is freed. */
export class World {
  readonly core: core.Sandbox;
  /** The store of `onChanges`, if there is one. */
  store: Store | undefined;
  /** The clock of `useClock`, in milliseconds, if there is one. */
  clock: (() => number) | undefined;
  /** Who follows it, each told what every call has changed. */
  readonly followers = new Set<(rows: readonly string[], nowMs: number) => void>();
  /** Who watches it: each is told after every call, with what that has changed, or nothing if the whole state was replaced. */
  readonly watchers = new Set<(moved: core.SandboxChange | undefined) => void>();
  /** Whether the store is running: it must not change the sandbox. */
  #storing = false;
  /** Resolves once all changes so far are stored, if the store is not done with them. */
  #stored: Promise<void> | undefined;

  constructor(made: core.Sandbox) {
    this.core = made;
  }

  /** Stores what a call changes, then changes it. With `later`, the store may finish later. */
  take(move: core.SandboxChange, later?: (stored: Promise<void>) => void): void {
    if (this.#storing) throw failure(core.storeMustNotMove());
    const changes = this.store || this.followers.size ? result<{ key: string; row: string }[]>(move.changes()) : [];
    if (this.store && changes.length) {
      const { store } = this;
      this.#storing = true;
      try {
        if (isPromise(store(changes, later))) throw failure(core.storeMustBeSynchronous());
      } finally {
        this.#storing = false;
      }
    }
    this.core.take(move);
    for (const watch of this.watchers) watch(move);
    if (changes.length) this.#tell(changes.map(({ row }) => row));
  }

  #tell(rows: readonly string[]): void {
    for (const write of this.followers) write(rows, this.now());
  }

  /** The time by its clock, in milliseconds. */
  now(): number {
    return numberOf(this.clock ? this.clock() : Date.now());
  }

  /** What a chain needs to follow it. */
  followed(): Followed {
    const settings = () =>
      Object.entries(result<Record<string, string>>(this.core.origin())).filter(([path]) => path.startsWith(LAUNCHPAD));
    return {
      launchpad: () =>
        `{${settings()
          .map(([path, text]) => `${JSON.stringify(path.slice(LAUNCHPAD.length))}:${text}`)
          .join(",")}}`,
      now: () => this.now(),
      rows: () => this.rows(),
      follow: (write) => {
        this.followers.add(write);
        return () => void this.followers.delete(write);
      },
    };
  }

  /** The same for a method of the sandbox. */
  move(changed: (core: core.Sandbox) => unknown, caller: Function): void {
    const move = result<core.SandboxChange>(changed(this.core), caller);
    try {
      this.take(move);
    } finally {
      move.free();
    }
  }

  *rows(): Iterable<string[]> {
    for (let skip = 0; ; skip += PIECE) {
      const rows = result<string[]>(this.core.rows(skip, PIECE));
      if (rows.length) yield rows;
      if (rows.length < PIECE) return;
    }
  }

  stored(caller?: Function): StoredPieces {
    if (this.#storing) throw failure(core.storeMustNotMove());
    const stored = this.core.stored();
    return {
      apply: (rows) => void result(stored.apply(sequenceOf(rows)), caller),
      swap: () => {
        result(this.core.swap(stored), caller);
        if (this.followers.size) this.#tell([...this.rows()].flat());
        for (const watch of this.watchers) watch(undefined);
      },
      free: () => stored.free(),
    };
  }

  apply(rows: readonly string[], caller: Function): void {
    const stored = this.stored(caller);
    try {
      if (!Array.isArray(rows)) stored.apply(rows);
      else for (let at = 0; at < rows.length; at += PIECE) stored.apply(rows.slice(at, at + PIECE));
      stored.swap();
    } finally {
      stored.free();
    }
  }

  free(): void {
    if (this.#storing) throw failure(core.storeMustNotMove());
    this.core.free();
  }

  /** What a request, given as an object or as a body, would do now. */
  quote(asked: { operation: Operation; request?: unknown; body?: string }, caller?: Function): TradeQuote {
    return result(this.core.quote(callArgs(asked)), caller);
  }

  /** The most bytes of the body that the answer to a request needs, if it needs any. */
  bodyLimit(method: string, path: string, headers: [string, string][]): number | undefined {
    const most = this.core.bodyLimit(callArgs({ method, path, headers }));
    return most < 0 ? undefined : most;
  }

  /** Answers a request, once what it changes is stored, and whatever it may have seen. */
  answer(method: string, path: string, headers: [string, string][], body: Uint8Array): Reply | Promise<Reply> {
    const move = result<core.SandboxChange>(this.core.answer(this.now(), body, callArgs({ method, path, headers })));
    try {
      this.take(move, (stored) => this.#waitFor(stored));
      const reply: Reply = Object.assign(result<Omit<Reply, "body">>(move.reply()), { body: move.body() });
      if (reply.headers.some(([, value]) => value === EVENT_STREAM)) reply.feed = this.#feed(path);
      return this.#stored
        ? this.#stored.then(
            () => reply,
            (error) => this.#unread(reply, error),
          )
        : reply;
    } finally {
      move.free();
    }
  }

  /** What happens from now on, for one reader. Nothing is told before it is stored. */
  #feed(path: string): Feed {
    const feed = new Feed();
    const at = path.indexOf("?");
    const query = at < 0 ? "" : path.slice(at + 1);
    const watch = (moved: core.SandboxChange | undefined): void => {
      const text = moved ? this.core.events(query, moved) : this.core.restarted(query);
      if (!text) return;
      if (this.#stored)
        this.#stored.then(
          () => feed.tell(text),
          () => feed.stop(),
        );
      else feed.tell(text);
    };
    this.watchers.add(watch);
    feed.stop = () => void this.watchers.delete(watch);
    return feed;
  }

  #unread({ feed }: Reply, error: unknown): never {
    feed?.stop();
    throw error;
  }

  /** Holds back all answers until the store is done. If it fails, the state is not what is stored, and there are no more answers. */
  #waitFor(stored: Promise<void>): void {
    this.#stored = stored;
    stored.then(
      () => {
        if (this.#stored === stored) this.#stored = undefined;
      },
      () => {},
    );
  }

  keepBy(store: Store | undefined): void {
    this.store = store;
    this.#stored = undefined;
  }
}
