// From a form to a request. A control's name is its path in the request, and `data-reads` says what its text
// is. Unreadable text is passed on, so that the core refuses it in its own words.

import { SOL_DECIMALS, shiftPoint } from "./money.js";

/** The JS number of exactly this value; NaN if there may be none. Up to fifteen digits there always is one. */
function number(text) {
  const digits = /^-?\d*\.?\d*$/.test(text) ? text.replace(/\D/g, "").replace(/^0+/, "").length : Infinity;
  return digits > 15 ? NaN : Number(text);
}

const READERS = {
  text: (text) => text,
  lamports: (text) => shiftPoint(text, SOL_DECIMALS),
  tokens: (text) => text,
  percentage: number,
  slippage: (text) => ({ percent: number(text) }),
  units: (text) => (/^\d{1,20}$/.test(text) ? BigInt(text) : number(text)),
};

/** The value of a control's text in a request; `null` if it is empty. */
export function read(control) {
  const text = control.value.trim();
  return text === "" ? null : READERS[control.dataset.reads](text);
}

/** The controls of a form that have a place in the request. */
export const controlsOf = (form) => [...form.elements].filter((control) => control.dataset.reads);

/** The request that a form holds. */
export function readRequest(form) {
  const request = {};
  for (const control of controlsOf(form)) {
    const [, list, index, name] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(control.name) ?? [];
    const parent = list ? ((request[list] ??= [])[index] ??= {}) : request;
    parent[name ?? control.name] = read(control);
  }
  return request;
}
