// The ticket. Whatever stands above its button has a fixed height, so that the button stays where it is.

import { css } from "lit";

export const ticketStyles = css`
  .stay {
    display: grid;
    gap: var(--_gap);
  }
  .ticket {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.625rem;
    padding: 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .ticket button:not(.figure),
  .outcomes button,
  .ticket summary,
  .outcomes summary {
    cursor: pointer;
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
    min-height: var(--_target);
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.8);
    background: none;
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
  .ticket .control {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0 0.75rem 0 0;
  }
  .ticket .control input {
    flex: 1;
    width: 100%;
    min-width: 0;
    min-height: var(--_target);
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
  .ticket select {
    width: 100%;
    min-height: var(--_target);
    padding: 0 0.5rem;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_raised);
  }
  .note {
    height: 1.125rem;
    overflow: hidden;
    color: var(--_quiet);
    font-size: var(--_12);
    line-height: 1.125rem;
  }
  .ticket .pair {
    display: grid;
    grid-template-columns: 7.5rem minmax(0, 1fr);
    gap: 0.375rem;
  }
  /* Its note is wider than it is. */
  .pair .field {
    grid-template-columns: minmax(0, 1fr);
  }
  .pair .chips {
    align-self: start;
    margin-block-start: 1.375rem;
  }
  .pair .field {
    position: relative;
    padding-block-end: 1.375rem;
  }
  .pair .note {
    position: absolute;
    inset-block-end: 0;
    inset-inline-start: 0;
    width: 20rem;
    max-width: 80cqi;
  }
  .consent .result {
    flex: 1;
    align-self: center;
  }
  .note.problem {
    color: var(--_danger);
  }
  .ticket .chips {
    display: flex;
    gap: 0.375rem;
  }
  .chips button {
    flex: 1;
    min-width: var(--_target);
    min-height: var(--_target);
    padding: 0 0.25rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
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

  /* Quote, consent and button: at the bottom of a narrow window, whatever is scrolled. */
  .act {
    display: grid;
    gap: 0.5rem;
  }
  .quote {
    display: grid;
    align-content: start;
    gap: 0.125rem;
    height: 5.25rem;
    overflow: clip;
    overflow-clip-margin: 2rem;
    padding-block-start: 0.25rem;
  }
  .quote .headline {
    height: 2rem;
    font-size: var(--_20);
    font-weight: 650;
    line-height: 2rem;
    white-space: nowrap;
  }
  .quote .fails {
    height: 2rem;
    color: var(--_danger);
    font-size: var(--_20);
    font-weight: 650;
    line-height: 2rem;
  }
  .quote .none,
  .quote .least,
  .quote .impact {
    color: var(--_quiet);
    font-size: var(--_12);
    line-height: 1.25rem;
  }
  .quote .impact {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .quote .impact label {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 0.5rem;
  }
  .quote meter {
    flex: 1;
    height: 0.625rem;
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
    height: 3.75rem;
    overflow: auto;
    padding: 0.125rem 0.625rem;
    border-radius: calc(var(--_radius) * 0.8);
    font-size: var(--_12);
    line-height: 1.3;
  }
  .consent.caution,
  .consent.tick,
  .consent.type,
  .consent.unknown {
    background: var(--_caution-soft);
  }
  .consent.landed {
    background: var(--_buy-soft);
  }
  .consent.failed,
  .consent.rejected,
  .consent.not_sent {
    background: var(--_sell-soft);
  }
  .consent.tick,
  .consent.type,
  .consent.unknown {
    box-shadow: inset 3px 0 0 var(--_danger);
  }
  .consent .accept {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 0.625rem;
    min-height: var(--_target);
    cursor: pointer;
  }
  .consent [type="checkbox"] {
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
  }
  .consent > input {
    flex: none;
    width: 5.5rem;
    min-height: var(--_target);
    padding: 0 0.5rem;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_raised);
    font-size: var(--_16);
  }
  button.small {
    flex: none;
    min-height: var(--_target);
    padding: 0 0.75rem;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_raised);
    font-size: var(--_12);
    font-weight: 600;
  }
  .send {
    width: 100%;
    height: 3rem;
    padding: 0 0.75rem;
    overflow: hidden;
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: var(--_16);
    font-weight: 650;
    line-height: 1.25;
    cursor: pointer;
  }
  .send.buy.calm {
    background: var(--_buy);
    color: var(--_raised);
  }
  .send.sell.calm {
    background: var(--_sell);
    color: var(--_raised);
  }
  .send.caution {
    background: var(--_caution);
    color: var(--_raised);
  }
  .send.tick,
  .send.type {
    background: var(--_danger);
    color: var(--_raised);
  }
  .send.send.send[aria-disabled="true"] {
    border-color: var(--_edge);
    background: var(--_well);
    color: var(--_text);
    font-size: var(--_14);
    font-weight: 500;
    cursor: default;
  }
  .ticket summary,
  .outcomes summary {
    min-height: var(--_target);
    color: var(--_quiet);
    font-size: var(--_12);
    line-height: var(--_target);
  }
  .ticket dl,
  .outcomes dl {
    display: grid;
    gap: 0.25rem;
    font-size: var(--_12);
  }
  .ticket dl > div {
    display: flex;
    justify-content: space-between;
    gap: 0.75rem;
  }
  .ticket dt,
  .outcomes dt {
    color: var(--_quiet);
  }
  .ticket dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  .ticket .details ul {
    margin-block-start: 0.5rem;
    color: var(--_caution);
    font-size: var(--_12);
  }

  .outcomes ol {
    display: grid;
    gap: 0.5rem;
  }
  .outcomes .empty {
    padding: 0.875rem;
    border: 1px dashed var(--_line);
    border-radius: var(--_radius);
    color: var(--_quiet);
    font-size: var(--_12);
  }
  .attempt {
    display: grid;
    gap: 0.25rem;
    padding: 0.75rem 0.875rem;
    border: 1px solid var(--_line);
    border-inline-start: 3px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .attempt.landed {
    border-inline-start-color: var(--_buy);
  }
  .attempt.failed,
  .attempt.rejected {
    border-inline-start-color: var(--_danger);
  }
  .attempt.unknown {
    border-color: var(--_caution);
    background: var(--_caution-soft);
  }
  .attempt .state {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
  }
  .attempt .what {
    color: var(--_quiet);
    font-size: var(--_12);
  }
  .attempt .badge {
    margin-inline-start: auto;
  }
  .attempt dd {
    font-family: var(--_mono);
    overflow-wrap: anywhere;
  }
  .attempt dl {
    gap: 0.375rem;
    margin-block-end: 0.5rem;
  }
  .settle {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    font-size: var(--_12);
  }
  @container desk (max-width: 50.99rem) {
    .act {
      position: sticky;
      z-index: 3;
      inset-block-end: 0;
      margin: 0 -0.875rem;
      padding: 0.25rem 0.875rem max(0.625rem, env(safe-area-inset-bottom));
      border-block: 1px solid var(--_line);
      background: var(--_raised);
    }
  }
  @container desk (max-width: 23rem) {
    .amount .note {
      height: 2.25rem;
    }
  }
  @media (forced-colors: active) {
    .send,
    .sides button[aria-pressed="true"],
    .chips button[aria-pressed="true"] {
      border: 2px solid Highlight;
    }
  }
`;
