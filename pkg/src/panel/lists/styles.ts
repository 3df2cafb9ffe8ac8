// The look of the lists.

import { css } from "../later/kit.js";

export const listStyles = css`
  .lists {
    display: grid;
    gap: 0.5rem;
  }
  .lists,
  .lists > *,
  .market-list .names {
    min-width: 0;
  }
  .lists .switch {
    flex: 0 1 auto;
  }
  .lists [type="search"],
  .lists [name="group-name"] {
    flex: 1 1 10rem;
    width: auto;
    min-width: 0;
  }
  .market-list .gauge {
    margin-block-start: 0.125rem;
    color: var(--_accent);
  }
  .market-list .star {
    width: var(--_target);
    padding: 0;
    border: 0;
    color: var(--_quiet);
    font-size: var(--_20);
    line-height: 1;
  }
  .market-list .star[aria-pressed="true"] {
    color: var(--_caution);
  }
  .market-list .starred,
  .wallet-list td:first-child {
    width: var(--_target);
    padding-inline: 0;
  }
  .market-list .pick {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-width: var(--_target);
    max-width: 11rem;
    padding: 0;
    border: 0;
    text-align: start;
  }
  .market-list .pick .token-icon {
    flex: none;
    width: 1.75rem;
    height: 1.75rem;
  }
  .market-list .names .second {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .market-list tr[aria-current="true"] {
    background: var(--_accent-soft);
  }
  .market-list tbody tr:hover {
    background: var(--_well);
  }
  .wallet-list .check {
    justify-content: center;
    width: var(--_target);
  }
  .wallet-list .address {
    white-space: nowrap;
  }
  .wallet-list .address a {
    display: inline-grid;
    align-items: center;
    min-height: var(--_target);
  }
  @container below (max-width: 23rem) {
    .lists .switch button {
      padding-inline: 0.25rem;
    }
    .market-list td.number {
      padding-inline: 0;
      font-size: var(--_12);
    }
  }
  @container below (max-width: 35rem) {
    .market-list tbody tr {
      grid-template-columns: var(--_target) repeat(3, minmax(0, 1fr));
    }
    .market-list th[scope="row"] {
      grid-column: 2 / -1;
    }
    .market-list .pick {
      max-width: 100%;
    }
    .market-list td.number:nth-of-type(3n + 2) {
      grid-column-start: 2;
    }
    .wallet-list tbody tr {
      grid-template-columns: var(--_target) repeat(2, minmax(0, 1fr));
    }
    .wallet-list :is(th[scope="row"], .address) {
      align-self: center;
    }
    .wallet-list .address::before {
      content: none;
    }
    .wallet-list td.number:nth-of-type(3) {
      grid-column-start: 2;
    }
  }
`;
