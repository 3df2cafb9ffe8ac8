// The desk that the element opens: its worlds, its model and the views of its parts, loaded after the element has shown their places.

import type { CSSResultOrNative } from "lit";
import { html } from "lit";
import { bundleStyles } from "./bundle/styles.js";
import { chartStyles, chartView } from "./chart/view.js";
import { closedStyles } from "./positions/closed-view.js";
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
import { outcomesStyles } from "./styles/outcomes.js";
import { ticketStyles } from "./styles/ticket.js";
import { tokenStyles } from "./styles/tokens.js";
import { tabsStyles, tabsView } from "./tabs.js";
import { ticketView } from "./ticket/ticket.js";
import { tradesStyles, tradesView } from "./market/trades.js";
import { SimulatedWorld } from "./worlds/simulated.js";

export { Desk } from "./desk.js";
export { copyExact } from "./figures.js";
export { pressKey, pressKeyOutside } from "./keys.js";
export { LiveWorld } from "./worlds/live.js";
export { SimulatedWorld };

export const styles: CSSResultOrNative[] = [
  tokenStyles,
  layoutStyles,
  headerStyles,
  chartStyles,
  curveStyles,
  tradesStyles,
  drawerStyles,
  // How a ticket folds in a narrow window goes on from these.
  outcomesStyles,
  ...ticketStyles,
  instantStyles,
  tabsStyles,
  closedStyles,
  historyStyles,
  bundleStyles,
  ticketBarStyles,
  keysStyles,
];

/** A part of the panel: what it shows, and what that depends on beside the desk's own changes. It is rendered again only for these. */
type Part = readonly [view: (desk: Desk) => unknown, of: (desk: Desk) => readonly unknown[]];

const ofSandbox = ({ world, entry }: Desk): readonly unknown[] =>
  world instanceof SimulatedWorld ? [world.settings, world.keptAs, entry.wallet] : [];
const ofMarket = ({ ticks, entry }: Desk): readonly unknown[] => [ticks, entry.mint, entry.wallet];
const ofTicket = (desk: Desk): readonly unknown[] => [...ofMarket(desk), desk.ticket.edits];

export const parts = {
  world: [(desk) => html`${badgeView(desk)} ${keysButton(desk)}`, ofSandbox],
  keys: [keysView, () => []],
  // While it is open, its lists are those of the world, whatever a browser fills in.
  drawer: [drawerView, (desk) => [...ofSandbox(desk), desk.shown.drawer && desk.ticks]],
  header: [headerView, ofMarket],
  chart: [chartView, ofTicket],
  trades: [tradesView, ofMarket],
  ticket: [ticketView, ofTicket],
  // Whether one of unknown outcome can still land is a matter of time.
  outcomes: [outcomesView, (desk) => [desk.whyUnresolved.size && desk.ticks]],
  // What was sent has no figure of the market; the exits' editor names the ticket's slippage.
  tabs: [
    tabsView,
    (desk) => [
      ...(desk.shown.tab === "trades" ? [] : ofMarket(desk)),
      desk.bundle.form.edits,
      desk.shown.exits && desk.ticket.edits,
    ],
  ],
  reach: [ticketBarView, ({ entry }) => [entry.mint, entry.side]],
} satisfies Record<string, Part>;
