// JSON of what is to be traded, without loss: `JSON.parse` rounds a number with many digits, and takes the last of two fields with one name.

import { isSafeNumber, parse } from "lossless-json";

/** The value of a JSON text. A number that would be rounded keeps its text, which the core reads as the same number; two fields of one name with different values are an error. */
export const exactJson = (text: string): unknown =>
  parse(text, null, (number) => (isSafeNumber(number) ? Number(number) : number));
