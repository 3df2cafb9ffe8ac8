// Reads what people type into a field or paste as a table, exactly or not at all, and writes what fields are filled with. The rules are in
// src/typed.

import * as core from "build:trade";
import { callArgs, result } from "../crossing.js";
import type { FieldCode, TypedTable } from "../generated.js";

/**
 * A text in a field that is not a number: unfinished, or wrong. An `incomplete` text may still become a number (an empty one, `0`,
 * `0.`), so a form shows no error for it while somebody types. Once the field is left, its message says what is missing.
 */
export type NotTyped = {
  state: "incomplete" | "wrong";
  code: FieldCode;
  /** What is wrong; it reads on after the name of the field: "has more than 9 decimals". */
  message: string;
};

/** An amount in a field. See {@link readTypedAmount}. */
export type TypedAmount =
  | {
      state: "read";
      /** The number as exact plain text: `"0.5"` for `,5`. */
      text: string;
      /** The same in lamports or base units. */
      units: bigint;
    }
  | NotTyped;

/** A percentage in a field. See {@link readTypedPercentage}. */
export type TypedPercentage =
  | {
      state: "read";
      /** The number as exact plain text, without the percent sign. */
      text: string;
    }
  | NotTyped;

/** What a pasted table contains. */
export type TableOptions = {
  /** In a table of buys, amounts are SOL; in a table of sells, whole tokens or percentages. */
  side: "buy" | "sell";
  /** Fraction digits of a whole token. Default: 6. */
  tokenDecimals?: number;
  /** What you call your wallets: a table may have these names in place of ids, with the spaces in them. Default: none. */
  names?: readonly string[];
};

/**
 * Reads an amount above zero as somebody typed it, exactly. One dot or one comma is the decimal mark. Ambiguous text is refused, not
 * guessed: with exactly three digits after its mark, and before it one to three that do not begin with 0, a number may be two, as `1.000`
 * and `1,000`; `1.000,5` has a thousands separator. Nothing is rounded. What a program fills into the field it writes with `typedText`. A
 * number of a program's own is no typed text: `solToLamports` and `toBaseUnits` read those.
 *
 * @param text - what the field holds
 * @param decimals - fraction digits of the unit: 9 for SOL, the token's own for tokens
 * @throws {TradeNotSentError} `invalid_options`, if an argument has the wrong type.
 *
 * @example
 * ```js
 * import { readTypedAmount } from "launchpad-desk";
 *
 * readTypedAmount("0,05", 9); // { state: "read", text: "0.05", units: 50000000n }
 * readTypedAmount("0.", 9); // { state: "incomplete", code: "not_a_number", message: "ends with a decimal mark" }
 * readTypedAmount("1.000", 9); // { state: "wrong", code: "ambiguous", message: "may be 1.000 or 1000: type 1.0 or 1000" }
 * ```
 */
export function readTypedAmount(text: string, decimals: number): TypedAmount {
  return result(core.readTypedAmount(callArgs({ text, decimals })), readTypedAmount);
}

/**
 * Reads a share of a holding in percent as somebody typed it: above 0 and at most 100, with or without a percent sign.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { readTypedPercentage } from "launchpad-desk";
 *
 * readTypedPercentage("12,5 %"); // { state: "read", text: "12.5" }
 * readTypedPercentage("101"); // { state: "wrong", code: "out_of_range", message: "is over 100 %" }
 * ```
 */
export function readTypedPercentage(text: string): TypedPercentage {
  return result(core.readTypedPercentage(callArgs({ text })), readTypedPercentage);
}

/**
 * Reads a slippage in percent as somebody typed it: from 0 to 100, with at most 4 decimals. The interface accepts more than 100, but
 * a person who types that has probably mistaken the unit.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { readTypedSlippage } from "launchpad-desk";
 *
 * readTypedSlippage("0,5"); // { state: "read", text: "0.5" }
 * readTypedSlippage("500"); // { state: "wrong", code: "out_of_range", message: "is over 100 %" }
 * ```
 */
export function readTypedSlippage(text: string): TypedPercentage {
  return result(core.readTypedSlippage(callArgs({ text })), readTypedSlippage);
}

/** A multiple of what was paid, in a field. See {@link readTypedMultiple}. */
export type TypedMultiple =
  | {
      state: "read";
      /** The multiple as exit plans have it: `"2.5x"`. */
      text: `${string}x`;
    }
  | NotTyped;

/**
 * Reads a multiple of what was paid as somebody typed it: with an x behind it, or as the change in percent, with its sign. A number without
 * either is not finished, and `150 %` may be 1.5x or 2.5x: it is refused.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { readTypedMultiple } from "launchpad-desk";
 *
 * readTypedMultiple("2,5x"); // { state: "read", text: "2.5x" }
 * readTypedMultiple("+150 %"); // { state: "read", text: "2.5x" }
 * readTypedMultiple("−30 %"); // { state: "read", text: "0.7x" }
 * ```
 */
export function readTypedMultiple(text: string): TypedMultiple {
  return result(core.readTypedMultiple(callArgs({ text })), readTypedMultiple);
}

/**
 * A number as a program fills it into a field that is read as typed text: the same number, written so that it is not ambiguous. Any other
 * text comes back as it is.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { typedText } from "launchpad-desk";
 *
 * typedText("33.333"); // "33.3330"
 * typedText("1.5"); // "1.5"
 * ```
 */
export function typedText(number: string): string {
  return result(core.typedText(callArgs({ text: number })), typedText);
}

/**
 * A text of others, such as a token's name, as it is shown: on one line and not longer than `most` characters. An invisible character,
 * a mark of direction or a control character stands there as `\ufffd`, so that two names that differ do not look alike.
 *
 * @param most - the most characters, at most 4096; default 64
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { shownText } from "launchpad-desk";
 *
 * shownText("US\u200bDC"); // "US\ufffdDC"
 * ```
 */
export function shownText(text: string, most = 64): string {
  return result(core.shownText(callArgs({ text, most })), shownText);
}

/**
 * Reads a pasted table of a bundle's trades: CSV, or columns separated by tabs, semicolons or spaces. The columns are wallet, amount
 * or percentage, and slippage in percent. A header line may name them in another order or unit (`lamports`, `baseUnits`,
 * `slippageBps`). A table may also have only wallets, without amounts.
 *
 * Every row is returned, including rows with a problem; each problem names its line. An unknown column is a problem, because it may
 * have been a limit. Do not send a table that has problems.
 *
 * @throws {TradeNotSentError} `invalid_options`, if an argument has the wrong type, or for a text of over 1,048,576 characters.
 *
 * @example
 * ```js
 * import { readTypedTable } from "launchpad-desk";
 *
 * const { rows, problems } = readTypedTable("Wallet;Amount\nada;0,5\nbob;1,000", { side: "buy" });
 * console.log(rows[0]); // { line: 2, wallet: "ada", amount: "0.5", percentage: null, slippage: null }
 * console.log(problems[0].message); // line 3: amount may be 1.000 or 1000: type 1.0 or 1000
 * ```
 */
export function readTypedTable(text: string, options: TableOptions): TypedTable {
  return result(core.readTypedTable(callArgs({ text, options })), readTypedTable);
}
