// What JS hands to the module, looked at first: the glue takes a bigint modulo 2^64, without a word.

/** Whether this is a bigint of at most 64 bits, zero or above. */
export const isAmount = (value) => typeof value === "bigint" && BigInt.asUintN(64, value) === value;

/** A bigint that {@link isAmount}, for the glue to hand over. */
export const amountOf = (value) => value;

const { get: nameOf } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/** Whether this is a typed array of that name, of this realm or another: it has no other way to say so. */
export const isColumn = (value, name) => nameOf.call(value) === name;
