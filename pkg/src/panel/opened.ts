// The desk that the element opens: its worlds, its model and the views of its parts, loaded after the element has shown their places.

import type { CSSResultOrNative, TemplateResult } from "lit";
import { html } from "lit";
import { bundleStyles } from "./bundle/styles.js";
import { chartStyles, chartView } from "./chart/view.js";
import { closedStyles } from "./positions/closed.js";
import { curveStyles } from "./chart/curve-view.js";
import type { Desk } from "./desk.js";
import { badgeView, drawerStyles, drawerView } from "./worlds/drawer.js";
import { headerStyles, headerView } from "./market/header.js";
import { historyStyles } from "./attempts/history.js";
import { instantStyles } from "./ticket/instant.js";
import { keysButton, keysStyles, keysView } from "./keys.js";
import { outcomesView } from "./attempts/outcome.js";
import { ticketBarStyles, ticketBarView } from "./ticket/ticket-bar.js";
import { layoutStyles } from "./styles/layout.js";
import { ticketStyles } from "./styles/ticket.js";
import { tokenStyles } from "./styles/tokens.js";
import { tabsStyles, tabsView } from "./tabs.js";
import { ticketView } from "./ticket/ticket.js";
import { tradesStyles, tradesView } from "./market/trades.js";

export { Desk } from "./desk.js";
export { copyExact } from "./figures.js";
export { pressKey, pressKeyOutside } from "./keys.js";
export { LiveWorld } from "./worlds/live.js";
export { SimulatedWorld } from "./worlds/simulated.js";

/** All of the panel's styles, in their order. */
export const styles: CSSResultOrNative[] = [
  tokenStyles,
  layoutStyles,
  headerStyles,
  chartStyles,
  curveStyles,
  tradesStyles,
  drawerStyles,
  ...ticketStyles,
  instantStyles,
  tabsStyles,
  closedStyles,
  historyStyles,
  bundleStyles,
  ticketBarStyles,
  keysStyles,
];

/** What each part of the panel shows. */
export const views = {
  world: (desk: Desk): TemplateResult => html`${badgeView(desk)} ${keysButton(desk)}`,
  keys: keysView,
  drawer: drawerView,
  header: headerView,
  chart: chartView,
  trades: tradesView,
  ticket: ticketView,
  outcomes: outcomesView,
  tabs: tabsView,
  reach: ticketBarView,
};
