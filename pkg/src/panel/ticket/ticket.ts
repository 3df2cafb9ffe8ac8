// The ticket: the form for a single trade. What is above its button has a fixed height.

import { lamportsToSol, readTypedAmount, typedText } from "launchpad-desk";
import { type TemplateResult, html, nothing } from "lit";
import { ref } from "lit/directives/ref.js";
import { consentView } from "../order/consent.js";
import { instantField, instantView } from "./instant.js";
import type { Desk, Entered } from "../desk.js";
import { PRESETS, type PresetOf } from "../choices.js";
import { fieldOf } from "../order/entry.js";
import { SLIPPAGES } from "../worlds/market-slippage.js";
import { SOL_DECIMALS, availableSol, percent, shortSol, shortTokens, sol } from "../figures.js";
import { messages } from "../messages.js";
import { options, valueOf } from "../options.js";
import { broughtLamports, quoteDetailsView, quoteView } from "../order/quote.js";
import { sight } from "./ticket-bar.js";
import { asShown, ignoreHeldEnter, keysInForm, sendView, ticketAction, ticketNext } from "../order/send-button.js";

const say = messages.ticket;
/** The fields that may be folded. */
const TERMS = new Set(["wallet", "slippage", "prioritySol", "feePayer"]);
const PRIORITIES = ["normal", "fast", "custom"] as const;

export function ticketView(desk: Desk): TemplateResult {
  const { entry, ticket, token } = desk;
  // After a send it is that of the next trade, which nobody may want: after a sale of everything it would fail.
  const hasQuote = !ticket.isSent || ticket.lock || (ticket.hasLanded && !ticket.quote?.refused);
  return html`
    <form class="card ticket ${entry.side}" part="ticket" novalidate @submit=${(event: Event) => event.preventDefault()} @keydown=${keysInForm}>
      <div class="sides" role="group" aria-label=${say.side}>
        ${(["buy", "sell"] as const).map(
          (side) =>
            html`<button type="button" class=${side} aria-pressed=${side === entry.side} @click=${() => desk.enter({ side })}>${say[side]}</button>`,
        )}
      </div>
      ${amountField(desk)}
      <div class="act">
        <div class="bar" part="bar" ${ref(sight(desk))}>
          <div class="well">${hasQuote ? quoteView(ticket, token) : nothing} ${consentView(desk, ticket, "ticket")}</div>
          ${sendView(desk, ticket, { what: ticketAction(desk), next: ticketNext(desk), instead: () => lead(desk), send: () => void ticket.send(), again: () => void ticket.repeat() })}
        </div>
      </div>
      ${quoteDetailsView(ticket, token, desk.world)} ${termsView(desk)}
    </form>
  `;
}

/** Wallet, slippage and priority: where there is little room, they are folded into one line that says what they are. */
function termsView(desk: Desk): TemplateResult {
  const { entry, shown } = desk;
  const line = say.terms.of(desk.nameOf(entry.wallet), entry.slippage, say.priorities[entry.priority]);
  return html`
    <button type="button" class="plain fold" aria-expanded=${shown.terms} aria-controls="terms" aria-label="${say.terms.title}: ${line}" @click=${() => shown.set({ terms: !shown.terms })}>
      <span>${line}</span> <span aria-hidden="true">${shown.terms ? "▴" : "▾"}</span>
    </button>
    <div class="terms ${shown.terms ? "open" : ""}" id="terms">${walletField(desk)} ${slippageField(desk)} ${priorityField(desk)} ${moreFields(desk)}</div>
  `;
}

/** The error of a field, if it is to be shown. */
function problemOf({ ticket, visited }: Desk, field: string): string {
  const found = visited.has(field) && ticket.problems.find((problem) => fieldOf(problem.field) === field);
  return found ? found.text : "";
}

type Part = TemplateResult | typeof nothing;

/** A text field with its label above, `more` ways to fill it, what it is `worth`, and one line for its error. */
interface TextField {
  field: keyof Entered & string;
  label: string;
  value: string;
  unit: string;
  more?: Part;
  aside?: string;
  worth?: string;
}

