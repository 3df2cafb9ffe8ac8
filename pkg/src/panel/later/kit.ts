// What the files that come later take from the rest of the panel. The build gives them these very values, so that none of it is loaded twice.

export { css, html, nothing } from "lit";
export { Directive, directive } from "lit/directive.js";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
export { fromBaseUnits, lamportsToSol, readTypedAmount, readTypedMultiple, readTypedPercentage } from "launchpad-desk";
export { inJson } from "../../json.js";
export { Since } from "../../since.js";
export { answeredOf, finderOf, foundOf } from "../attempts/machine.js";
export { receiptsOf } from "../attempts/receipts.js";
export { wordsOfBar } from "../chart/bars.js";
export { MARGINS, ROOM, rangeOf, shownAtOnce } from "../chart/still.js";
export { positionOf, shown, wordsOf } from "../exits/exits.js";
export { planWords } from "../exits/running.js";
export { addressView } from "../market/address.js";
export { download } from "../download.js";
export { SOL_DECIMALS, brief, clock, day, gauge, percent, plainPrice, price, shortSol, sol, span } from "../figures.js";
export { Kept, placeOf } from "../kept.js";
export { say, spoken } from "../language.js";
export { messages } from "../messages.js";
export { DOUBLE_MS } from "../order/order-form.js";
export { ignoreHeldEnter } from "../order/send-button.js";
export { valueOf } from "../options.js";
export { keyOf } from "../attempts/past.js";
export { perDesk } from "../shown.js";
export { tokenIcon } from "../market/token-icon.js";
export { painted } from "../turns.js";

/** Only who asks for a backtest loads the simulator. */
export const loadSandbox = (): Promise<typeof import("launchpad-desk/sandbox")> => import("launchpad-desk/sandbox");
