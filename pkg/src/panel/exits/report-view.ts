// A report of the package, which is a whole page, in the panel: its body and its styles stand in a shadow root of their own. It has no
// script. Its style sheet is made by a constructor, which strict page policies allow.

import type { ElementPart } from "lit/directive.js";
import { Directive, directive, nothing } from "../later/kit.js";

class Reported extends Directive {
  #page = "";

  render(_page: string): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart, [page]: [string]): typeof nothing {
    if (page === this.#page) return nothing;
    this.#page = page;
    // Such policies complain of a style element even where it is only parsed.
    const [before = "", style = "", after = ""] = page.split(/<\/?style>/);
    const { body } = new DOMParser().parseFromString(before + after, "text/html");
    const styles = new CSSStyleSheet();
    styles.replaceSync(`${style} body { max-width: none; font: inherit; font-size: inherit; }`);
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles];
    root.replaceChildren(document.importNode(body, true));
    return nothing;
  }
}

/** Shows a report in an element: `${reported(page)}`. */
export const reported = directive(Reported);
