// A plan of exits as it is typed: multiples of the cost, prices and market caps.

import type { ExitPlan } from "../../generated.js";
import type { Desk } from "../desk.js";
import type { Entry } from "../order/entry.js";
import type { Holding } from "../positions/holdings.js";
import {
  SOL_DECIMALS,
  messages,
  plainPrice,
  positionOf,
  readTypedAmount,
  readTypedMultiple,
  readTypedPercentage,
} from "../later/kit.js";
import { words } from "../later/words.js";
import { Scale } from "./scale.js";

const say = words.exits;
const { fields: names } = messages.exits;

/** Percent of slippage that an exit has at least: a stop that fails is none. */
const LEAST_SLIPPAGE = 10;
const PRICE_DECIMALS = 18;
/** A number below this is a price: no plan has so small a multiple. */
const LEAST_MULTIPLE = 0.001;

type Field = keyof typeof names;
/** A plan as it is typed. An empty slippage is that of the ticket, but no less than a stop needs. */
export type TypedExits = Readonly<Record<Field, string>>;
export const FIELDS = Object.keys(names) as Field[];

const typed = (some: Partial<TypedExits>): TypedExits =>
  ({ ...Object.fromEntries(FIELDS.map((field) => [field, ""])), ...some }) as TypedExits;

export const PRESETS: Record<keyof typeof say.presets, TypedExits> = {
  half: typed({ takeProfit: "2x 50%", stopLoss: "0.7x" }),
  ladder: typed({ takeProfit: "1.5x 30%, 2x 30%, 4x 40%", stopLoss: "0.7x" }),
  trail: typed({ stopLoss: "0.7x", trailing: "30% 1.5x" }),
};

/** Does something with the scale of what is held, for a plan with the ticket's terms. */
export const withScale = <T>({ world, entry }: Desk, holding: Holding, use: (scale: Scale) => T): T | undefined =>
  Scale.with(world, { stopLoss: "1x", ...entry.priorityTerms() }, positionOf(holding), holding.tokens, use);

/** The plan that was typed for what is held. */
export const planFor = (desk: Desk, typed: TypedExits, holding: Holding): ExitPlan =>
  withScale(desk, holding, (scale) => planOf(typed, desk.entry, scale)) ?? planOf(typed, desk.entry, undefined);

/** The plan that was typed; an amount without a unit gets the only one that it can have. */
function planOf(
  { takeProfit, stopLoss, trailing, breakEvenAfter, timeMs, onGraduation, slippage }: TypedExits,
  entry: Entry,
  scale: Scale | undefined,
): ExitPlan {
  const multiple = (field: Field, text: string): string => multipleOf(field, text, scale);
  const [by, ...froms] = wordsIn(trailing);
  const from = froms.join(" ");
  return {
    takeProfit: rungsOf(takeProfit).map(([at, sell]) => ({
      at: multiple("takeProfit", at),
      sell: percent("takeProfit", sell),
    })),
    ...(stopLoss.trim() && { stopLoss: multiple("stopLoss", stopLoss) }),
    ...(by !== undefined && {
      trailing: { by: percent("trailing", by), ...(from && { from: multiple("trailing", from) }) },
    }),
    ...(breakEvenAfter.trim() && { breakEvenAfter: multiple("breakEvenAfter", breakEvenAfter) }),
    ...(timeMs.trim() && { timeMs: timeOf(timeMs.trim()) }),
    ...(onGraduation.trim() && { onGraduation: { from: percent("onGraduation", onGraduation) } }),
    slippage: { percent: slippage.trim() ? percent("slippage", slippage).slice(0, -1) : slippageOf(entry) },
    ...entry.priorityTerms(),
  };
}

/** A text's words. A percent sign belongs to the number before it. */
const wordsIn = (text: string): string[] => text.replace(/\s+%/g, "%").trim().split(/\s+/).filter(Boolean);

