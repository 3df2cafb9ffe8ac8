/**
 * What is wrong with one field. Append-only.
 *
 * @see {@link validate}
 */
export type FieldCode =
/** Required, but absent or null. */
"required"
/** No such field; the message names the nearest one. */
 | "unknown_field"
/** Not the interface's type. */
 | "wrong_type"
/** NaN, an infinity, or text that is not a plain decimal number. */
 | "not_a_number"
/** A fraction where a whole number is needed; also tokens finer than a base unit. */
 | "not_an_integer"
/** A JS number too large to be exact: pass a bigint or a string. */
 | "not_exact"
/** Zero or below. */
 | "not_positive"
/** Outside the allowed range. */
 | "out_of_range"
/** Empty text, as forms send it, or an empty list. */
 | "empty"
/** White space, a control character or broken text in an identifier. */
 | "white_space"
/** Longer than allowed. */
 | "too_long"
/** Not 32 bytes in base58. */
 | "not_base58"
/** More elements than `maxBundleSize`. */
 | "too_many"
/** The value cannot be read: a getter that throws, a cycle, too much nesting or length. */
 | "unreadable"
/** A value that contradicts another field. */
 | "conflict"
/** Not on the allow-list. */
 | "not_allowed"
/** Typed or pasted text that may mean two things, such as `1,000`: it is never guessed. */
 | "ambiguous";
/**
 * A pasted table.
 *
 * @see {@link readTypedTable}
 */
export interface TypedTable {
	/** Every row in order, including those with problems, but not the header or blank rows. */
	rows: TypedRow[];
	/** What is wrong, by line. Do not send a table that has problems. */
	problems: TableProblem[];
}
/**
 * A row of a pasted table. A number is exact plain text, `"0.5"` for `0,5`; one with a problem stays as it was pasted.
 *
 * @see {@link readTypedTable}
 */
export interface TypedRow {
	/** Its line in the text, from 1. */
	line: number;
	/** The wallet. */
	wallet: string;
	/** SOL to spend, or whole tokens to sell. */
	amount: string | null;
	/** The share of what the wallet holds to sell, in percent. */
	percentage: string | null;
	/** Its part of a total that is split by weights, in proportion to those of the other rows. */
	weight: string | null;
	/** Its own slippage, in percent. */
	slippage: string | null;
}
/**
 * What is wrong in a pasted table.
 *
 * @see {@link readTypedTable}
 */
export interface TableProblem {
	/** The line in the text, from 1. */
	line: number;
	/** The field of the row that it is about; `null` for the row as a whole. */
	field: "wallet" | "amount" | "percentage" | "weight" | "slippage" | null;
	/** The stable code. */
	code: FieldCode;
	/** A sentence for a person, which names the line. */
	message: string;
}
/**
 * A text in a field that is not a number: unfinished, or wrong. An `incomplete` text may still become a number (an empty one, `0`,
 * `0.`), so a form shows no error for it while somebody types. Once the field is left, its message says what is missing.
 *
 * @see {@link readTypedAmount}
 */
export interface NotTyped {
	state: "incomplete" | "wrong";
	/** The stable code. */
	code: FieldCode;
	/** What is wrong; it reads on after the name of the field: "has more than 9 decimals". */
	message: string;
}
/**
 * An amount in a field.
 *
 * @see {@link readTypedAmount}
 */
export type TypedAmount = {
	state: "read";
	/** The number as exact plain text: `"0.5"` for `,5`. */
	text: string;
	/** The same in lamports or base units. */
	units: bigint;
} | NotTyped;
/**
 * A percentage in a field.
 *
 * @see {@link readTypedPercentage}
 */
export type TypedPercentage = {
	state: "read";
	/** The number as exact plain text, without the percent sign. */
	text: string;
} | NotTyped;
/**
 * What a pasted table contains.
 *
 * @see {@link readTypedTable}
 */
export interface TableOptions {
	/** In a table of buys, amounts are SOL; in a table of sells, whole tokens or percentages. */
	side: "buy" | "sell";
	/** Fraction digits of a whole token. Default: 6. */
	tokenDecimals?: number;
}
/**
 * Reads an amount above zero as somebody typed it, exactly. One dot or one comma is the decimal mark. Ambiguous text is refused, not
 * guessed: `1,000` may be one or a thousand, `1.000,5` has a thousands separator. Nothing is rounded.
 *
 * @param text - what the field holds
 * @param decimals - fraction digits of the unit: 9 for SOL, the token's own for tokens
 * @throws {TradeNotSentError} `invalid_options`, if an argument has the wrong type.
 *
 * @example
 * ```js
 * import { readTypedAmount } from "launchpad-desk/typed";
 *
 * readTypedAmount("0,05", 9); // { state: "read", text: "0.05", units: 50000000n }
 * readTypedAmount("0.", 9); // { state: "incomplete", code: "not_a_number", message: "ends with a decimal mark" }
 * readTypedAmount("1,000", 9); // { state: "wrong", code: "ambiguous", message: "may be 1.000 or 1000: write it without a comma" }
 * ```
 */
export declare function readTypedAmount(text: string, decimals: number): TypedAmount;
/**
 * Reads a share of a holding in percent as somebody typed it: above 0 and at most 100, with or without a percent sign.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { readTypedPercentage } from "launchpad-desk/typed";
 *
 * readTypedPercentage("12,5 %"); // { state: "read", text: "12.5" }
 * readTypedPercentage("101"); // { state: "wrong", code: "out_of_range", message: "is over 100 %" }
 * ```
 */
export declare function readTypedPercentage(text: string): TypedPercentage;
/**
 * Reads a slippage in percent as somebody typed it: from 0 to 100, with at most 4 decimals. The interface accepts more than 100, but
 * a person who types that has probably mistaken the unit.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the argument is not text.
 *
 * @example
 * ```js
 * import { readTypedSlippage } from "launchpad-desk/typed";
 *
 * readTypedSlippage("0,5"); // { state: "read", text: "0.5" }
 * readTypedSlippage("500"); // { state: "wrong", code: "out_of_range", message: "is over 100 %" }
 * ```
 */
export declare function readTypedSlippage(text: string): TypedPercentage;
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
 * import { readTypedTable } from "launchpad-desk/typed";
 *
 * const { rows, problems } = readTypedTable("Wallet;Amount\nada;0,5\nbob;1,000", { side: "buy" });
 * console.log(rows[0]); // { line: 2, wallet: "ada", amount: "0.5", percentage: null, slippage: null }
 * console.log(problems[0].message); // line 3: amount may be 1.000 or 1000: write it without a comma
 * ```
 */
export declare function readTypedTable(text: string, options: TableOptions): TypedTable;

