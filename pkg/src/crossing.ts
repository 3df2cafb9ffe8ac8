// How values cross between JavaScript and the core. A call's arguments become one flat value: three numbers for each value in
// it, and one text. The answer comes back in the same form. src/tape/flat.rs is the other side.
//
// The numbers are the value's kind; the length of its name, or 0; and the length of its text, the number itself, or how many
// values it contains. The text has all names and texts one after the other. Each value is read once, and all of them before
// the core gets any, since a getter may call back into the package. There are only bounds here, no rules: what is not data is
// named as such, and the core decides.

import { errorOf, type FailureFields } from "./errors.js";

/** A call's arguments, flat: the last two parameters of the core's functions. */
export type Flat = [records: Float64Array, text: string];

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

/** How deep an argument is read. The deepest field of any is four levels down. */
const MAX_DEPTH = 6;
/** The most values that are read at once. */
const MAX_VALUES = 100_000;
/** The most fields of one object, as in JSON. */
const MAX_FIELDS = 1024;
/** The longest string that is read. */
const MAX_TEXT = 1 << 20;
/** How many of the longest strings are read at once: one string may be in many places. */
const LONGEST_TEXTS = 4;
/** How many classes of an object are looked at: a proxy can name a new one each time. */
const MAX_CLASSES = 64;

// Taken once: somebody may change the prototypes later.
const { defineProperty, entries, fromEntries, getOwnPropertyDescriptors, getPrototypeOf, keys, prototype } = Object;
const { hasOwnProperty } = prototype;
const { asIntN } = BigInt;

type Readable = Record<string, unknown>;

/** Stands for a field that an object inherits as data. The core refuses the field by its name; see `src/reader.rs`. */
const INHERITED = "an inherited field";

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

/** A text that follows another: two that each have half of a character would make a whole one between them. */
const apart = (text: string): string => (text >= "\udc00" && text < "\ue000" ? `\ufffd${text.slice(1)}` : text);

class Flattener {
  readonly maxText: number;
  records: number[] = [];
  text = "";
  values = 0;

  constructor(maxText: number) {
    this.maxText = maxText;
  }

  put(kind: number, name: string, value: number): void {
    this.records.push(kind, name.length, value);
    if (name) this.text += apart(name);
  }

  putText(kind: number, name: string, text: string): void {
    this.put(kind, name, text.length);
    this.text += apart(text);
  }

  foreign(name: string, what: string): void {
    this.putText(FOREIGN, name, what);
  }

  /** A value under its name, with all that it contains. */
  value(name: string, value: unknown, depth: number): void {
    if (++this.values > MAX_VALUES) return this.foreign(name, `more than ${MAX_VALUES} values`);
    switch (typeof value) {
      case "string":
        if (value.length > this.maxText) return this.foreign(name, `a string of over ${this.maxText} characters`);
        if (this.text.length + value.length > LONGEST_TEXTS * this.maxText) return this.foreign(name, `more than ${LONGEST_TEXTS * this.maxText} characters in all`);
        return this.putText(STRING, name, value);
      case "number":
        return Number.isSafeInteger(value) ? this.put(INTEGER, name, value) : this.putText(DOUBLE, name, `${value}`);
      case "bigint":
        // Printing a huge bigint takes more than linear time.
        return asIntN(129, value) === value ? this.putText(BIGINT, name, `${value}`) : this.foreign(name, "a bigint of over 128 bits");
      case "boolean":
        return this.put(value ? TRUE : FALSE, name, 0);
      case "undefined":
        return this.put(NULL, name, 0);
      case "object":
        if (value === null) return this.put(NULL, name, 0);
        if (depth === 0) return this.foreign(name, "an object that nests too deep or without end");
        return this.whole(name, value, depth);
      default:
        return this.foreign(name, `a ${typeof value}`);
    }
  }

  /** An object or an array; unreadable if it throws or has no end. */
  whole(name: string, object: object, depth: number): void {
    const { records, text } = this;
    const { length } = records;
    let wrong: string | undefined;
    try {
      wrong = Array.isArray(object) ? this.array(name, object, depth) : this.object(name, object as Readable, depth);
    } catch {
      wrong = "an object that throws when it is read";
    }
    if (!wrong) return;
    records.length = length;
    this.text = text;
    this.foreign(name, wrong);
  }

  array(name: string, items: readonly unknown[], depth: number): string | undefined {
    const { length } = items;
    if (!Number.isSafeInteger(length) || length < 0) return "an array without a length";
    if (length > MAX_VALUES - this.values) return `an array of more than ${MAX_VALUES} values`;
    // Its length now decides, even if it grows.
    this.put(ARRAY, name, length);
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
    return undefined;
  }

