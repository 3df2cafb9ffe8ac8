// Amounts on their way into the module: the glue takes a bigint modulo 2^64, without a word.

/** Whether this is a bigint of at most 64 bits, zero or above. */
export const fits = (value) => typeof value === "bigint" && BigInt.asUintN(64, value) === value;

/** A bigint that {@link fits}, for the glue to hand over. */
export const same = (value) => value;
