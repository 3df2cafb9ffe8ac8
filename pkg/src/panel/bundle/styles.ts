import { css } from "lit";

export const bundleStyles = css`
  .bundle {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  .bundle :is(.tools, .terms) {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.5rem;
  }
  .bundle :is(.tools, .terms) .field {
    flex: 1 1 9rem;
  }
  .bundle .tools .field {
    max-width: 16rem;
  }
  .bundle .tools .problem {
    flex-basis: 100%;
  }
  .bundle .paste[open] {
    display: grid;
    gap: 0.5rem;
  }
  .bundle textarea {
    padding: 0.5rem 0.75rem;
    resize: vertical;
  }
  .bundle .pasted-problems {
    display: grid;
    justify-items: start;
    gap: 0.5rem;
    padding: 0.625rem;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_caution-soft);
  }
  .bundle .scroll {
    max-height: 20rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
  }
  .legs {
    table-layout: fixed;
  }
  .legs .of-wallet {
    width: 28%;
  }
  .legs .of-amount {
    width: 20%;
  }
  .legs .of-slippage {
    width: 7rem;
  }
  .legs .of-weight {
    width: 5rem;
  }
  .legs .of-removal {
    width: 4rem;
  }
  .legs .leg td {
    padding: 0.25rem;
  }
  .legs .control {
    padding: 0 0.5rem;
    font-size: var(--_14);
  }
  .legs .result {
    overflow-wrap: anywhere;
  }
  .bundle .parts {
    color: var(--_caution);
  }
  .legs .gone .button {
    width: var(--_target);
    padding: 0;
  }
  .bundle-foot {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem 1.5rem;
  }
  .bundle .terms > :not(.field),
  .bundle .row-of-buttons .paste[open],
  .bundle .row-of-buttons .pasted-problems {
    flex-basis: 100%;
  }
  .bundle .send {
    font-size: var(--_14);
  }
  .bundle-act .notice {
    display: flex;
    align-items: safe center;
    gap: 0.5rem;
    height: var(--_notice);
    overflow: auto;
    padding: 0.125rem 0.375rem;
    border-radius: calc(var(--_radius) * 0.6);
    font-size: var(--_12);
  }
  .bundle-act .notice:only-child {
    height: 100%;
  }
  /* Beside a line that says there is no quote, an outcome has the room of one. */
  .bundle-act .quote:has(.none) {
    height: auto;
  }
  .bundle-act .quote:has(.none) + .notice {
    height: auto;
    min-height: var(--_notice);
    max-height: 5.75rem;
  }
  .bundle-act .notice p {
    flex: 1;
  }
  /* The line above the quote has room of its own. */
  .bundle-act .well:has(> .small) {
    --_taken: -1.3125rem;
  }
  @container below (min-width: 44rem) {
    .bundle-foot {
      grid-template-columns: minmax(0, 1fr) minmax(0, 22rem);
      align-items: start;
    }
  }
  @container below (max-width: 23rem) {
    .bundle .quote .headline {
      font-size: var(--_16);
    }
    .bundle .quote .headline.long {
      font-size: var(--_14);
    }
  }
  @container below (max-width: 35rem) {
    .bundle .scroll {
      max-height: 26rem;
    }
    .legs .leg {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) calc(var(--_target) + 0.5rem);
      align-items: end;
      gap: 0 0.25rem;
      padding-inline: 0.25rem;
    }
    .legs .leg .wide:first-child,
    .legs .leg .weight {
      grid-column: 1 / 3;
    }
    .legs .leg .gone {
      grid-area: 1 / 3;
    }
    .legs .leg > :nth-last-child(3) {
      grid-column-end: span 2;
    }
    .legs .leg .result {
      grid-column: 1 / -1;
    }
    .legs .leg .result:empty {
      display: none;
    }
    .legs tfoot {
      position: sticky;
      z-index: 1;
      inset-block-end: 0;
      background: var(--_raised);
    }
    .legs tfoot tr {
      padding: 0.25rem;
      border-block: 1px solid var(--_edge) 0;
    }
    .legs tfoot th,
    .legs tfoot td {
      position: static;
      border: 0;
    }
    .legs tfoot th {
      grid-column: 1 / -1;
      width: auto;
    }
    .bundle .tools .field {
      flex-basis: 100%;
      max-width: none;
    }
    .bundle .tools .button {
      flex: 1 1 auto;
      padding-inline: 0.5rem;
    }
  }
`;
