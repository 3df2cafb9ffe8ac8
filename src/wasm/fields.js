// What an object has to say, however hard it makes it to ask.

const read = (object, name) => {
  try {
    return [name, true, object[name]];
  } catch {
    return [name, false, undefined];
  }
};

/** How many classes above an object's own are asked: a proxy can name a new one each time. */
const MOST_CLASSES = 64;

/** The names that an object's class reads as data: a getter is a field to whoever wrote the class. */
function getters(object) {
  const names = [];
  let at = Object.getPrototypeOf(object);
  let classes = 0;
  // The last prototype of a chain is its realm's own Object's.
  for (let next; at && (next = Object.getPrototypeOf(at)) && names.length < 1024; at = next) {
    if (++classes > MOST_CLASSES) throw new RangeError("too many classes");
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (get) names.push(name);
  }
  return names;
}

/**
 * The fields of an object, own ones and getters, in a flat list: name, whether it could be read, value. `undefined`
 * where there are more than `most`, `null` where the object does not even let itself be asked.
 */
export function fieldsOf(object, most) {
  try {
    // Bytes and boxed strings: naming each of their places would take long.
    if (object.length > most) return undefined;
    const names = Object.keys(object);
    if (names.length > most) return undefined;
    return [...new Set([...names, ...getters(object)])].flatMap((name) => read(object, name));
  } catch {
    return null;
  }
}

/** Whether an object has a field of its own, be it without a value. */
export function isGiven(object, name) {
  try {
    return Object.prototype.hasOwnProperty.call(object, name);
  } catch {
    return false; // `fieldsOf` has said so
  }
}

/** Whether an object has a value that `fieldsOf` does not list: one that it inherits, or hides. */
export function isHidden(object, name) {
  try {
    return name in object && !Object.prototype.propertyIsEnumerable.call(object, name) && object[name] !== undefined;
  } catch {
    return true;
  }
}

/** Gives a fresh object a field of its own, whatever its name and whatever somebody made of the prototypes. */
export function putField(object, name, value) {
  if (name in object) Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/**
 * Has `JSON.stringify` write an object's bigints, and those of the objects in it, as the text of their digits: by itself it
 * throws at them.
 */
export function withJson(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) withJson(inner);
  return Array.isArray(value) ? value : Object.defineProperty(value, "toJSON", { value: inJson, writable: true, configurable: true });
}

function inJson() {
  return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, typeof value === "bigint" ? `${value}` : value]));
}
