// What the lists take from the rest of the panel. They are a file of their own, which is loaded when one is opened: by this they share what is
// there already.

export { css, html, nothing } from "lit";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
export { SOL_DECIMALS, brief, figure, percent, short, shortSol, shortTokens, sol, span } from "../figures.js";
export { tokenIcon } from "../token-icon.js";

/** All of it. */
export type Kit = typeof import("./kit.js");
