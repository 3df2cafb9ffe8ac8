// One field of the ticket: label, control, unit, the reading of its value, what is wrong with it.

import { el } from "./el.js";
import { SOL_DECIMALS, decimal } from "./money.js";

let made = 0;

/**
 * Makes a field.
 *
 * @param {object} field
 * @param {string} field.name the control's path in the request
 * @param {string} field.label
 * @param {string} field.reads what its text is, see `request.js`
 * @param {[string, string][]} [field.options] value and text of each choice; without them it is a text field
 * @param {string} [field.unit]
 * @param {string} [field.placeholder]
 */
export function field({ name, label, reads, options, unit, placeholder }) {
  const id = `field-${++made}`;
  const part = (what) => `${id}-${what}`;
  const common = { id, name, "data-reads": reads, "aria-describedby": ["unit", "reading", "problem"].map(part).join(" ") };
  const control = options
    ? el("select", common, ...options.map(([value, text]) => el("option", { value }, text)))
    : el("input", { ...common, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", placeholder });
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    el("div", { class: "control" }, control, unit && el("span", { class: "unit", id: part("unit") }, unit)),
    el("p", { class: "reading", id: part("reading") }),
    el("p", { class: "problem", id: part("problem") }),
  );
}

const partOf = (control, what) => document.getElementById(`${control.id}-${what}`);

/** Shows the reading of a field's value beside it. */
export function showReading(control, text) {
  partOf(control, "reading").textContent = text;
}

/** Shows what is wrong with a field; nothing if `problem` is undefined. */
export function showProblem(control, problem) {
  control.toggleAttribute("aria-invalid", false);
  if (problem) control.setAttribute("aria-invalid", "true");
  partOf(control, "problem").textContent = problem ? inTheFieldsWords(control, problem) : "";
}

/** The core names a field by its path, and a bound in lamports; a trader knows the label, and types SOL. */
function inTheFieldsWords(control, { field, message }) {
  const label = control.labels[0].textContent;
  const named = message.startsWith(field) ? label + message.slice(field.length) : message;
  return control.dataset.reads === "lamports" ? named.replace(/(?<= is over )\d+$/, (bound) => `${decimal(BigInt(bound), SOL_DECIMALS)} SOL`) : named;
}
