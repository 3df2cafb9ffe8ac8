// Where the parts stand. Wide: the token, the chart with the tape, and beside them the ticket. Narrow: one below the other.

import { css } from "lit";

export const layoutStyles = css`
  /* Its texts and amounts are written from left to right, whatever the page is. */
  .desk,
  .opening {
    direction: ltr;
  }
  .desk {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-areas: "world" "head" "side" "chart" "below" "trades" "reach";
    gap: var(--_gap);
    padding: var(--_gap);
  }
  .head {
    position: relative;
    z-index: 20;
    display: grid;
    grid-area: head;
    container: head / inline-size;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--_gap);
    min-width: 0;
  }
  .world {
    display: flex;
    flex-wrap: wrap;
    grid-area: world;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 0.5rem;
    min-height: var(--_target);
    margin-block: -0.5rem;
  }
  .market {
    display: contents;
  }
  .chart {
    grid-area: chart;
  }
  .trades {
    grid-area: trades;
  }
  .side {
    grid-area: side;
    min-width: 0;
  }
  .below {
    grid-area: below;
    container: below / inline-size;
    min-width: 0;
  }
  .market .chart {
    --_height: 21rem;
  }
  .market .trades {
    --_height: 14rem;
  }
  @container desk (max-width: 23rem) {
    .desk {
      row-gap: 0.375rem;
    }
  }
  /* As high as what will stand there, so that nothing moves when it comes. */
  .place.header {
    min-height: 8.375rem;
  }
  @container head (max-width: 21.5rem) {
    .place.header {
      min-height: 9.4375rem;
    }
  }
  @container head (min-width: 48.01rem) {
    .place.header {
      min-height: 5.4375rem;
    }
  }
  .place:is(.chart, .trades) {
    height: var(--desk-chart-height, var(--_height));
  }
  .place.trades {
    height: var(--_height);
  }
  .place .chips {
    min-height: var(--_target);
  }
  .place.ticket-place {
    min-height: 31.9375rem;
  }
  @container desk (max-width: 23rem) {
    .place.ticket-place {
      min-height: 32.6875rem;
    }
  }
  .opening {
    display: grid;
    justify-items: start;
    gap: 0.75rem;
    max-width: 34rem;
    margin-inline: auto;
    padding: 2.5rem 1rem;
  }
  @container desk (min-width: 51rem) {
    .desk {
      grid-template-columns: minmax(0, 1fr) 22.5rem;
      grid-template-rows: auto auto auto 1fr;
      grid-template-areas: "world world" "head side" "market side" "below side";
      align-items: start;
    }
    .market {
      display: grid;
      grid-area: market;
      grid-template-areas: "chart" "trades";
      gap: var(--_gap);
      min-width: 0;
    }
    .place.ticket-place {
      min-height: 46.5rem;
    }
    .stay {
      position: sticky;
      inset-block-start: var(--_gap);
    }
    .market .chart {
      --_height: 31rem;
    }
  }
  @container desk (min-width: 68rem) {
    .market {
      grid-template-columns: minmax(0, 1fr) 19rem;
      grid-template-areas: "chart trades";
    }
    .market .trades {
      --_height: var(--desk-chart-height, 31rem);
    }
  }
`;
