// Amounts as text. Digits are moved and grouped, never calculated with: no amount is ever a float.

export const SOL_DECIMALS = 9;

const PLAIN = /^(?=.*\d)(\d*)(?:\.(\d*))?$/;

/**
 * Moves the decimal point of a plain decimal to the right: `shiftPoint("0.5", 9)` is "500000000".
 * Anything but a plain decimal is returned unchanged, for the core to refuse.
 */
export function shiftPoint(text, places) {
  const [, whole, fraction = ""] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + fraction.padEnd(places, "0");
  const point = whole.length + places;
  const rest = digits.slice(point).replace(/0+$/, "");
  return digits.slice(0, point).replace(/^0+(?=\d)/, "") + (rest && `.${rest}`);
}

/** This many units, `decimals` of whose digits are the fraction, as plain text: `decimal(1500n, 3)` is "1.5". */
export function decimal(units, decimals) {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return (units < 0n ? "-" : "") + digits.slice(0, point) + (fraction && `.${fraction}`);
}

/** A plain decimal as it is read: thousands apart, a true minus. */
export const grouped = (text) =>
  text.replace(/^-/, "−").replace(/^(−?)(\d+)/, (_all, sign, whole) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ","));

/** An amount of units as it is read. */
export const amount = (units, decimals) => grouped(decimal(units, decimals));

/** Tokens, given in base units. */
export const tokens = (units, token) => `${amount(units, token.decimals)} ${token.symbol}`;

/** Lamports, read in SOL. */
export const sol = (lamports) => `${amount(lamports, SOL_DECIMALS)} SOL`;

/** Lamports gained or lost, read in SOL with their sign. */
export const solChange = (lamports) => (lamports > 0n ? "+" : "") + sol(lamports);

/** Basis points, read in percent. */
export const percent = (bps) => `${amount(BigInt(bps), 2)} %`;
