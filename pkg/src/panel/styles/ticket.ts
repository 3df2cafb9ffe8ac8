// The ticket. Whatever stands above its button has a fixed height, so that the button stays where it is.

import { css } from "lit";

const ticket = css`
  .stay {
    display: grid;
    gap: var(--_gap);
  }
  .ticket .fold {
    display: none;
  }
  .terms {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.625rem;
  }
  .ticket {
    grid-template-columns: minmax(0, 1fr);
    gap: 0.625rem;
  }
  .ticket .sides {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.25rem;
    padding: 0.25rem;
    border-radius: var(--_radius);
    background: var(--_well);
  }
  .sides button {
    color: var(--_quiet);
    font-weight: 600;
  }
  .sides .buy[aria-pressed="true"] {
    border-color: var(--_buy);
    background: var(--_buy-soft);
    color: var(--_buy);
  }
  .sides .sell[aria-pressed="true"] {
    border-color: var(--_sell);
    background: var(--_sell-soft);
    color: var(--_sell);
  }
  .ticket span.control {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0 0.75rem 0 0;
  }
  .ticket .control input {
    flex: 1;
    width: 100%;
    min-width: 0;
    min-height: calc(var(--_target) - 2px);
    padding: 0 0 0 0.75rem;
    border: 0;
    border-radius: inherit;
    background: none;
  }
  .ticket .control:focus-within {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }
  .ticket .control input:focus {
    outline: none;
  }
  .ticket .control:has([aria-invalid="true"]) {
    border-color: var(--_danger);
  }
  .ticket .amount input {
    font-size: var(--_20);
    font-weight: 600;
  }
  .unit {
    color: var(--_quiet);
    font-size: var(--_14);
    white-space: nowrap;
  }
  .ticket .control .unit {
    max-width: 45%;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .note {
    min-width: 0;
    font-size: var(--_12);
    line-height: 1.125rem;
  }
  :is(.note, .problem, .quote, .consent):empty {
    display: none;
  }
  .amount .note,
  .amount .note:empty {
    display: block;
    height: 1.125rem;
    overflow: hidden;
    margin-block: -0.125rem -0.375rem;
  }
  /* A problem of two lines takes the second from the quote, which there is none of then. */
  @container desk (min-width: 23.01rem) {
    .amount .note:not(:empty) {
      height: 2.25rem;
    }
    .amount:has(.note:not(:empty)) + .act {
      --_taken: 1.125rem;
    }
  }
  .amount .chips {
    margin-block-start: 0.125rem;
  }
  .field.slippage {
    grid-template-columns: minmax(0, 7.5rem) minmax(min-content, 1fr);
    column-gap: 0.375rem;
  }
  .slippage > label {
    grid-column: 1 / -1;
  }
  .slippage:has(> .aside) > label,
  .field.slippage > :is(.control, .chips) {
    grid-column: auto;
  }
  .consent .result:focus-visible {
    outline-offset: -1px;
  }
  .consent .result {
    flex: 1;
    align-self: center;
    line-height: 1.2;
  }
  /* An outcome has the room of a quote that is not there. */
  .well > :is(.consent:only-child, .quote:empty + .consent) {
    height: 100%;
    font-size: var(--_14);
  }
  .ticket .chips {
    flex-wrap: nowrap;
    gap: 0.375rem;
  }
  .ticket .priority .chips {
    flex-wrap: wrap;
  }
  .chips button {
    min-width: var(--_target);
    padding: 0 0.75rem;
    border-color: var(--_line);
    background: var(--_well);
    font-size: var(--_12);
    font-weight: 500;
    white-space: nowrap;
  }
  .chips button:hover {
    border-color: var(--_edge);
  }
  .chips button[aria-pressed="true"] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    color: var(--_accent);
  }

  /* Quote, cost or consent, and button. Each has its place, whatever is in it. */
  .bar,
  .bundle-act {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: end;
    gap: 0.5rem;
    min-width: 0;
  }
  .well {
    --_lines: 3.5rem;
    --_notice: 3.75rem;
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    height: calc(var(--_lines) + var(--_notice) + 0.875rem - var(--_taken, 0rem));
    padding: 0.375rem;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_well);
  }
  .quote {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-content: start;
    gap: 0 0.75rem;
    height: var(--_lines);
    padding-inline: 0.375rem;
    overflow: clip;
    overflow-clip-margin: 2rem;
  }
  .quote:has(.none) {
    flex: 1;
    align-content: center;
    height: auto;
    min-height: 0;
    text-align: center;
  }
  .quote > :not(.headline, .impact) {
    grid-column: 1 / -1;
  }
  .quote .headline,
  .quote .fails {
    height: 2rem;
    font-size: var(--_20);
    font-weight: 650;
    line-height: 2rem;
  }
  /* A symbol that is cut off would read as another. */
  .quote .headline.long {
    font-size: var(--_16);
  }
  .quote .headline.longer {
    align-content: center;
    font-size: var(--_12);
    line-height: 1rem;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .quote .headline:focus-within {
    overflow: visible;
  }
  .quote .fails {
    color: var(--_danger);
  }
  .quote :is(.none, .rate, .least, .impact) {
    color: var(--_quiet);
    font-size: var(--_12);
    line-height: 1.25rem;
  }
  .quote .none {
    color: var(--_text);
    font-size: var(--_14);
  }
  .quote .least {
    grid-row: 2;
  }
  .quote .impact {
    min-width: 3rem;
    display: grid;
    grid-row: 1;
    grid-column: 2;
    align-content: center;
    gap: 0.125rem;
    white-space: nowrap;
  }
  .quote .calm .gauge {
    color: var(--_buy);
  }
  .impact.caution {
    color: var(--_caution);
  }
  .impact.tick,
  .impact.type {
    color: var(--_danger);
    font-weight: 600;
  }
  .consent {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    height: var(--_notice);
    overflow: auto;
    padding: 0.125rem 0.5rem;
    border-radius: calc(var(--_radius) * 0.6);
    font-size: var(--_12);
    line-height: 1.3;
  }
  .consent.calm {
    padding: 0 0.375rem;
  }
  .consent.calm dl {
    flex: 1;
    gap: 0;
    line-height: 1.25rem;
  }
  /* Each cost has one line: half of an amount would be read as another. */
  .consent.calm dt {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .consent.calm dd {
    flex: none;
  }
  .consent.caution,
  .consent.tick,
  .consent.type,
  .consent.unknown {
    background: var(--_caution-soft);
  }
  .landed:is(.consent, .notice) {
    background: var(--_buy-soft);
  }
  :is(.failed, .rejected, .not_sent, .did_not_land):is(.consent, .notice) {
    background: var(--_sell-soft);
  }
  .consent.tick,
  .consent.type,
  .consent.unknown {
    box-shadow: inset 3px 0 0 var(--_danger);
  }
  .consent .accept {
    flex: 1;
  }
  /* Several risks may take more room than there is: they scroll, and what they ask for stays in sight. */
  .consent:has(.accept) {
    display: grid;
    grid-template: minmax(max-content, 1fr) / minmax(0, 1fr) auto;
  }
  .consent:has(.reason + .reason) {
    padding-block: 0;
    line-height: 1.2;
  }
  .consent :is(input, [type="checkbox"]) {
    position: sticky;
    inset-block: 0.25rem;
  }
  .consent > input {
    flex: none;
    width: 5rem;
    padding: 0 0.5rem;
    font-size: var(--_14);
  }
  button.small {
    flex: none;
    padding: 0 0.75rem;
    border-color: var(--_edge);
    background: var(--_raised);
    font-size: var(--_12);
    font-weight: 600;
  }
  .send {
    width: 100%;
    min-height: 3rem;
    /* Two lines fit into the height of one. */
    padding: 0.1875rem 0.75rem;
    overflow-wrap: anywhere;
    text-wrap: balance;
    color: var(--_on-accent);
    font-size: var(--_16);
    font-weight: 650;
    line-height: 1.25;
  }
  .send.buy.calm {
    background: var(--_buy);
  }
  .send.sell.calm {
    background: var(--_sell);
  }
  .send.caution {
    background: var(--_caution);
  }
  .send.tick,
  .send.type {
    background: var(--_danger);
  }
  .send.send.send[aria-disabled="true"] {
    border-color: var(--_edge);
    background: var(--_well);
    color: var(--_text);
    font-size: var(--_14);
    font-weight: 500;
    cursor: default;
  }
`;

