// What becomes of wasm-bindgen's declarations.

import assert from "node:assert/strict";
import test from "node:test";
import { exportedValues, publicTypes, withoutComments, withoutUnreached } from "../../scripts/types.mjs";

const GENERATED = `/* tslint:disable */
/* eslint-disable */

/** A client. export class NotThis {} */
export class TradeClient {
    free(): void;
    [Symbol.dispose](): void;
}
export interface Options { name?: string; }
export function quote(): string; // export function norThis
export const CODES: readonly string[];
`;

test("what is said to linters is left out, the rest stays with its comments", () => {
  const types = publicTypes(GENERATED);
  assert.doesNotMatch(types, /lint/);
  assert.match(types, /\/\*\* A client\./);
  assert.match(types, /^\/\/\/ <reference lib="esnext\.disposable" \/>\n/);
});

test("types without a disposable class ask for no library", () => {
  assert.doesNotMatch(publicTypes(GENERATED.replace(/.*Symbol\.dispose.*\n/, "")), /reference/);
});

test("the exported values are the classes, functions and constants, and no type", () => {
  assert.deepEqual(exportedValues(publicTypes(GENERATED)), ["CODES", "TradeClient", "quote"]);
});

test("a type that no value leads to is left out, and an interface that adds to a class is not", () => {
  const types = "/** A. */\nexport interface A {}\n/** B. */\nexport interface B {}\n/** C, again. */\nexport interface C { a: A }\n/** C. */\nexport class C {}\n";
  assert.equal(withoutUnreached(types), types.replace("/** B. */\nexport interface B {}\n", "").replaceAll("\n/**", "\n\n/**"));
});

test("comments are dropped, and URLs in code are not taken for comments", () => {
  assert.equal(withoutComments('a /* b */ "https://c" // d').trim(), 'a  "https://c"');
});
