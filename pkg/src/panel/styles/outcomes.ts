// What was sent, and what unfolds in a form or is quoted there. Before the desk is there, nothing of it is shown.

import { css } from "lit";

export const outcomesStyles = css`
  .ticket .chips button {
    flex: 1 0 var(--_target);
    min-width: max-content;
    padding: 0 0.25rem;
  }
  /* Before what a trade brings is cut, the word beside it is. */
  .quote:has(.impact):not(:has(.longer)) {
    grid-template-columns: minmax(min-content, 1fr) minmax(min-content, max-content);
  }
  .impact span {
    display: flex;
    gap: 0.25rem;
    max-height: 1.25rem;
    overflow: hidden;
  }
  .impact .word {
    overflow-wrap: anywhere;
    white-space: normal;
  }
  :is(.ticket, .bundle, .outcomes) summary {
    min-height: var(--_target);
    color: var(--_quiet);
    font-size: var(--_12);
    line-height: var(--_target);
    cursor: pointer;
  }
  :is(.ticket, .bundle, .outcomes) dl {
    display: grid;
    gap: 0.25rem;
    font-size: var(--_12);
  }
  :is(.ticket, .bundle) dl > div {
    display: flex;
    justify-content: space-between;
    gap: 0.75rem;
  }
  :is(.ticket, .bundle, .outcomes) dt {
    color: var(--_quiet);
  }
  :is(.ticket, .bundle) dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  .details ul {
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
  }
  .attempt {
    gap: 0.25rem;
    padding: 0.75rem 0.875rem;
    border-inline-start: 3px solid var(--_edge);
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
  .attempt summary {
    margin-block-end: -0.5rem;
  }
  .attempt .state {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
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
  .stop {
    margin-inline-start: 0.5rem;
  }
  /* Most trades are attempts at once: then it would only flash here. */
  .consent .stop {
    animation: late 0.5s step-end;
  }
  @keyframes late {
    from {
      visibility: hidden;
    }
  }
  .settle [aria-pressed="true"] {
    border-color: var(--_accent);
  }
`;
