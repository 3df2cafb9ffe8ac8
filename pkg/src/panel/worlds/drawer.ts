// The sandbox's drawer: faults, the speed of time, funds, and starting over.

import { type TemplateResult, css, html, nothing } from "lit";
import { isOpen } from "../attempts/attempt.js";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import { options, valueOf } from "../options.js";
import { FAULTS, SPEEDS, SimulatedWorld } from "./simulated.js";

const say = messages.drawer;

/** What one press of "fund" adds: 10 SOL. */
const FUNDS = 10_000_000_000n;
/** How much of the market's time one press lets pass: a minute. */
const AT_ONCE_MS = 60_000;
/** That "start over" waits for an answer. */
const OVER = "start over";

/** The badge that says which kind of world this is; in a simulated one it opens the drawer. */
export function badgeView(desk: Desk): TemplateResult {
  const { shown, world } = desk;
  const badge = html`<span class="badge ${world.simulated ? "" : "live"}" part="badge">${world.simulated ? messages.panel.simulated : messages.panel.live}</span>`;
  if (!(world instanceof SimulatedWorld)) return badge;
  return html`
    ${badge}
    <button type="button" class="plain" aria-expanded=${shown.drawer} aria-controls="drawer" @click=${() => shown.set({ drawer: !shown.drawer, asks: "" })}>
      ${say.title(world.keptAs ?? undefined)} <span aria-hidden="true">${shown.drawer ? "▴" : "▾"}</span>
    </button>
  `;
}

export function drawerView(desk: Desk): TemplateResult {
  const { shown, world } = desk;
  if (!(world instanceof SimulatedWorld)) return html``;
  return html`<section id="drawer" class="card drawer" part="drawer" ?hidden=${!shown.drawer} aria-labelledby="drawer-title">${shown.drawer ? controls(desk, world) : nothing}</section>`;
}

function controls(desk: Desk, world: SimulatedWorld): TemplateResult {
  const { shown } = desk;
  const { fault, once, speed } = world.settings;
  const wallet = desk.walletOf(desk.entry.wallet);
  const changed = (work: () => unknown) => async (): Promise<void> => {
    await work();
    shown.set({});
  };
  return html`
    <h2 id="drawer-title">${say.heading}</h2>
    <div class="settings">
      <div>
        <div class="field">
        <label for="fault">${say.fault}</label>
        <select id="fault" class="control" @change=${(event: Event) => changed(() => world.setFault(valueOf(event), once))()}>
          ${options(
            Object.keys(FAULTS).map((value) => ({ value, label: say.faults[value as keyof typeof say.faults] })),
            fault,
          )}
        </select>
        </div>
        <label class="check"><input type="checkbox" .checked=${once} @change=${(event: Event) => changed(() => world.setFault(fault, (event.target as HTMLInputElement).checked))()} /> ${say.once}</label>
      </div>
      <div class="field" role="group" aria-labelledby="speed">
        <span class="label" id="speed">${say.speed}</span>
        <div class="switch">
          ${SPEEDS.map((each) => html`<button type="button" aria-pressed=${each === speed} @click=${changed(() => world.setSpeed(each))}>${say.speeds(each)}</button>`)}
        </div>
        <button type="button" class="button" @click=${changed(() => world.advance(AT_ONCE_MS))}>${say.now}</button>
      </div>
      <div class="field everything" role="group" aria-labelledby="this-sandbox">
        <span class="label" id="this-sandbox">${say.everything}</span>
        <div class="row-of-buttons">
          <button type="button" class="button" ?disabled=${!wallet || isAtWork(desk, wallet.wallet)} @click=${changed(() => wallet && world.fund(wallet.wallet, FUNDS))}>${say.fund(wallet?.label ?? "")}</button>
          ${
            shown.asks === OVER
              ? html`<div class="ask" role="group" aria-label=${say.sure}>
                <p>${say.sure}</p>
                <button type="button" class="button danger" @click=${() => startOver(desk, world)}>${say.yes}</button>
                <button type="button" class="button" @click=${() => shown.set({ asks: "" })}>${say.no}</button>
              </div>`
              : html`<button type="button" class="button" @click=${() => shown.set({ asks: OVER })}>${say.startOver}</button>`
          }
        </div>
      </div>
    </div>
    ${world.keptAs === null ? nothing : html`<p class="small quiet">${world.keptAs ? say.kept(world.keptAs) : say.notKept}</p>`}
  `;
}

/** Whether a trade of the wallet is open: lamports added meanwhile would count as the trade's. */
const isAtWork = ({ attempts }: Desk, wallet: string): boolean =>
  attempts.all.some((attempt) => isOpen(attempt) && attempt.wallets.includes(wallet));

async function startOver(desk: Desk, world: SimulatedWorld): Promise<void> {
  desk.shown.set({ asks: "" });
  await world.startOver();
}

export const drawerStyles = css`
  .settings {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(13.5rem, 100%), 1fr));
    gap: 0.75rem 1.25rem;
    align-items: start;
  }
  .settings .switch {
    justify-self: start;
  }
  .settings .everything {
    grid-column: 1 / -1;
  }
  .button.danger {
    border-color: var(--_danger);
    color: var(--_danger);
    font-weight: 600;
  }
  .badge.live {
    color: var(--_buy);
  }
`;
