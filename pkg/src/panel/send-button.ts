// The send button: it says what it would do, or what prevents that. Its colour follows the risk.

import { type TemplateResult, html } from "lit";
import { SIDES, type Side } from "../generated.js";
import type { Desk } from "./desk.js";
import { availableSol, tokens } from "./figures.js";
import { labelOf } from "./entry.js";
import { openOf } from "./machine.js";
import { messages } from "./messages.js";
import { mayAdd, stateOf } from "./attempt.js";
import { tradingOf } from "./order.js";
import type { OrderForm } from "./order-form.js";

const say = messages.send;

/**
 * The button of a form.
 *
 * @param what what it would do: "Buy 1 SOL"
 * @param acts `instead` is called if the order cannot be sent as it is, and moves the focus to what is missing; `send` sends it
 */
export function sendView(
  desk: Desk,
  form: OrderForm,
  what: string,
  { instead, send = () => void form.send() }: { instead: () => void; send?: () => void },
): TemplateResult {
  const { obstacle, risk } = form;
  const side = form.order ? SIDES[form.order.operation] : desk.entry.side;
  return html`<button
    type="button"
    class="send ${side} ${obstacle && obstacle !== "consent" ? "calm" : risk.level}"
    part="send"
    aria-disabled=${obstacle ? "true" : "false"}
    @click=${() => (form.obstacle ? instead() : send())}
    @keydown=${ignoreHeldEnter}
  >
    ${obstacleText(desk, form) ?? (desk.world.simulated ? say.simulated(what) : what)}
  </button>`;
}

/** Stops a trade before its request goes out, and after that the wait for its answer. It shows itself only once the wait is long. */
export const stopView = (stop: () => void): TemplateResult =>
  html`<button type="button" class="small stop" @click=${stop}>${say.stop}</button>`;

/** An Enter that is still held down from what moved the focus here sends nothing. */
export const ignoreHeldEnter = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === "Enter") event.preventDefault();
};

/** What the ticket would do. */
export function ticketAction({ entry, token }: Desk): string {
  const amount = entry.amount[entry.side].trim();
  if (entry.side === "buy") return say.buy(amount);
  return say.sell(amount.endsWith("%") ? amount : `${amount} ${token?.symbol ?? ""}`);
}

/** What the button says that repeats what was sent, or only prepares that. */
export const againOf = ({ mayRepeat }: OrderForm, side: Side): string =>
  mayRepeat ? messages.notice.repeat[side] : messages.notice.again;

/** What became of what was sent, and what can be done now. */
function spentAs({ attempts }: Desk, form: OrderForm): string {
  const sent = form.attemptId ? attempts.get(form.attemptId) : undefined;
  return sent
    ? say.spent(messages.outcome.states[stateOf(sent)], againOf(form, sent.side))
    : say.spent(messages.outcome.states.in_flight, messages.notice.again);
}

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
      return say.check(labelOf(form.problems[0]?.field ?? ""));
    case "locked":
      if (isLockedPart(form)) return say.lockedPart;
      return say.lockedBy[(form.lock && openOf(form.lock.fate)) ?? "unknown"];
    case "spent":
      return spentAs(desk, form);
    case "fails":
      return shortage(desk, form) ?? say.wouldFail;
    case "consent":
      return form.risk.level === "type" ? say.type(form.risk.toType ?? "") : say.tick;
    case undefined:
      return undefined;
    default:
      return form.obstacle satisfies never;
  }
}

/** Whether only a percentage of an uncertain balance is locked: an amount of tokens is not. */
export const isLockedPart = ({ lock, order }: OrderForm): boolean =>
  !!order && /percentage/i.test(order.operation) && !!lock && mayAdd(lock, tradingOf(order));

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
