// All of the file that comes later.

import { alertsStyles } from "../alerts/view.js";
import { exitsStyles } from "../exits/view.js";
import { listStyles } from "../lists/styles.js";
import { css } from "./kit.js";

export { alertsView } from "../alerts/view.js";
export { droppedView, exportView } from "../attempts/export.js";
export { exitLevels, exitsView } from "../exits/view.js";
export { drawCard } from "../positions/card.js";
export { tokensView } from "../lists/tokens-view.js";
export { walletsView } from "../lists/wallets-view.js";

export const styles = css`${listStyles}${exitsStyles}${alertsStyles}`;
