// A JS value in the form that crosses into the core and back: three numbers for each value, and one text.
// src/tape/flat.rs is the other side.
//
// The numbers are the value's kind; the length of its name, or 0; and the length of its text, the number itself, or how many
// values it contains. The text has all names and texts one after the other. Each value is read once, and all of them before
// the core gets any, since a getter may call back into the package. There are only bounds here, no rules: what is not data is
// named as such, and the core decides.

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

/** The most values that are read at once. */
const MAX_VALUES = 100_000;
/** The most fields of one object, as in JSON. */
const MAX_FIELDS = 1024;
/** The longest string that is read. */
const MAX_TEXT = 1 << 20;
/** The most text that is read at once: one string may be in many places. */
const MAX_TEXT_IN_ALL = 1 << 22;
/** How many classes of an object are looked at: a proxy can name a new one each time. */
const MAX_CLASSES = 64;

const { defineProperty, getOwnPropertyDescriptors, getPrototypeOf, keys, prototype } = Object;
const { hasOwnProperty } = prototype;
const { asIntN } = BigInt;

/** The getters of an object's class, which count as fields. */
function getters(object) {
  const names = [];
  let at = getPrototypeOf(object);
  let classes = 0;
  // The last prototype of a chain is its realm's own Object's.
  for (let next; at && (next = getPrototypeOf(at)) && names.length < MAX_FIELDS; at = next) {
    if (++classes > MAX_CLASSES) throw new RangeError("too many classes");
    const descriptors = getOwnPropertyDescriptors(at);
    for (const name of keys(descriptors)) if (descriptors[name].get) names.push(name);
  }
  return names;
}

class Flattener {
  records = [];
  text = "";
  values = 0;

  put(kind, name, value) {
    this.records.push(kind, name.length, value);
    this.text += name;
  }

  putText(kind, name, text) {
    this.put(kind, name, text.length);
    this.text += text;
  }

  foreign(name, what) {
    this.putText(FOREIGN, name, what);
  }

  /** A value under its name, with all that it contains. */
  value(name, value, depth) {
    if (++this.values > MAX_VALUES) return this.foreign(name, `more than ${MAX_VALUES} values`);
    switch (typeof value) {
      case "string":
        if (value.length > MAX_TEXT) return this.foreign(name, `a string of over ${MAX_TEXT} characters`);
        if (this.text.length + value.length > MAX_TEXT_IN_ALL) return this.foreign(name, `more than ${MAX_TEXT_IN_ALL} characters in all`);
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
  whole(name, object, depth) {
    const { records, text } = this;
    const { length } = records;
    let wrong;
    try {
      wrong = Array.isArray(object) ? this.array(name, object, depth) : this.object(name, object, depth);
    } catch {
      wrong = "an object that throws when it is read";
    }
    if (!wrong) return;
    records.length = length;
    this.text = text;
    this.foreign(name, wrong);
  }

  array(name, items, depth) {
    const { length } = items;
    if (!Number.isSafeInteger(length) || length < 0) return "an array without a length";
    if (length > MAX_VALUES - this.values) return `an array of more than ${MAX_VALUES} values`;
    // Its length now decides, even if it grows.
    this.put(ARRAY, name, length);
    for (let index = 0; index < length; index++) {
      let item;
      try {
        item = items[index];
      } catch {
        this.foreign("", "an element that throws when it is read");
        continue;
      }
      this.value("", item, depth - 1);
    }
  }

  object(name, object, depth) {
    const tooMany = `an object of more than ${MAX_FIELDS} fields`;
    // Bytes and boxed strings: naming each of their places would take long.
    if (object.length > MAX_FIELDS) return tooMany;
    const at = this.records.length;
    this.put(OBJECT, name, 0);
    let own = 0;
    const parent = getPrototypeOf(object);
    if (parent === prototype || parent === null) {
      for (const field in object) {
        if (hasOwnProperty.call(object, field)) own += this.field(object, field, depth);
        if (own > MAX_FIELDS) return tooMany;
      }
    } else {
      const names = keys(object);
      if (names.length > MAX_FIELDS) return tooMany;
      for (const field of new Set([...names, ...getters(object)])) own += this.field(object, field, depth);
    }
    this.records[at + 2] = own;
  }

  /** A field of an object; returns how many values that makes, since `undefined` is absent. */
  field(object, name, depth) {
    let value;
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

/** Any JS value, flat; it throws for none. What nests deeper than `depth` is not read. */
export function flatten(value, depth) {
  const flat = new Flattener();
  flat.value("", value, depth);
  return flat;
}

export const recordsOf = ({ records }) => records;
export const textOf = ({ text }) => text;

/** Adds an own field to a fresh object, whatever its name, even if somebody changed the prototypes. */
function putField(object, name, value) {
  if (name in object) defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** The value that the core has written, as plain JS data: objects, arrays, strings, numbers, bigints. */
export function unflatten(records, text) {
  let at = 0;
  let read = 0;
  const take = (length) => text.slice(read, (read += length));
  const valueOf = (kind, value) => {
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
        const items = [];
        for (let left = value; left > 0; left--) items.push(item());
        return items;
      }
      case OBJECT: {
        const object = {};
        for (let left = value; left > 0; left--) {
          const kind = records[at];
          const name = take(records[at + 1]);
          const value = records[at + 2];
          at += 3;
          putField(object, name, valueOf(kind, value));
        }
        return object;
      }
      case FOREIGN:
        read += value;
        return null;
      default:
        return null;
    }
  };
  const item = () => {
    at += 3;
    return valueOf(records[at - 3], records[at - 1]);
  };
  return item();
}
