// How values cross between JavaScript and the core. The arguments of a call become one flat value: five numbers for each value in
// it, and one text. The answer comes back in the same form. crates/api/src/tape/mod.rs is the other side.
//
// The five numbers are the value's kind, the start and length of its name in the text, and the start and length of its own text.
// For an integer, the last two are its low and high half; for an array or object, how many values it contains in all and how many
// directly. A name, or a word, that both sides know is its place in `NAMES`. Both sides read and write in the core's memory. Starts and
// lengths count bytes of UTF-8; for ASCII these are the same as in the string.
//
// Every value is read once, and all of them before the core gets any, because a getter may call back into the package. This file
// checks only bounds. A value that is not data is marked as such, and the core decides.

import * as core from "build:core";
import { type FailureFields, errorOf } from "./errors.js";
import { NAMES, type Operation, TRADES } from "./generated.js";
import { inJson } from "./json.js";
import { withOwn } from "./runtime.js";

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const INTEGER = 4;
const DOUBLE = 5;
const BIGINT = 6;
const STRING = 7;
const FOREIGN = 8;
const ARRAY = 9;
const OBJECT = 10;
const TRADE = 11;
const PROBLEM = 12;
const WORD = 13;

/** How many fields a trade has without its id. */
const TRADE_FIELDS = 9;

/** How deep an argument is read. The deepest field of any is four levels down. */
const MAX_DEPTH = 6;
/** The most values that are read in one call. */
const MAX_VALUES = 100_000;
/** The most fields of one object, as in JSON. */
const MAX_FIELDS = 1024;
/** The longest string that is read. */
const MAX_TEXT = 1 << 20;
/** The most text of one call, as a multiple of the longest string: the same string may be in many places. */
const LONGEST_TEXTS = 4;
/** How many classes of an object are looked at: a proxy can name a new one each time. */
const MAX_CLASSES = 64;

// Taken once, because other code may change the prototypes later.
const { defineProperty, entries, fromEntries, getOwnPropertyDescriptors, getOwnPropertyNames } = Object;
const { getPrototypeOf, keys, prototype } = Object;
const { hasOwnProperty } = prototype;
const { asIntN } = BigInt;

type Readable = Record<string, unknown>;

/** Marks a field that an object inherits as data, or hides. The core refuses it by its name; see `crates/api/src/reader.rs`. */
const INHERITED = "an inherited or hidden field";

/** The fields that an object's classes add to its own: getters count as fields; other data is only reported. */
function inherited(object: object): { getters: string[]; data: string[] } {
  const getters: string[] = [];
  const data: string[] = [];
  let classes = 0;
  for (let at = getPrototypeOf(object); at && getters.length + data.length < MAX_FIELDS; at = getPrototypeOf(at)) {
    // A realm's own Object is the last class of all, and gives no object its fields.
    if (getPrototypeOf(at) === null && hasOwnProperty.call(at, "hasOwnProperty")) break;
    if (++classes > MAX_CLASSES) throw new RangeError("too many classes");
    for (const [name, { get, enumerable, value }] of entries(getOwnPropertyDescriptors(at))) {
      if (get) getters.push(name);
      else if (enumerable && value !== undefined && typeof value !== "function") data.push(name);
    }
  }
  return { getters, data };
}

/** How many numbers describe a value. */
const SIZE = 5;
/** In place of a name's start: the name is in `NAMES`, and its length is its index there. */
const KNOWN = -1;
const PLACES = new Map<string, number>(NAMES.map((name, place) => [name, place]));
/** How many of them are fields of a request or of a nested limit, which come first. */
const OF_CALLERS = PLACES.get("operation") as number;

export class Flat {
  maxText = MAX_TEXT;
  records = new Int32Array(64 * SIZE);
  used = 0;
  text = "";
  values = 0;

  of(call: Readable, depth = MAX_DEPTH + 1, maxText = MAX_TEXT): this {
    this.used = this.values = 0;
    this.text = "";
    this.maxText = maxText;
    this.value("", call, depth);
    return this;
  }

  /** Writes the first three numbers of a value; returns the place of the other two. */
  put(kind: number, name: string): number {
    const at = this.used;
    this.used = at + SIZE;
    if (this.used > this.records.length) {
      const { records } = this;
      this.records = new Int32Array(2 * records.length);
      this.records.set(records);
    }
    const { records } = this;
    records[at] = kind;
    const place = PLACES.get(name);
    records[at + 1] = place === undefined ? this.text.length : KNOWN;
    records[at + 2] = place ?? name.length;
    if (place === undefined) this.text += name;
    return at + 3;
  }

  putText(kind: number, name: string, text: string): void {
    this.putPair(this.put(kind, name), this.text.length, text.length);
    this.text += text;
  }

  putPair(at: number, one: number, other: number): void {
    this.records[at] = one;
    this.records[at + 1] = other;
  }

