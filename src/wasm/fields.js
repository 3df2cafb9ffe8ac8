// What an object has to say, however hard it makes it to ask.

const read = (object, name) => {
  try {
    return [name, true, object[name]];
  } catch {
    return [name, false, undefined];
  }
};

/** The names that an object's class reads as data: a getter is a field to whoever wrote the class. */
function getters(object) {
  const names = [];
  let at = Object.getPrototypeOf(object);
  // The last prototype of a chain is its realm's own Object's.
  for (let next; at && (next = Object.getPrototypeOf(at)) && names.length < 1024; at = next) {
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
