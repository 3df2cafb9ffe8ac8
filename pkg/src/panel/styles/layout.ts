import { css } from "lit";

export const layoutStyles = css`
  :host {
    container: desk / inline-size;
  }
  .desk {
    display: grid;
    gap: 16px;
    padding: 16px;
    grid-template-columns: minmax(0, 1fr);
    grid-template-areas: "head" "market" "side" "below";
  }
  .head {
    grid-area: head;
  }
  .market {
    grid-area: market;
    min-width: 0;
  }
  .side {
    grid-area: side;
    min-width: 0;
  }
  .below {
    grid-area: below;
    min-width: 0;
  }
  @container desk (min-width: 820px) {
    .desk {
      grid-template-columns: minmax(0, 1fr) 360px;
      grid-template-rows: auto auto 1fr;
      grid-template-areas: "head side" "market side" "below side";
    }
    .side > * {
      position: sticky;
      top: 16px;
    }
  }
`;
