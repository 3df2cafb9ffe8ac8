// Questions about options besides their values.

/** Whether an object has an own field, even without a value. */
export function isGiven(object, name) {
  try {
    return Object.prototype.hasOwnProperty.call(object, name);
  } catch {
    return false; // `flatten` has said so
  }
}

/** Whether an object has a value that `flatten` does not read: one that it inherits, or hides. */
export function isHidden(object, name) {
  try {
    return name in object && !Object.prototype.propertyIsEnumerable.call(object, name) && object[name] !== undefined;
  } catch {
    return true;
  }
}

/**
 * Makes `JSON.stringify` write the bigints of an object, at any depth, as text. Otherwise it throws on them.
 */
export function withJson(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) withJson(inner);
  return Array.isArray(value) ? value : Object.defineProperty(value, "toJSON", { value: inJson, writable: true, configurable: true });
}

function inJson() {
  return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, typeof value === "bigint" ? `${value}` : value]));
}
