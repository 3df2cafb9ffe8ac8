// Bigints in JSON: text, with all digits.

/** A value as JSON has it: a bigint is decimal text there. */
export type InJson<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: InJson<T[K]> } : T;

/** Makes text of each bigint, for `JSON.stringify`, which throws on one. */
export const inJson = (_name: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
