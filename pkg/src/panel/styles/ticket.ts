import { css } from "lit";

export const ticketStyles = css`
  .ticket {
    display: grid;
    gap: 12px;
    padding: 16px;
    background: var(--_raised);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .field {
    display: grid;
    gap: 4px;
  }
  .field label {
    color: var(--_quiet);
    font-size: 12px;
  }
  .field input,
  .field select,
  .ticket button {
    width: 100%;
    min-height: 44px;
    font: inherit;
    color: inherit;
    background: var(--_surface);
    border: 1px solid var(--_line);
    border-radius: 8px;
    padding: 0 12px;
  }
  .sides {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 8px;
  }
  .sides button[aria-pressed="true"] {
    border-color: currentColor;
    font-weight: 700;
  }
  .quote {
    height: 56px;
    overflow: hidden;
  }
  .quote strong {
    display: block;
    font-size: 20px;
  }
  .ticket .send {
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 700;
    border: 0;
  }
`;