  foreign(name: string, what: string): void {
    this.putText(FOREIGN, name, what);
  }

  /** Writes a value under its name, with all that it contains. */
  value(name: string, value: unknown, depth: number): void {
    if (++this.values > MAX_VALUES) return this.foreign(name, `more than ${MAX_VALUES} values`);
    switch (typeof value) {
      case "string":
        if (value.length > this.maxText) return this.foreign(name, `a string of over ${this.maxText} characters`);
        if (this.text.length + value.length > LONGEST_TEXTS * this.maxText)
          return this.foreign(name, `more than ${LONGEST_TEXTS * this.maxText} characters in all`);
        return this.putText(STRING, name, value);
      case "number":
        return Number.isSafeInteger(value)
          ? this.putPair(this.put(INTEGER, name), value, Math.floor(value / 2 ** 32))
          : this.putText(DOUBLE, name, `${value}`);
      case "bigint":
        // Printing a huge bigint takes more than linear time.
        return asIntN(129, value) === value
          ? this.putText(BIGINT, name, `${value}`)
          : this.foreign(name, "a bigint of over 128 bits");
      case "boolean":
        return this.putPair(this.put(value ? TRUE : FALSE, name), 0, 0);
      case "undefined":
        return this.putPair(this.put(NULL, name), 0, 0);
      case "object":
        if (value === null) return this.putPair(this.put(NULL, name), 0, 0);
        if (depth === 0) return this.foreign(name, "an object nested too deeply or in a cycle");
        return this.whole(name, value, depth);
      default:
        return this.foreign(name, `a ${typeof value}`);
    }
  }

  /** Writes an object or an array. */
  whole(name: string, object: object, depth: number): void {
    const { used, text } = this;
    let wrong: string | undefined;
    try {
      wrong = Array.isArray(object) ? this.array(name, object, depth) : this.object(name, object as Readable, depth);
    } catch {
      wrong = "an object that throws when it is read";
    }
    if (!wrong) return;
    this.used = used;
    this.text = text;
    this.foreign(name, wrong);
  }

  array(name: string, items: readonly unknown[], depth: number): string | undefined {
    const { length } = items;
    if (!Number.isSafeInteger(length) || length < 0) return "an array without a length";
    if (length > MAX_VALUES - this.values) return `an array of more than ${MAX_VALUES} values`;
    // Its length now decides, even if a getter makes it grow.
    const at = this.put(ARRAY, name);
    for (let index = 0; index < length; index++) {
      let item: unknown;
      try {
        item = items[index];
      } catch {
        this.foreign("", "an element that throws when it is read");
        continue;
      }
      this.value("", item, depth - 1);
    }
    this.putPair(at, this.within(at), length);
    return undefined;
  }

  object(name: string, object: Readable, depth: number): string | undefined {
    const tooMany = `an object of more than ${MAX_FIELDS} fields`;
    // Bytes and boxed strings: naming each index would take long.
    if ((object["length"] as number) > MAX_FIELDS) return tooMany;
    const names = keys(object);
    if (names.length > MAX_FIELDS) return tooMany;
    const at = this.put(OBJECT, name);
    let own = 0;
    for (const field of names) own += this.field(object, field, depth);
    const all = getOwnPropertyNames(object);
    if (getPrototypeOf(object) !== prototype || all.length > names.length) {
      const { getters, data } = inherited(object);
      // A store's computed field, say, is not enumerable. Of other names that is the mark of a library.
      data.push(...all.filter((field) => (PLACES.get(field) as number) < OF_CALLERS));
      const fields = new Set(names);
      const isNew = (field: string) => !fields.has(field) && fields.add(field);
      for (const field of getters) if (isNew(field)) own += this.field(object, field, depth);
      for (const field of data)
        if (isNew(field)) {
          this.foreign(field, INHERITED);
          own++;
        }
    }
    this.putPair(at, this.within(at), own);
    return undefined;
  }

  /** How many values came after the one whose last two numbers belong here. */
  within(at: number): number {
    return (this.used - at - 2) / SIZE;
  }

  /** Writes a field of an object; returns how many values that makes, since `undefined` is absent. */
  field(object: Readable, name: string, depth: number): 0 | 1 {
    let value: unknown;
    try {
      value = object[name];
    } catch {
      this.foreign(name, "a field that throws when it is read");
      return 1;
    }
    if (value === undefined) return 0;
    this.value(name, value, depth - 1);
    return 1;
  }
}

/** A flat value to use again. */
let spare: Flat | undefined;

/** Views of the core's memory, made again when it has grown. */
export let words = new Int32Array();
let bytes = new Uint8Array();