function textField(
  desk: Desk,
  { field, label, value, unit, more = nothing, aside = "", worth = "" }: TextField,
): TemplateResult {
  const why = field === "amount" && desk.shown.noMost && desk.entry.side === "buy" ? desk.whyNoMost : "";
  const problem = why ? `${say.most} ${why}.` : problemOf(desk, field);
  return html`
    <div class="field ${field}">
      <label for=${field}>${label}</label>
      ${aside ? html`<span class="aside">${aside}</span>` : nothing}
      <span class="control">
        <input
          id=${field}
          name=${field}
          inputmode="decimal"
          autocomplete="off"
          spellcheck="false"
          aria-invalid=${!!problem}
          aria-describedby="${field}-note${worth ? ` ${field}-worth` : ""}"
          .value=${value}
          ?readonly=${field === "amount" && desk.fixed.amount}
          @input=${(event: Event) => desk.enter({ [field]: valueOf(event) })}
          @blur=${() => desk.leave(field)}
        />
        <span class="unit">${unit}</span>
        ${worth ? html`<span class="unit" id="${field}-worth">${worth}</span>` : nothing}
      </span>
      ${more}
      <p class="note problem" id="${field}-note">${problem}</p>
    </div>
  `;
}

/** Buttons that set a field to one of several values. */
const chips = (
  { ticket }: Desk,
  label: string,
  { values, current, enter }: { values: readonly string[]; current: string; enter: (value: string) => void },
  more: Part = nothing,
): TemplateResult => html`
  <div class="chips" role="group" aria-label=${label}>
    ${values.map((value) => html`<button type="button" aria-pressed=${value === current} value=${value} @click=${(event: Event) => asShown(event, ticket, () => enter(value))} @keydown=${ignoreHeldEnter}>${value}</button>`)}${more}
  </div>
`;

