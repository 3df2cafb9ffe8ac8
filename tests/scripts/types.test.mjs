// Reading the package's declarations.

import assert from "node:assert/strict";
import test from "node:test";
import { exportedValues, withoutComments } from "../../scripts/types.mjs";

const DECLARATIONS = `/** A client. export class NotThis {} */
export declare class TradeClient {
    free(): void;
}
export interface Options { name?: string; }
export declare function quote(): string; // export function norThis
export declare const CODES: readonly string[];
`;

test("the exported values are the classes, functions and constants, and no type", () => {
  assert.deepEqual(exportedValues(DECLARATIONS), ["CODES", "TradeClient", "quote"]);
});

test("comments are dropped, and URLs in code are not treated as comments", () => {
  assert.equal(withoutComments('a /* b */ "https://c" // d').trim(), 'a  "https://c"');
});