/** A bar at the bottom of the window. Its place is as high as it can become; what it does not need lets the page show. */
const bar = css`
  .act {
    --_room: 3.75rem;
    position: sticky;
    z-index: 3;
    inset-block-end: var(--_keyboard, 0px);
    display: grid;
    align-content: end;
    height: calc(9rem + var(--_room) - var(--_taken, 0rem));
    margin: -1.75rem -0.875rem 0;
    pointer-events: none;
  }
  .bar {
    padding: 0.25rem 0.875rem max(0.625rem, env(safe-area-inset-bottom));
    border-block: 1px solid var(--_line);
    background: var(--_raised);
    pointer-events: auto;
  }
  .bar .well {
    --_notice: var(--_room);
    gap: 0.25rem;
    height: auto;
    padding: 0;
    background: none;
  }
  .bar .quote,
  .bar .quote:has(.none) {
    flex: none;
    height: var(--_lines);
    padding: 0;
  }
  .bar .well > :is(.consent:only-child, .quote:empty + .consent) {
    height: auto;
    min-height: var(--_notice);
    max-height: calc(var(--_lines) + var(--_notice) + 0.25rem);
    font-size: var(--_12);
  }
  .bar .consent.calm:has(dl) {
    display: none;
  }
  /* What gets the focus is not below the bar. */
  .ticket :is(input, select, button, summary) {
    scroll-margin-block: 1rem calc(14rem + var(--_keyboard, 0px));
  }
  .bar :is(input, button) {
    scroll-margin-block: 0;
  }
`;