export function refreshViews(): void {
  if (words.length) return;
  const { buffer } = core.sharedMemory() as { buffer: ArrayBuffer };
  words = new Int32Array(buffer);
  bytes = new Uint8Array(buffer);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The largest buffers that are kept, in numbers and in bytes. */
const KEPT = 1 << 16;

/** Space in the core's memory for the arguments of one call. */
class CallBuffer {
  readonly args = new core.CallArgs();
  records = 0;
  bytes = 0;
  recordsAt = 0;
  textAt = 0;

  /** Makes it large enough for the arguments; one that is too large to keep is made smaller. */
  resizeFor(records: number, bytes: number): void {
    if (
      records <= this.records &&
      bytes <= this.bytes &&
      (Math.max(this.records, this.bytes) <= KEPT || Math.max(records, bytes) > KEPT)
    )
      return;
    this.records = Math.max(records, 64 * SIZE);
    this.bytes = Math.max(bytes, 4096);
    this.args.reserve(this.records / SIZE, this.bytes);
    this.recordsAt = this.args.recordsAt / 4;
    this.textAt = this.args.textAt;
  }
}

let firstBuffer: CallBuffer | undefined;
let secondBuffer: CallBuffer | undefined;

/** Forgets all that is in the memory of an instance that has failed. */
export function forgetMemory(): void {
  words = new Int32Array();
  bytes = new Uint8Array();
  firstBuffer = secondBuffer = undefined;
}

/** Hands a flat value to the core for one call, which must be made before the next value is handed over. */
function pass(flat: Flat, to: CallBuffer): core.CallArgs {
  const { records, used, text } = flat;
  to.resizeFor(used, 3 * text.length);
  refreshViews();
  words.set(records.subarray(0, used), to.recordsAt);
  const { written } = encoder.encodeInto(text, bytes.subarray(to.textAt, to.textAt + to.bytes));
  // The outermost value has no name, so the length of the text is written there.
  words[to.recordsAt + 2] = written === text.length ? written : inBytes(to, used, text);
  return to.args;
}

/** Writes a text that is not ASCII piece by piece, so that each piece has its own start and length; returns the length in all. */
function inBytes({ recordsAt, textAt, bytes: length }: CallBuffer, used: number, text: string): number {
  let read = 0;
  let written = 0;
  const piece = (at: number): void => {
    const end = read + (words[at + 1] as number);
    words[at] = written;
    words[at + 1] = encoder.encodeInto(
      text.slice(read, end),
      bytes.subarray(textAt + written, textAt + length),
    ).written;
    written += words[at + 1] as number;
    read = end;
  };
  for (let at = recordsAt; at < recordsAt + used; at += SIZE) {
    if (words[at + 1] !== KNOWN) piece(at + 1);
    const kind = words[at] as number;
    if (kind === DOUBLE || (kind >= BIGINT && kind <= FOREIGN)) piece(at + 3);
  }
  return written;
}

/** The arguments of a call to the core in flat form, to be handed over more than once. */
export const flat = (call: Readable): Flat => new Flat().of(call);

/**
 * The arguments of a call to the core, by name: `core.validate(callArgs({ operation, request }))`. They are valid for one call,
 * which must be made at once. This never throws. Objects nested deeper than `depth` and strings of over `maxText` characters are
 * not read; an argument that is `undefined` is absent.
 */
export function callArgs(call: Readable, depth?: number, maxText?: number): core.CallArgs {
  const made = spare ?? new Flat();
  // A getter may call back into the package, which must not use the same one.
  spare = undefined;
  const handed = pass(made.of(call, depth, maxText), (firstBuffer ??= new CallBuffer()));
  if (made.records.length <= KEPT) spare = made;
  return handed;
}

/** The body that was handed over last, if it was text. */
let handed = "";

/** Hands over a body as the last argument of a call, after the others. */
export function passBody(content: string | Uint8Array): core.CallArgs {
  const to = (secondBuffer ??= new CallBuffer());
  const isText = typeof content === "string";
  to.resizeFor(SIZE, isText ? 3 * content.length : content.length);
  refreshViews();
  const into = bytes.subarray(to.textAt, to.textAt + to.bytes);
  if (!isText) into.set(content);
  words[to.recordsAt + 2] = isText ? encoder.encodeInto(content, into).written : content.length;
  handed = isText ? content : "";
  return to.args;
}

/** Hands over a flat value that was made before, as the second argument of a call. */
export const secondCallArgs = (made: Flat): core.CallArgs => pass(made, (secondBuffer ??= new CallBuffer()));

/** A value for JSON: `JSON.stringify` throws on a bigint, so it becomes text with all digits, and a column becomes a list of such texts. */
const jsonOf = (value: unknown): unknown =>
  value instanceof BigUint64Array ? Array.from(value, String) : inJson("", value);

function toJSON(this: object): object {
  return fromEntries(entries(this).map(([name, value]) => [name, jsonOf(value)]));
}

const TO_JSON = { __proto__: null, value: toJSON, writable: true, configurable: true } as PropertyDescriptor;

/** Gives the object a `toJSON`, so that `JSON.stringify` can write it. */
export const writable = <T extends object>(object: T): T => defineProperty(object, "toJSON", TO_JSON);

/** The names of answers so far. A service decides on some of them. */
const met = new Map<string, string>();
/** How many are remembered. */
const MOST_MET = 512;

/** Reads a value that the core has written, as plain data: objects, arrays, strings, numbers, bigints. */
class Answer {
  at: number;
  readonly textAt: number;
  /** What its text begins with, if that is the body that was handed over, in ASCII. */
  readonly body: string;
  /** The text after that. */
  readonly text: string;
  readonly isAscii: boolean;

  constructor(recordsAt: number, textAt: number, length: number, known: number) {
    refreshViews();
    this.at = recordsAt / 4;
    this.textAt = textAt;
    this.body = known === handed.length ? handed : "";
    handed = "";
    const start = this.body.length;
    this.text = length > start ? decoder.decode(bytes.subarray(textAt + start, textAt + length)) : "";
    this.isAscii = start + this.text.length === length;
  }

  /** The piece of text whose start and length are here. */
  piece(at: number): string {
    const start = words[at] as number;
    const end = start + (words[at + 1] as number);
    const { length } = this.body;
    if (end <= length) return this.body.slice(start, end);
    return this.isAscii
      ? this.text.slice(start - length, end - length)
      : decoder.decode(bytes.subarray(this.textAt + start, this.textAt + end));
  }

  /** The name whose start and length are here. */
  name(at: number): string {
    if (words[at] === KNOWN) return NAMES[words[at + 1] as number] as string;
    const piece = this.piece(at);
    let name = met.get(piece);
    if (name === undefined) {
      // As an object's key the name becomes the engine's one string for it.
      name = keys({ __proto__: null, [piece]: 0 })[0] as string;
      if (met.size < MOST_MET) met.set(name, name);
    }
    return name;
  }

  /** Goes into an object; returns how many fields it has. */
  open(): number {
    const { at } = this;
    this.at = at + SIZE;
    return words[at + 4] as number;
  }

  /** Adds the fields that an object has beside the first ones. */
  rest(fields: number, object: Readable, first: number): Readable {
    for (let left = fields - first; left > 0; left--) withOwn(object, this.name(this.at + 1), this.value());
    return object;
  }

  value(): unknown {
    const { at } = this;
    this.at = at + SIZE;
    switch (words[at]) {
      case INTEGER:
        return (words[at + 4] as number) * 2 ** 32 + ((words[at + 3] as number) >>> 0);
      case STRING:
        return this.piece(at + 3);
      case WORD:
        return NAMES[words[at + 4] as number];
      case BIGINT:
        return BigInt(this.piece(at + 3));
      case NUMBER:
      case DOUBLE:
        return Number(this.piece(at + 3));
      case FALSE:
        return false;
      case TRUE:
        return true;
      case ARRAY: {
        const items: unknown[] = [];
        for (let left = words[at + 4] as number; left > 0; left--) items.push(this.value());
        return items;
      }
      case TRADE: {
        const operation = NAMES[words[at + 4 + SIZE] as number] as Operation;
        return this.rest(words[at + 4] as number, TRADES[operation](this), TRADE_FIELDS);
      }
      case PROBLEM:
        this.at += 3 * SIZE;
        return { field: this.piece(at + 8), code: this.piece(at + 13), message: this.piece(at + 18) };
      case OBJECT: {
        const object: Readable = {};
        let hasBigint = false;
        for (let left = words[at + 4] as number; left > 0; left--) {
          hasBigint ||= words[this.at] === BIGINT;
          withOwn(object, this.name(this.at + 1), this.value());
        }
        return hasBigint ? writable(object) : object;
      }
      default:
        return null;
    }
  }
}

/** The core's answer to a call that failed: the fields of the error to throw. */
class Failure {
  fields: FailureFields;

  constructor(fields: FailureFields) {
    this.fields = fields;
  }
}

/** Called by the core to return a value, which is at these places in its memory. The core calls no other function. */
export function answer(failed: boolean, recordsAt: number, textAt: number, length: number, known: number): unknown {
  const value = new Answer(recordsAt, textAt, length, known).value();
  return failed ? new Failure(value as FailureFields) : value;
}

/** The answer of a call to the core. Throws the error that it answered with: its stack begins where `caller`, if any, was called. */
export function result<T>(answered: unknown, caller?: Function): T {
  if (answered instanceof Failure) throw errorOf(answered.fields, caller);
  return answered as T;
}

/** The error that the core has answered with, to be thrown later. */
export function failure(answered: unknown): Error {
  return errorOf((answered as Failure).fields);
}
