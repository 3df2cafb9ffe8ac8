// Arguments in the form that the core takes. The most common form is checked here, all others in the core.

import * as core from "build:market";
import { callArgs, result } from "./crossing.js";

/** Lamports or base units: a bigint, a safe integer, or digits in a string: what a {@link Curve} takes. */
export type Amount = bigint | number | string;

const { asUintN } = BigInt;

/** Whether this is a bigint from zero to 64 bits. The core would silently reduce any other modulo 2^64. */
export const isU64 = (value: unknown): value is bigint => typeof value === "bigint" && asUintN(64, value) === value;

/** Lamports or base units, given to `caller` as the argument `name`. */
export function amount(name: string, value: Amount, caller: Function): bigint {
  return isU64(value) ? value : result(core.readAmount(callArgs({ name, value })), caller);
}

/** A whole number of at most 32 bits, given to `caller` as the argument `name`. */
export function count(name: string, value: number, caller: Function): number {
  return typeof value === "number" && value >>> 0 === value
    ? value
    : result(core.readCount(callArgs({ name, value })), caller);
}

const typedArray = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype)) as Record<
  string | symbol,
  PropertyDescriptor
>;
/** The real property of a typed array, even if the array has an own property of that name. */
const truly = (array: unknown, name: string | symbol): unknown => typedArray[name]?.get?.call(array);

interface Columns {
  BigUint64Array: BigUint64Array;
  Uint8Array: Uint8Array;
}

/** A column given to `caller` as the argument `name`, from any realm; a detached one has no rows. The core will hold `copies` of that length. */
export function column<K extends keyof Columns = "BigUint64Array">(
  value: Columns[K],
  { name, type = "BigUint64Array" as K, copies = 1 }: { name: string; type?: K; copies?: number },
  caller: Function,
): Columns[K] {
  const isColumn = truly(value, Symbol.toStringTag) === type;
  const length = isColumn ? (truly(value, "length") as number) : 0;
  result(core.checkColumn(name, type, isColumn, length, copies), caller);
  const Column = (type === "Uint8Array" ? Uint8Array : BigUint64Array) as unknown as new (
    buffer: ArrayBuffer | 0,
    offset?: number,
    length?: number,
  ) => Columns[K];
  return length
    ? new Column(truly(value, "buffer") as ArrayBuffer, truly(value, "byteOffset") as number, length)
    : new Column(0);
}
