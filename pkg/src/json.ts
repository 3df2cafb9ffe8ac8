// How plain data with bigints in it becomes JSON.

/** Makes `JSON.stringify` write the bigints of an object, at any depth, as text. Otherwise it throws on them. */
export function withJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) withJson(inner);
  return Array.isArray(value) ? value : Object.defineProperty(value, "toJSON", { value: inJson, writable: true, configurable: true });
}

function inJson(this: object): object {
  return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, typeof value === "bigint" ? `${value}` : value]));
}
