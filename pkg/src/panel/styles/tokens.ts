import { css } from "lit";

/** The look, as custom properties that a page may set on the element. */
export const tokenStyles = css`
  :host {
    --_surface: var(--desk-surface, light-dark(#ffffff, #0b0f17));
    --_raised: var(--desk-raised, light-dark(#f3f5f9, #131a26));
    --_line: var(--desk-line, light-dark(#d3dae6, #253146));
    --_text: var(--desk-text, light-dark(#111827, #e8edf6));
    --_quiet: var(--desk-quiet, light-dark(#4b5668, #9aa7bc));
    --_accent: var(--desk-accent, light-dark(#3d4ff0, #8f9cff));
    --_on-accent: var(--desk-on-accent, light-dark(#ffffff, #0b0f17));
    --_buy: var(--desk-buy, light-dark(#00734f, #2fd6a0));
    --_sell: var(--desk-sell, light-dark(#b3261e, #ff8d7e));
    --_caution: var(--desk-caution, light-dark(#8a5300, #ffbf5c));
    --_danger: var(--desk-danger, light-dark(#a3161f, #ff7a80));
    --_radius: var(--desk-radius, 10px);
    display: block;
    color-scheme: light dark;
    color: var(--_text);
    background: var(--_surface);
    font: 400 14px/1.45 var(--desk-font, system-ui, sans-serif);
    font-variant-numeric: tabular-nums;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
`;
