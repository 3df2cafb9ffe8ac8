// The closed positions, each with a picture of it to save. The page itself draws it.

import { type TemplateResult, css, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import { download } from "../download.js";
import { figure, short, sol, solChange, span } from "../figures.js";
import { loadLater } from "../later/load.js";
import { messages } from "../messages.js";
import { type Closed, closedOf } from "./closed.js";

const say = messages.closed;

/** How many are listed. */
const MOST = 5;

/** How many times its cost it brought, rounded down: `1.25×`. */
function multipleOf({ spent, profit }: Closed): string {
  const hundredths = ((spent + profit) * 100n) / spent;
  return hundredths < 0n ? "0.00×" : `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}×`;
}

export function closedView(desk: Desk): TemplateResult | typeof nothing {
  const all = closedOf(desk);
  if (!all.length) return nothing;
  return html`
    <section class="closed" aria-labelledby="closed-title">
      <h3 id="closed-title">${say.title}</h3>
      ${desk.shown.isPictureMissing ? html`<p class="problem">${say.noPicture}</p>` : nothing}
      <ul>${all.slice(0, MOST).map((closed) => row(desk, closed))}</ul>
    </section>
  `;
}

function row(desk: Desk, closed: Closed): TemplateResult {
  const { symbol, wallet, profit, heldMs, estimated } = closed;
  return html`<li>
    <span class="what"><strong>${symbol}</strong> <span class="small quiet">${desk.walletOf(wallet)?.label ?? short(wallet)} · ${say.held(span(heldMs))}</span></span>
    <span class="gain"><span class=${profit < 0n ? "down" : "up"}>${estimated ? "≈ " : ""}${figure(solChange(profit), sol(profit))}</span> <span class="small quiet">${multipleOf(closed)}</span></span>
    <button type="button" class="button" aria-label=${say.saveOf(symbol, solChange(profit))} @click=${() => saveCard(desk, closed)}>${say.save}</button>
  </li>`;
}

/** The file that draws it comes once it is asked for. */
async function saveCard({ shown, speech }: Desk, closed: Closed): Promise<void> {
  const { symbol, profit, heldMs, simulated, estimated } = closed;
  const about = estimated ? "≈ " : "";
  const later = await loadLater().catch(() => undefined);
  const blob = await later?.drawCard({
    symbol,
    isLoss: profit < 0n,
    multiple: about + multipleOf(closed),
    gain: about + solChange(profit),
    held: `${say.heldFor(span(heldMs))} · ${messages.positions.fees}`,
    simulated: simulated ? messages.panel.simulated : "",
  });
  shown.set({ isPictureMissing: !blob });
  if (blob) download(blob, "image/png", "position", "png");
  else speech.alert(say.noPicture);
}

export const closedStyles = css`
  .closed {
    display: grid;
    gap: 0.25rem;
    padding: 0.5rem;
  }
  .closed li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.75rem;
    padding-block: 0.25rem;
  }
  .closed .what {
    flex: 1 1 8rem;
    overflow-wrap: anywhere;
  }
`;