function walletField(desk: Desk): TemplateResult {
  const { entry, world, wallet, token } = desk;
  const held =
    wallet &&
    [
      wallet.lamports === null ? "" : shortSol(wallet.lamports),
      token && wallet.tokens.has(token.mint) ? shortTokens(wallet.tokens.get(token.mint) ?? 0n, token) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  return html`
    <div class="field wallet">
      <label for="wallet">${say.wallet}</label>
      <span class="aside" id="wallet-note">${held ? say.holds(held) : ""}</span>
      <select class="control" id="wallet" name="wallet" aria-describedby="wallet-note" @change=${(event: Event) => desk.enter({ wallet: valueOf(event) })}>
        ${options(
          world.wallets().map(({ wallet: value, label }) => ({ value, label })),
          entry.wallet,
        )}
      </select>
    </div>
  `;
}

function amountField(desk: Desk): TemplateResult {
  const { entry, token } = desk;
  const buys = entry.side === "buy";
  const value = entry.amount[entry.side];
  const most = html`<button type="button" title=${say.mostTitle} @click=${() => enterMost(desk)}>${say.most}</button>`;
  const usual = desk.fixed.amount
    ? nothing
    : html`${chips(desk, say.amounts, { values: desk.choices.presets(entry.side), current: value, enter: (amount) => quick(desk, amount) }, buys ? most : nothing)}${instantView(desk)}`;
  const symbol = value.trim().endsWith("%") ? "" : (token?.symbol ?? "");
  const unit = buys ? "SOL" : symbol;
  return textField(desk, {
    field: "amount",
    label: buys ? say.spend : say.sellAmount,
    value,
    unit,
    more: usual,
    aside: available(desk),
    worth: worth(desk),
  });
}

/** About how many dollars a buy spends, or a sale brings by its quote. */
function worth({ entry, ticket: { quote }, dollars }: Desk): string {
  if (entry.side === "sell") return quote && !quote.refused ? dollars.of(broughtLamports(quote)) : "";
  const read = readTypedAmount(entry.amount.buy.trim(), SOL_DECIMALS);
  return read.state === "read" ? dollars.of(read.units) : "";
}

/** How much the wallet can spend or sell: as much as Max and 100 % enter. */
function available(desk: Desk): string {
  const { entry, wallet, token } = desk;
  if (!wallet) return "";
  const held = token && wallet.tokens.get(token.mint);
  if (entry.side === "sell") return token && held !== undefined ? say.has(wallet.label, shortTokens(held, token)) : "";
  if (wallet.lamports === null) return "";
  const most = desk.most(true);
  return most === null ? say.has(wallet.label, shortSol(wallet.lamports)) : say.canSpend(`${availableSol(most)} SOL`);
}

/** A preset amount: in instant mode its press is the order. */
const quick = (desk: Desk, amount: string): void => {
  if (desk.limit.instant) void desk.ticket.instant(() => desk.enter({ amount }));
  else desk.enter({ amount });
};

/** Enters the most that can be spent and leaves the wallet its rent minimum and the fee of selling again; or says why that cannot be. */
export function enterMost(desk: Desk): void {
  const most = desk.most(true);
  if (most !== null) return desk.enter({ amount: typedText(lamportsToSol(most)) });
  desk.shown.set({ noMost: true });
  desk.speech.alert(`${say.most} ${desk.whyNoMost}.`);
}

function slippageField(desk: Desk): TemplateResult {
  const {
    entry: { slippage },
    marketSlippage: fitting,
  } = desk;
  const usual = desk.choices.hasOwn("slippage") ? desk.choices.presets("slippage") : SLIPPAGES;
  const why =
    slippage === fitting.slippage && fitting.moved !== null ? say.fits(percent(Math.ceil(fitting.moved * 100))) : "";
  return textField(desk, {
    field: "slippage",
    label: say.slippage,
    value: slippage,
    unit: "%",
    more: chips(desk, say.slippages, {
      values: usual,
      current: slippage,
      enter: (slippage) => desk.enter({ slippage }),
    }),
    aside: why,
  });
}

function priorityField(desk: Desk): TemplateResult {
  const { entry } = desk;
  const lamports = entry.priorityLamports();
  return html`
    <div class="field priority" role="group" aria-labelledby="priority-label">
      <span class="label" id="priority-label">${say.priority}</span>
      <span class="aside">${lamports ? say.priorityCosts(sol(lamports)) : say.noPriority}</span>
      <div class="chips">
        ${PRIORITIES.map(
          (priority) =>
            html`<button type="button" aria-pressed=${priority === entry.priority} @click=${() => desk.enter({ priority })}>${say.priorities[priority]}</button>`,
        )}
      </div>
    </div>
    ${entry.priority === "custom" ? textField(desk, { field: "prioritySol", label: say.prioritySol, value: entry.prioritySol, unit: "SOL" }) : nothing}
  `;
}

function moreFields(desk: Desk): TemplateResult {
  const { entry, world } = desk;
  const payers = world.wallets().filter(({ wallet }) => wallet !== entry.wallet);
  return html`
    <details class="more">
      <summary>${say.more}</summary>
      <div class="field">
        <label for="feePayer">${say.feePayer}</label>
        <select class="control" id="feePayer" name="feePayer" @change=${(event: Event) => desk.enter({ feePayer: valueOf(event) })}>
          ${options([{ value: "", label: say.trader }, ...payers.map(({ wallet: value, label }) => ({ value, label }))], entry.feePayer)}
        </select>
      </div>
      ${desk.fixed.amount || !world.hasMarket ? nothing : instantField(desk)} ${PRESETS.map((of) => presetsField(desk, of))}
      <p class="small quiet">${say.presetsHint}</p>
    </details>
  `;
}

/** The values of the buttons beside a field, as one text. */
function presetsField(desk: Desk, of: PresetOf): TemplateResult {
  const { choices } = desk;
  const problem = choices.problem(of);
  return html`
    <div class="field">
      <label for="presets-${of}">${say.presets[of]}</label>
      <input class="control" id="presets-${of}" name="presets-${of}" autocomplete="off" spellcheck="false" aria-invalid=${!!problem} aria-describedby="presets-${of}-note" .value=${choices.text(of)} @change=${(event: Event) => setPresets(desk, of, valueOf(event))} />
      <p class="note problem" id="presets-${of}-note">${problem}</p>
    </div>
  `;
}

function setPresets(desk: Desk, of: PresetOf, text: string): void {
  desk.choices.type(of, text);
  desk.changed();
}

/** Moves the focus to what keeps the ticket from being sent. */
function lead(desk: Desk): void {
  const { ticket } = desk;
  const lock = ticket.lock;
  if (ticket.obstacle === "sending" || ticket.obstacle === "offline") return;
  if (lock) return desk.visit(lock.intentId);
  if (ticket.obstacle === "stopped") return desk.visitUnknown();
  for (const { field } of ticket.problems) desk.leave(fieldOf(field));
  const first = ticket.problems[0] && fieldOf(ticket.problems[0].field);
  if (first === "mint") return desk.focus(".header .others");
  const field = ticket.obstacle === "consent" ? "ticket-accept" : (first ?? "amount");
  // Its field may be folded away.
  if (TERMS.has(field)) desk.shown.set({ terms: true });
  desk.focus(`.ticket [name="${field}"]`);
}
