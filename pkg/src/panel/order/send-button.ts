// The send button: it says what it would do, or what prevents that. Its colour follows the risk.

import { lamportsToSol } from "launchpad-desk";
import { type TemplateResult, html } from "lit";
import { SIDES } from "../../generated.js";
import type { Desk } from "../desk.js";
import { availableSol, tokens } from "../figures.js";
import { labelOf } from "./entry.js";
import { openOf } from "../attempts/machine.js";
import { messages } from "../messages.js";
import { mayAdd } from "../attempts/attempt.js";
import { tradingOf } from "./order.js";
import { broughtBy } from "./quote.js";
import type { OrderForm } from "./order-form.js";

const say = messages.send;

/** What the button of a form says, and what a press does. */
export interface Press {
  /** What it would do: "Buy 1 SOL". */
  readonly what: string;
  /** What comes after a send. */
  readonly next: string;
  /** If the order cannot be sent as it is: moves the focus to what is missing. */
  instead(): void;
  send(): void;
  /** Sends or prepares what comes after a send. */
  again(): void;
}

export function sendView(desk: Desk, form: OrderForm, { what, next, instead, send, again }: Press): TemplateResult {
  const { risk } = form;
  const isSpent = form.obstacle === "spent";
  const press = (): void => {
    if (isSpent) again();
    else if (form.obstacle) instead();
    else send();
  };
  const obstacle = isSpent ? undefined : form.obstacle;
  const label = isSpent ? next : (obstacleText(desk, form) ?? simulated(desk, what));
  const side = form.order ? SIDES[form.order.operation] : desk.entry.side;
  return html`<button
    type="button"
    class="send ${side} ${(obstacle && obstacle !== "consent") || (isSpent && !form.mayRepeat) ? "calm" : risk.level}"
    part="send"
    value=${label}
    aria-disabled=${!!obstacle}
    @click=${(event: Event) => asShown(event, form, press)}
    @keydown=${ignoreHeldEnter}
  >
    ${label}
  </button>`;
}

/** Acts on the press of a button that still shows its `value`. What translates a page puts words there that stay when the order changes. */
export function asShown(event: Event, form: OrderForm, act: () => void): void {
  const { value, textContent } = event.currentTarget as HTMLButtonElement;
  if (textContent?.trim() === value) act();
  else form.refuse(say.rewritten);
}

/** Stops a trade before its request goes out, and after that the wait for its answer. It shows itself only once the wait is long. */
export const stopView = (stop: () => void): TemplateResult =>
  html`<button type="button" class="small stop" @click=${stop}>${say.stop}</button>`;

/** An Enter that is still held down from what moved the focus here sends nothing. */
export const ignoreHeldEnter = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === "Enter") event.preventDefault();
};

/** Enter in a field sends nothing. With Ctrl or Cmd it presses the button, but never skips the consent. */
export function keysInForm(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  // Held down, it would accept a quote that has just come.
  if (event.repeat || (!event.ctrlKey && !event.metaKey)) return;
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(".send")?.click();
}

export function ticketAction({ token, ticket: { order } }: Desk): string {
  switch (order?.operation) {
    case "buy":
      return say.buy(lamportsToSol(order.request.amountInLamports));
    case "sell":
      return say.sell(`${order.request.amountInToken} ${token?.symbol ?? ""}`);
    case "sellByPercentage":
      return say.sell(`${order.request.percentage} %`);
    default:
      return "";
  }
}

/** What comes after a send: the same once more, with what that brings at the price of now; or only its preparation. */
export function ticketNext(desk: Desk): string {
  const { token, ticket, entry } = desk;
  if (!ticket.mayRepeat || !ticket.quote || !token) return messages.notice.again;
  return simulated(
    desk,
    `${messages.notice.repeat[entry.side]} ${messages.quote.about(broughtBy(ticket.quote, token).brief)}`,
  );
}

const simulated = ({ world }: Desk, what: string): string => (world.simulated ? say.simulated(what) : what);

function obstacleText(desk: Desk, form: OrderForm): string | undefined {
  switch (form.obstacle) {
    case "sending":
      return say.sending;
    case "offline":
      return say.offline;
    case "stopped":
      return say.stopped;
    case "empty":
      return say.amountMissing;
    case "problems":
      return say.check(form.problems[0]?.label ?? labelOf(form.problems[0]?.field ?? ""));
    case "locked":
      if (isLockedPart(form)) return say.lockedPart;
      return say.lockedBy[(form.lock && openOf(form.lock.fate)) ?? "unknown"];
    case "fails":
      return shortage(desk, form) ?? say.wouldFail;
    case "consent":
      return form.risk.level === "type" ? say.type(form.risk.toType ?? "") : say.tick;
    case "spent":
    case undefined:
      return undefined;
    default:
      return form.obstacle satisfies never;
  }
}

/** Whether only a percentage of an uncertain balance is locked: an amount of tokens is not. */
export const isLockedPart = ({ lock, order, isPart }: OrderForm): boolean =>
  isPart && !!order && !!lock && mayAdd(lock, tradingOf(order));

const SHORT_OF_SOL = ["insufficient_lamports", "insufficient_lamports_for_rent", "below_rent_minimum"];
const SHORT_OF_TOKENS = ["not_enough_tokens_held", "token_account_not_open"];

/** Says that a single trade needs more than there is, and how much there is. */
function shortage(desk: Desk, { quote, order }: OrderForm): string | undefined {
  const code = quote?.refused?.code ?? "";
  if (!order || !("fromWallet" in order.request)) return undefined;
  if (SHORT_OF_SOL.includes(code) && order.operation === "buy") {
    const most = desk.most(false);
    return most === null ? say.noSol : say.tooLittleSol(availableSol(most));
  }
  const { token, wallet } = desk;
  if (code === "token_account_frozen" && token) return say.frozen(token.symbol);
  if (SHORT_OF_TOKENS.includes(code) && token && wallet)
    return say.tooFewTokens(token.symbol, tokens(wallet.tokens.get(token.mint) ?? 0n, token).replace(/ .*$/, ""));
  return undefined;
}
