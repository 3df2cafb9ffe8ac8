// A token's icon, drawn from its mint: the same mint has the same icon everywhere, and no image is loaded.

import { svg, html } from "lit";
import type { TemplateResult } from "lit";

/** A generator of numbers below one, seeded by a text. */
function draws(text: string): () => number {
  let state = 2166136261;
  for (const character of text) state = Math.imul(state ^ character.charCodeAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507);
    state = Math.imul(state ^ (state >>> 13), 3266489909);
    return ((state ^= state >>> 16) >>> 0) / 2 ** 32;
  };
}

const icons = new Map<string, TemplateResult>();

function drawn(mint: string, symbol: string): TemplateResult {
  const draw = draws(mint);
  const hue = Math.floor(draw() * 360);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 70% ${light}%)`;
  const blobs = [60, 150].map((turn, index) => {
    const [x, y, size] = [4 + draw() * 32, 4 + draw() * 32, 11 + draw() * 8];
    return svg`<circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r=${size.toFixed(1)} fill=${colour(turn, 38 + index * 6)} fill-opacity="0.85"/>`;
  });
  return html`<svg class="token-icon" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
    <rect width="40" height="40" fill=${colour(0, 26)} />
    ${blobs}
    <text x="20" y="26.5" text-anchor="middle" font-size="19" font-weight="700" fill="#fff">${[...symbol][0] ?? ""}</text>
  </svg>`;
}

export function tokenIcon({ mint, symbol }: { mint: string; symbol: string }): TemplateResult {
  const there = icons.get(mint) ?? drawn(mint, symbol);
  icons.set(mint, there);
  return there;
}