/** What takes room beside the ticket is folded, and only the newest trade and those that are open stand below it. */
const folded = css`
  .ticket {
    padding-block-end: 0.25rem;
    grid-template-columns: auto minmax(0, 1fr);
  }
  .ticket > :not(.fold, .details),
  .ticket > .details[open] {
    grid-column: 1 / -1;
  }
  .ticket > .details:not([open]) + .fold {
    grid-column: 2;
  }
  .attempt {
    padding: 0.5rem 0.75rem;
  }
  .attempt .sentence {
    font-size: var(--_12);
  }
  .ticket .fold {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    justify-content: end;
    margin-inline-end: -0.5rem;
  }
  .ticket > .details[open] + .fold {
    grid-column: 1 / -1;
  }
  .terms:not(.open) {
    display: none;
  }
  .ticket .more[open] {
    padding-block-end: 0.625rem;
  }
  .outcomes li:not(:first-child, :has(.unknown, .in_flight, .awaiting_approval)) {
    display: none;
  }
`;

/** Narrow, or too low for a ticket: the bar. What sticks to the top of a low window would never show its end. */
const whereBar = css`
  @container desk (max-width: 50.99rem) {
    ${bar} ${folded}
  }
  @media (max-height: 32rem) {
    ${bar}
    .stay {
      position: static;
    }
  }
`;

const narrowest = css`
  @container desk (max-width: 23rem) {
    .act {
      --_room: 4.5rem;
      margin-block-start: -2.875rem;
    }
    .field.slippage > :is(.control, .chips) {
      grid-column: 1 / -1;
    }
    .amount .note,
    .amount .note:empty {
      height: 2.25rem;
    }
    .quote .word {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  @container desk (max-width: 20rem) {
    .send {
      font-size: var(--_14);
    }
  }
  /* 320 pixels of which a scroll bar takes some. */
  @container desk (max-width: 19.99rem) {
    .quote .headline {
      font-size: var(--_16);
    }
    .quote .headline.long {
      font-size: var(--_14);
    }
  }
  @media (forced-colors: active) {
    .send {
      border: 2px solid Highlight;
    }
  }
`;

export const ticketStyles = [ticket, whereBar, narrowest];
