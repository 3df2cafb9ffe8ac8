// Amounts as people read them. Exact digits come from the core; a float is used only for figures of at most four digits.

import { fromBaseUnits, lamportsToSol } from "launchpad-desk";
import { type TemplateResult, html, nothing } from "lit";

export const SOL_DECIMALS = 9;

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

const two = (part: number): string => String(part).padStart(2, "0");

/** A time of the day: `14:03:05`. */
export function clock(ms: number): string {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
}

/** A day, without the name of its month: `11-29`. */
export function day(ms: number): string {
  const time = new Date(ms);
  return `${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** A plain decimal with thousands separators and a true minus sign; every digit stays. */
export const grouped = (text: string): string => {
  const [whole = "", fraction] = text.replace("-", "−").split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction ? `.${fraction}` : "");
};

/** A number in so many digits, without an exponent: a browser's own formats take it milliseconds to create. */
function digits(value: number, count: number): string {
  const [, exponent] = value.toExponential(count - 1).split("e");
  return grouped(Number(value.toPrecision(count)).toFixed(Math.max(0, count - 1 - Number(exponent))));
}

/** The same without zeros at the end of a fraction. */
const trimmed = (text: string): string => text.replace(/(\.\S*?)0+$/, "$1").replace(/\.$/, "");

/** A number from a thousand on in three digits: `34.2M`. */
function compact(value: number): string {
  const round = Number(value.toPrecision(3));
  const unit = Math.min(4, Math.floor(Math.log10(round) / 3));
  return `${round / 1000 ** unit}${["", "K", "M", "B", "T"][unit]}`;
}

/** Base units as whole tokens, every digit: `34,199,203.120618`. */
export const exact = (units: bigint, decimals: number): string => grouped(fromBaseUnits(units, decimals));

/** Base units in whole tokens, without the fraction from a thousand on; always rounded down. */
export const whole = (units: bigint, decimals: number): string => {
  const text = exact(units, decimals);
  return text.includes(",") ? (text.split(".")[0] ?? text) : text;
};

export const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

const float = (units: bigint, decimals: number): number => Number(units) / 10 ** decimals;

/** An amount in three or four digits: `34.2M`, `0.9985`, `0.0₄25`. One that has no more digits is shown in full. */
export function brief(units: bigint, decimals: number): string {
  const value = Math.abs(float(units, decimals));
  const sign = units < 0n ? "−" : "";
  if (value >= 10_000) return sign + compact(value);
  const whole = exact(abs(units), decimals);
  return sign + (whole.replace(/\D/g, "").length <= 5 ? whole : trimmed(small(value)));
}

/** A value in four digits, with its leading zeros counted: `0.0₇2796`. */
function small(value: number): string {
  if (value === 0 || value >= 0.001) return digits(value, 4);
  const [first = "", exponent] = value.toExponential(3).split("e");
  return `0.0${subscript(-Number(exponent) - 1)}${first.replace(".", "")}`;
}

const subscript = (count: number): string => [...String(count)].map((digit) => SUBSCRIPTS[Number(digit)]).join("");

/** Lamports in SOL, every digit: `1.000005 SOL`. */
export const sol = (lamports: bigint): string => `${grouped(lamportsToSol(lamports))} SOL`;

/** Lamports in SOL with at most four decimals, without the unit; rounded down, so that they are there. */
export const availableSol = (lamports: bigint): string =>
  grouped(lamportsToSol(lamports)).replace(/(\.\d{4})\d+$/, "$1");

/** Lamports in SOL, in four digits. */
export const shortSol = (lamports: bigint): string => `${brief(lamports, SOL_DECIMALS)} SOL`;

export const solChange = (lamports: bigint): string => (lamports > 0n ? "+" : "") + shortSol(lamports);

/** About so many dollars: `≈ $12.30`, `≈ −$0.05`, from ten thousand on in three digits: `≈ $12.3K`. */
export function aboutDollars(cents: bigint): string {
  const [sign, size] = [cents < 0n ? "−" : "", abs(cents)];
  const text =
    size < 1_000_000n ? grouped(`${size / 100n}.${String(size % 100n).padStart(2, "0")}`) : compact(Number(size) / 100);
  return `≈ ${sign}$${text}`;
}

interface Unit {
  symbol: string;
  decimals: number;
}

/** Base units with the token's name, every digit: `34,199,203.120618 RABBIT`. */
export const tokens = (units: bigint, { symbol, decimals }: Unit): string => `${exact(units, decimals)} ${symbol}`;

/** The same in three digits: `34.2M RABBIT`. */
export const shortTokens = (units: bigint, { symbol, decimals }: Unit): string => `${brief(units, decimals)} ${symbol}`;

/** A spot price in SOL; the core gives it in lamports per whole token: `0.0₇2796`. */
export const price = (lamports: string | number | null): string =>
  lamports === null ? "–" : small(Number(lamports) / 10 ** SOL_DECIMALS);

/** The same as a plain decimal, for screen readers, which cannot read the subscript: `0.00000002796`. */
export const plainPrice = (lamports: string | number | null): string =>
  lamports === null ? "–" : digits(Number(lamports) / 10 ** SOL_DECIMALS, 4);

/** A fraction as a signed percentage: `+12.5 %`. */
export function change(fraction: number): string {
  const text = grouped((fraction * 100).toFixed(1)).replace(/^−(0\.0)$/, "$1");
  return `${fraction > 0 && text !== "0.0" ? "+" : ""}${text} %`;
}

/** Basis points in percent: `0.5 %`. */
export const percent = (bps: number): string => `${trimmed(grouped((bps / 100).toFixed(2)))} %`;

/** A part of a whole, as a percentage: `6,000 %`. */
export const share = (part: number): string => `${trimmed(digits(part * 100, 2))} %`;

/** An address, short: `SimM…1111`. */
export const short = (address: string): string =>
  address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;

/** A number for screen readers, in three significant digits. */
export const rounded = (value: number): string => trimmed(digits(value, 3));

/** A duration in its largest whole unit: `15s`, `3m`, `2h`, `1d`. */
export function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** A figure that shows its exact value when it has the focus, and copies it. Screen readers read `spoken` instead. */
export const figure = (shown: string, whole: string, spoken?: string): TemplateResult =>
  html`<data class="figure" tabindex="0" value=${whole} title=${whole}>${spoken === undefined ? shown : html`<span aria-hidden="true">${shown}</span><span class="spoken">${spoken}</span>`}</data>`;

/** A part of a whole, from 0 to 1, as a bar in the colour of its text; for screen readers by its name, if it has one. */
export const gauge = (part: number, name?: string): TemplateResult =>
  html`<svg class="gauge" viewBox="0 0 100 1" preserveAspectRatio="none" role=${name ? "meter" : "presentation"} aria-label=${name ?? nothing} aria-valuenow=${name ? Math.round(part * 100) : nothing}><rect width=${100 * part} height="1" /></svg>`;

/** Puts the exact value of the selected figure on the clipboard; for the panel's `copy` event. */
export function copyExact(event: ClipboardEvent): void {
  const focused = (event.currentTarget as Element | ShadowRoot).querySelector<HTMLDataElement>("data.figure:focus");
  const from =
    focused ??
    event
      .composedPath()
      .find((part): part is HTMLDataElement => part instanceof HTMLDataElement && part.classList.contains("figure"));
  if (!from) return;
  event.clipboardData?.setData("text/plain", from.value);
  event.preventDefault();
}

/** Parts per million as a percentage with one decimal: `0.3 %`. */
export const partsPerMillion = (ppm: bigint): string => `${(Number(abs(ppm)) / 10_000).toFixed(1)} %`;
