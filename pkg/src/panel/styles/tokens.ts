// The panel's look, in one place: every colour, size and distance is a --desk-… property that a page may set.

import { css } from "lit";

/**
 * Dark blue surfaces, one accent colour, and teal and coral for buy and sell, which differ in lightness too and always come with
 * a sign and a word. `theme` on the element sets light or dark; otherwise it follows the page's `color-scheme`.
 */
export const tokenStyles = css`
  :host {
    --_surface: var(--desk-surface, light-dark(#eef1f6, #080b12));
    --_raised: var(--desk-raised, light-dark(#ffffff, #0e131d));
    --_well: var(--desk-well, light-dark(#f5f7fb, #161d2a));
    --_line: var(--desk-line, light-dark(#d9dfe9, #222b3b));
    --_edge: var(--desk-edge, light-dark(#7b879a, #64718a));
    --_text: var(--desk-text, light-dark(#0d1421, #e8edf6));
    --_quiet: var(--desk-quiet, light-dark(#515c6f, #98a5bb));
    --_accent: var(--desk-accent, light-dark(#3a49d8, #8fa2ff));
    --_on-accent: var(--desk-on-accent, light-dark(#ffffff, #090d18));
    --_buy: var(--desk-buy, light-dark(#006b5a, #3fd8b4));
    --_sell: var(--desk-sell, light-dark(#b32b3e, #ff8c93));
    --_caution: var(--desk-caution, light-dark(#7d5000, #f2c14e));
    --_danger: var(--desk-danger, light-dark(#a81e2d, #ff7b85));
    --_buy-soft: color-mix(in srgb, var(--_buy) 13%, var(--_raised));
    --_sell-soft: color-mix(in srgb, var(--_sell) 13%, var(--_raised));
    --_caution-soft: color-mix(in srgb, var(--_caution) 13%, var(--_raised));
    --_accent-soft: color-mix(in srgb, var(--_accent) 13%, var(--_raised));

    --_font: var(--desk-font, "Inter", ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif);
    --_mono: var(--desk-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace);
    --_12: var(--desk-text-12, 0.75rem);
    --_14: var(--desk-text-14, 0.875rem);
    --_16: var(--desk-text-16, 1rem);
    --_20: var(--desk-text-20, 1.25rem);
    --_32: var(--desk-text-32, 2rem);

    --_gap: var(--desk-gap, 0.75rem);
    --_radius: var(--desk-radius, 0.625rem);
    --_target: max(2.75rem, 44px);

    display: block;
    container: desk / inline-size;
    color: var(--_text);
    background: var(--_surface);
    font: 400 var(--_14) / 1.45 var(--_font);
    letter-spacing: normal;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    white-space: normal;
    word-spacing: normal;
    font-variant-numeric: tabular-nums;
    font-feature-settings: "tnum", "cv05", "ss03";
    accent-color: var(--_accent);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }
  /* A finger is not exact. Without one, where there is room for tables, they have more rows. */
  @media not (pointer: coarse) {
    @container below (min-width: 39.01rem) {
      .tabs {
        --_target: 2.25rem;
      }
    }
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  @media (prefers-contrast: more) {
    :host {
      --_line: var(--_edge);
      --_edge: var(--_text);
      --_quiet: var(--_text);
    }
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  dl,
  dd,
  ol,
  ul,
  fieldset,
  figure {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  ol,
  ul {
    list-style: none;
  }
  h2,
  h3 {
    font-size: var(--_14);
    font-weight: 600;
  }
  button,
  input,
  select,
  textarea {
    color: inherit;
    font: inherit;
    font-variant-numeric: inherit;
    letter-spacing: inherit;
  }
  button {
    min-height: var(--_target);
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.8);
    background: none;
    cursor: pointer;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }

  /* The ring is outside of what it rings, and double: it stands out on every surface. */
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .card {
    display: grid;
    gap: var(--_gap);
    align-content: start;
    min-width: 0;
    padding: 0.875rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_raised);
  }
  .quiet {
    color: var(--_quiet);
  }
  .small {
    font-size: var(--_12);
  }
  .mono {
    font-family: var(--_mono);
    overflow-wrap: anywhere;
  }
  .up {
    color: var(--_buy);
  }
  .down {
    color: var(--_sell);
  }
  /* It is as wide as what it belongs to, and makes that no wider. */
  .gauge {
    display: block;
    width: 0;
    min-width: 100%;
    height: 0.375rem;
    border-radius: 1rem;
    background: var(--_line);
    fill: currentColor;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    padding: 0.0625rem 0.5rem;
    border: 1px solid currentColor;
    border-radius: 1rem;
    color: var(--_caution);
    font-size: var(--_12);
    font-weight: 600;
    white-space: nowrap;
  }

  /* For eyes that do not see it, only. */
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.375rem;
    min-width: var(--_target);
    padding: 0.25rem 0.875rem;
    border-color: var(--_line);
    background: var(--_well);
    font-weight: 500;
  }
  .button:hover {
    border-color: var(--_edge);
  }
  .button:disabled {
    color: var(--_quiet);
    cursor: not-allowed;
  }

  :is(.row-of-buttons, .chips, .alerts, .ask, .settle) {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.5rem;
  }
  :is(.symbol, .name, .aside, .names, .headline, .fails, .least, .reach .button) {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .field {
    display: grid;
    gap: 0.25rem;
    min-width: 0;
  }
  .field > label,
  .field > .label {
    color: var(--_quiet);
    font-size: var(--_12);
    font-weight: 500;
  }
  /* What belongs to a field, at the other end of the line of its label. */
  .field:has(> .aside) {
    grid-template-columns: auto minmax(0, 1fr);
  }
  .field > :not(label, .label, .aside) {
    grid-column: 1 / -1;
  }
  .aside {
    color: var(--_quiet);
    font-size: var(--_12);
    text-align: end;
  }
  .control {
    width: 100%;
    min-width: 0;
    min-height: var(--_target);
    padding: 0 0.75rem;
    border: 1px solid var(--_edge);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_raised);
    font-size: var(--_16);
  }
  .control[aria-invalid="true"] {
    border-color: var(--_danger);
  }
  @media (forced-colors: none) {
    select.control {
      padding-inline-end: 2rem;
      appearance: none;
      background:
        linear-gradient(45deg, transparent 50%, var(--_quiet) 50%) calc(100% - 1.125rem) 52% / 0.3125rem 0.3125rem no-repeat,
        linear-gradient(135deg, var(--_quiet) 50%, transparent 50%) calc(100% - 0.8125rem) 52% / 0.3125rem 0.3125rem no-repeat,
        var(--_raised);
      text-overflow: ellipsis;
      cursor: pointer;
    }
  }
  .check {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-height: var(--_target);
    cursor: pointer;
  }
  [type="checkbox"] {
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
    margin: 0;
  }
  .problem {
    color: var(--_danger);
    font-size: var(--_12);
  }

  /* Its exact value, while it has the focus. */
  .figure {
    position: relative;
    border-radius: 0.25rem;
  }
  .figure:focus-visible::after {
    content: attr(value);
    position: absolute;
    z-index: 5;
    inset-block-start: calc(100% + 0.375rem);
    inset-inline-start: 0;
    width: max-content;
    max-width: 18rem;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--_edge);
    border-radius: 0.375rem;
    background: var(--_well);
    color: var(--_text);
    font-size: var(--_12);
    font-weight: 400;
    letter-spacing: 0;
    overflow-wrap: anywhere;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
  @media (forced-colors: active) {
    :is([aria-pressed="true"], [aria-selected="true"], [aria-current="true"]) {
      border: 2px solid Highlight !important;
    }
    .control:is([aria-invalid="true"], :has([aria-invalid="true"])) {
      border: 2px dashed !important;
    }
    .badge {
      border-color: CanvasText;
    }
    .gauge {
      border: 1px solid CanvasText;
    }
  }
`;
