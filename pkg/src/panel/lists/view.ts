// What is loaded once it is asked for, as one file: the lists of tokens and of wallets, and the picture of a closed position.

import type { CSSResult } from "lit";
import type { Kit } from "./kit.js";
import { listStyles } from "./styles.js";
import { tokensView } from "./tokens-view.js";
import { walletsView } from "./wallets-view.js";

export { drawCard } from "./card.js";

export const views = { tokens: tokensView, wallets: walletsView };

let styles: CSSResult | undefined;

/** Their styles: the same sheet for each panel of a page. */
export const stylesOf = (kit: Kit): CSSResult => (styles ??= listStyles(kit));