  object(name: string, object: Readable, depth: number): string | undefined {
    const tooMany = `an object of more than ${MAX_FIELDS} fields`;
    // Bytes and boxed strings: naming each of their places would take long.
    if ((object["length"] as number) > MAX_FIELDS) return tooMany;
    const at = this.records.length;
    this.put(OBJECT, name, 0);
    let own = 0;
    const parent: unknown = getPrototypeOf(object);
    if (parent === prototype || parent === null) {
      for (const field in object) {
        if (hasOwnProperty.call(object, field)) own += this.field(object, field, depth);
        if (own > MAX_FIELDS) return tooMany;
      }
    } else {
      const names = keys(object);
      if (names.length > MAX_FIELDS) return tooMany;
      const { getters, data } = inherited(object);
      const fields = new Set([...names, ...getters]);
      for (const field of fields) own += this.field(object, field, depth);
      for (const field of new Set(data)) {
        if (fields.has(field) || hasOwnProperty.call(object, field)) continue;
        this.foreign(field, INHERITED);
        own++;
      }
    }
    this.records[at + 2] = own;
    return undefined;
  }

  /** A field of an object; returns how many values that makes, since `undefined` is absent. */
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

/**
 * The arguments of a call to the core, by their names: `core.validate(...given({ operation, request }))`. It throws for no
 * value. What nests deeper than `depth` is not read, nor is a string of over `maxText` characters; an argument that is
 * `undefined` is absent.
 */
export function given(call: Readable, depth = MAX_DEPTH + 1, maxText = MAX_TEXT): Flat {
  const flat = new Flattener(maxText);
  flat.value("", call, depth);
  // The glue copies any list of numbers into the core's memory.
  return [flat.records as unknown as Float64Array, flat.text];
}

/** Adds an own field to a fresh object, whatever its name, even if somebody changed the prototypes. */
function putField(object: Readable, name: string, value: unknown): void {
  if (name in object) defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor);
  else object[name] = value;
}

/** A value as JSON has it: bigints as text, the exact digits, since `JSON.stringify` throws on them; a column as a list of those. */
const jsonOf = (value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value instanceof BigUint64Array ? Array.from(value, String) : value);

/** An object as `JSON.stringify` writes it. */
function inJson(this: object): object {
  return fromEntries(entries(this).map(([name, value]) => [name, jsonOf(value)]));
}

/** The object, which `JSON.stringify` can write. */
export const writable = <T extends object>(object: T): T =>
  defineProperty(object, "toJSON", { __proto__: null, value: inJson, writable: true, configurable: true } as PropertyDescriptor);

/** The value that the core has written, as plain data: objects, arrays, strings, numbers, bigints. */
function plain(records: Float64Array, text: string): unknown {
  let at = 0;
  let read = 0;
  const take = (length: number): string => text.slice(read, (read += length));
  const number = (index: number): number => records[index] as number;
  const valueOf = (kind: number, value: number): unknown => {
    switch (kind) {
      case INTEGER:
        return value;
      case STRING:
        return take(value);
      case BIGINT:
        return BigInt(take(value));
      case NUMBER:
      case DOUBLE:
        return Number(take(value));
      case FALSE:
        return false;
      case TRUE:
        return true;
      case ARRAY: {
        const items: unknown[] = [];
        for (let left = value; left > 0; left--) items.push(item());
        return items;
      }
      case OBJECT: {
        const object: Readable = {};
        let hasBigint = false;
        for (let left = value; left > 0; left--) {
          const kind = number(at);
          hasBigint ||= kind === BIGINT;
          const name = take(number(at + 1));
          const value = number(at + 2);
          at += 3;
          putField(object, name, valueOf(kind, value));
        }
        return hasBigint ? writable(object) : object;
      }
      case FOREIGN:
        read += value;
        return null;
      default:
        return null;
    }
  };
  const item = (): unknown => {
    at += 3;
    return valueOf(number(at - 3), number(at - 1));
  };
  return item();
}

/** What the core answers to a call that failed: the fields of the error to throw. */
class Failure {
  fields: FailureFields;

  constructor(fields: FailureFields) {
    this.fields = fields;
  }
}

/** What the core gives its answers to; the one function that it calls. */
export function answer(failed: boolean, records: Float64Array, text: string): unknown {
  const value = plain(records, text);
  return failed ? new Failure(value as FailureFields) : value;
}

/**
 * The answer of a call to the core.
 *
 * @throws the error that it answered with; its stack begins where `caller`, if any, was called.
 */
export function result<T>(answered: unknown, caller?: Function): T {
  if (answered instanceof Failure) throw errorOf(answered.fields, caller);
  return answered as T;
}

/** The error that the core has answered with, to be thrown later. */
export function failure(answered: unknown): Error {
  return errorOf((answered as Failure).fields);
}
