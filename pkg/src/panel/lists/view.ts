// The lists, as one file: of tokens, and of wallets.

import type { CSSResult } from "lit";
import type { Kit } from "./kit.js";
import { listStyles } from "./styles.js";
import { tokensView } from "./tokens-view.js";
import { walletsView } from "./wallets-view.js";

export const views = { tokens: tokensView, wallets: walletsView };

let styles: CSSResult | undefined;

/** Their styles: the same sheet for each panel of a page. */
export const stylesOf = (kit: Kit): CSSResult => (styles ??= listStyles(kit));