/** The steps of a text: where each is, and how much it sells. */
const rungsOf = (takeProfit: string): [at: string, sell: string][] =>
  // A comma between two digits is a decimal one.
  takeProfit
    .split(/;|,(?!\d)|(?<!\d),/)
    .map(wordsIn)
    .filter(({ length }) => length)
    .map((all) => (all.length > 1 ? [all.slice(0, -1).join(" "), all.at(-1) ?? ""] : [all[0] ?? "", ""]));

/** The same plan with another stop, or with the step of this number elsewhere. */
export function movedTo(typed: TypedExits, rung: number | null, at: string): TypedExits {
  if (rung === null) return { ...typed, stopLoss: at };
  const rungs = rungsOf(typed.takeProfit).map(([was, sell], index) => `${index === rung ? at : was} ${sell}`);
  return { ...typed, takeProfit: rungs.join(", ") };
}

const MARKET_CAP = /^(?:mc|mcap|market cap)\b\s*(.*?)\s*([km]?)\s*(?:sol)?$/i;
const PRICE = /^([\d.,\s]+?)\s*(sol)?$/i;
const TIMES: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 };

/** The price that the text of a field means, in lamports per whole token: one in SOL, or a market cap. Undefined if it means something else. */
export function readPrice(
  name: string,
  text: string,
  ofCap: ((lamports: number) => number) | undefined,
): number | undefined {
  const [, cap, times = ""] = MARKET_CAP.exec(text.trim()) ?? [];
  const [, number, unit] = PRICE.exec(text.trim()) ?? [];
  const isPrice = number !== undefined && (unit || Number(number.replace(",", ".")) < LEAST_MULTIPLE);
  if (cap === undefined && !isPrice) return undefined;
  const typed = readTypedAmount(cap ?? number ?? "", cap === undefined ? PRICE_DECIMALS : SOL_DECIMALS);
  if (typed.state !== "read") throw new Error(`${name}${cap === undefined ? "" : say.ofCap} ${typed.message}`);
  if (cap === undefined) return Number(typed.units) / 10 ** (PRICE_DECIMALS - SOL_DECIMALS);
  if (!ofCap) throw new Error(messages.exits.noPrice);
  return ofCap(Number(typed.units) * (TIMES[times.toLowerCase()] ?? 1));
}

/** A multiple of what was paid, typed in a field as such, or as the price or the market cap at which selling all brings it. */
function multipleOf(field: Field, text: string, scale: Scale | undefined): string {
  const price = readPrice(names[field], text, scale && ((lamports) => scale.priceOfCap(lamports)));
  if (price !== undefined) {
    if (!scale) throw new Error(messages.exits.noPrice);
    const at = scale.multipleAt(price);
    if (at === undefined)
      throw new Error(`${names[field]} ${say.offCurve(...(scale.ends.map(plainPrice) as [string, string]))}`);
    // Four places: what is shown is what acts.
    return at.replace(/(\.\d{4})\d+/, "$1");
  }
  const typed = readTypedMultiple(/\d\s*$/.test(text) ? `${text.trim()}x` : text);
  if (typed.state !== "read") throw new Error(`${names[field]} ${typed.message}`);
  return typed.text;
}

function percent(field: Field, text: string): string {
  const typed = readTypedPercentage(text);
  if (typed.state !== "read") throw new Error(`${names[field]} ${typed.message}`);
  return `${typed.text}%`;
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time such as `90s`, `30m` or `2h`. */
function timeOf(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})\s*([smh])$/.exec(text) ?? [];
  if (!Number(count)) throw new Error(`${names.timeMs} ${say.notTime}`);
  return Number(count) * (UNITS_MS[unit] ?? 0);
}

/** Percent of slippage of an exit: that of the ticket, but no less than a stop needs. */
export const slippageOf = ({ slippage }: Entry): number =>
  Math.max(LEAST_SLIPPAGE, Number(slippage.replace(",", ".")) || 0);
