// Making elements. What is passed as a child is only ever text, never markup.

/** Makes an element: `el("p", { class: "reading" }, "text", child)`. A handler is an attribute that is a function. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A list of facts: `facts([["Price impact", "3.23 %"]])`. */
export const facts = (pairs) =>
  el("dl", { class: "facts" }, ...pairs.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
