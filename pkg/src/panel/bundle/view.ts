// The bundle: a compact table with a line for each wallet, tools that fill it, its quote and its button.

import { type TemplateResult, html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { stateOf, hasLanded } from "../attempts/attempt.js";
import { consentView } from "../order/consent.js";
import type { Desk } from "../desk.js";
import { costOfPriority } from "../order/entry.js";
import { figure, shortSol, shortTokens, sol, tokens } from "../figures.js";
import { messages } from "../messages.js";
import { options, valueOf } from "../options.js";
import { type Quoted, broughtBy, quoteDetailsView, quoteView, sums } from "../order/quote.js";
import { keysInForm, sendView } from "../order/send-button.js";
import { lineOf } from "../attempts/sentences.js";
import { MODES, type Row, type RowField, type BundleForm } from "./form.js";
import { pasteView, toolsView } from "./tools.js";

const say = messages.bundle;

export function bundleView(desk: Desk): TemplateResult {
  const { bundle, token } = desk;
  const { form, parts, progress } = bundle;
  const hasAfter = form.isSent && bundle.hasRest;
  return html`
    <form class="bundle ${bundle.mode === "buy" ? "buy" : "sell"}" part="bundle" novalidate @submit=${(event: Event) => event.preventDefault()} @keydown=${keysInForm} @paste=${(event: ClipboardEvent) => pasted(event, bundle)}>
      <div class="row-of-buttons">
        <div class="switch" role="group" aria-label=${say.mode}>
          ${MODES.map((mode) => html`<button type="button" aria-pressed=${mode === bundle.mode} @click=${() => bundle.setMode(mode)}>${say.modes[mode]}</button>`)}
        </div>
        <span class="small quiet">${say.atomic(parts.length)}</span>
      </div>
      ${toolsView(desk)} ${tableView(desk)}
      <div class="row-of-buttons">
        <button type="button" class="button add" ?disabled=${!bundle.free} @click=${() => addRow(desk)}>${say.add}</button>
        <button type="button" class="button" ?disabled=${!bundle.free} @click=${() => bundle.addAll()}>${say.addAll}</button>
        ${bundle.free ? nothing : html`<span class="small quiet">${say.noneFree}</span>`} ${pasteView(desk)}
      </div>
      <div class="bundle-foot">
        <div class="terms">
          ${field("bundle-slippage", say.commonSlippage, html`<input class="control" id="bundle-slippage" name="bundle-slippage" inputmode="decimal" autocomplete="off" .value=${bundle.slippage} @input=${(event: Event) => bundle.enter({ slippage: valueOf(event) })} />`)}
          ${field(
            "bundle-payer",
            say.feePayer,
            html`<select class="control" id="bundle-payer" name="bundle-payer" aria-invalid=${!!bundle.payerProblem && bundle.rows.length > 0} .value=${live(bundle.feePayer)} @change=${(event: Event) => bundle.enter({ feePayer: valueOf(event) })}>
              ${walletOptions(desk, bundle.feePayer)}
            </select>`,
          )}
          <p class="small quiet">${priorityText(desk)}</p>
          ${parts.length > 1 ? html`<p class="small parts">${say.parts(parts.map((rows) => rows.map((row) => desk.nameOf(row.wallet)).join(", ")))}</p>` : nothing}
          ${
            bundle.leansOnTable
              ? html`<label class="check small"><input type="checkbox" name="bundle-plain" .checked=${bundle.plain} @change=${(event: Event) => bundle.enter({ plain: (event.target as HTMLInputElement).checked })} /> <span>${say.plain}</span></label>`
              : nothing
          }
          ${quoteDetailsView(quoted(bundle), token, desk.world)}
        </div>
        <div class="bundle-act">
          <div class="well">
            ${hasAfter ? nothing : html`${parts.length > 1 ? html`<p class="small quiet">${say.stops}</p>` : nothing}${quoteView(quoted(bundle), token)}`}
            ${progress && progress.of > 1 ? progressView(bundle, progress) : hasAfter || (form.isSent && !form.lock) ? afterView(desk) : consentView(desk, form, "bundle", quoted(bundle).quote)}
          </div>
          ${sendView(desk, form, { what: actionOf(bundle), next: nextOf(bundle), instead: () => lead(desk), send: () => void bundle.send(), again: () => void (progress ?? bundle.again()) })}
        </div>
      </div>
    </form>
  `;
}

/** How far the transactions of one press are. */
const progressView = (
  bundle: BundleForm,
  { at, of }: { readonly at: number; readonly of: number },
): TemplateResult => html`
  <div class="notice" part="notice">
    <p role="status">${say.progress(at, of)}</p>
    ${at < of ? html`<button type="button" class="small halt" @click=${() => bundle.halt()}>${say.halt}</button>` : nothing}
  </div>
`;

/** The quote of all that one press sends. */
const quoted = ({ form: { order, problems, empty, attemptId, quote }, parts, whole }: BundleForm): Quoted => ({
  ...{ order, problems, empty, attemptId },
  quote: parts.length > 1 ? whole : quote,
});

/** What the ticket's priority costs here, where there is something to send. */
function priorityText({ entry, bundle }: Desk): string {
  const trades = bundle.parts[0]?.length ?? 0;
  const cost = costOfPriority(entry.priorityLamports(), trades);
  return say.priority(
    messages.ticket.priorities[entry.priority],
    cost ? say.priorityCosts(sol(cost), trades) : messages.ticket.noPriority,
  );
}

const field = (id: string, label: string, control: TemplateResult): TemplateResult =>
  html`<div class="field"><label for=${id}>${label}</label>${control}</div>`;

/** Each row has all wallets: they are rendered again only if one of them, or the choice, is another. */
function walletOptions({ world }: Desk, picked: string): unknown {
  const wallets = world.wallets().map(({ wallet: value, label }) => ({ value, label }));
  const isListed = wallets.some(({ value }) => value === picked);
  const all = isListed ? wallets : [{ value: picked, label: picked || say.noWallet }, ...wallets];
  return guard([picked, ...all.map(({ value, label }) => `${value} ${label}`)], () => options(all, picked));
}

function tableView(desk: Desk): TemplateResult {
  const { bundle } = desk;
  if (!bundle.rows.length) return html`<p class="nothing">${say.empty}</p>`;
  return html`
    <div class="scroll" role="region" tabindex="0" aria-label=${say.title}>
      <table class="sheet legs">
        <thead>
          <tr>
            <th scope="col" class="of-wallet">${say.wallet}</th>
            ${bundle.weighs ? html`<th scope="col" class="of-weight">${say.weight}</th>` : nothing}
            <th scope="col" class="of-amount">${say.units[bundle.mode](desk.token?.symbol ?? "")}</th>
            <th scope="col" class="of-slippage">${say.slippage}, %</th>
            <th scope="col">${say.result}</th>
            <th scope="col" class="of-removal"><span class="spoken">${say.remove}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            bundle.rows,
            ({ id }) => id,
            (row) => rowView(desk, row),
          )}
        </tbody>
        ${totalsView(desk)}
      </table>
    </div>
  `;
}

function rowView(desk: Desk, row: Row): TemplateResult {
  const { bundle } = desk;
  const name = bundle.nameOf(row);
  const shows = (of: RowField) => (row.visited.has(of) ? bundle.problemOf(row, of) : "");
  const problem = shows("wallet") || shows("weight") || shows("amount") || shows("slippage");
  const note = `row-${row.id}-note`;
  const input = (of: "weight" | "amount" | "slippage", placeholder: string) => html`<input
    class="control"
    id="row-${row.id}-${of}"
    name="row-${row.id}-${of}"
    aria-label=${say.fieldOf[of](name)}
    aria-invalid=${!!shows(of)}
    aria-describedby=${note}
    inputmode="decimal"
    autocomplete="off"
    spellcheck="false"
    placeholder=${placeholder}
    ?readonly=${bundle.isBusy}
    .value=${row[of]}
    @input=${(event: Event) => bundle.edit(row, { [of]: valueOf(event) })}
    @blur=${() => bundle.visit(row, of)}
  />`;
  return html`
    <tr class="leg">
      <td class="wide">
        <select
          class="control"
          id="row-${row.id}-wallet"
          name="row-${row.id}-wallet"
          aria-label=${say.fieldOf.wallet(say.row(bundle.rows.indexOf(row) + 1))}
          aria-invalid=${!!shows("wallet")}
          aria-describedby=${note}
          .value=${live(row.wallet)}
          @change=${(event: Event) => bundle.edit(row, { wallet: valueOf(event) })}
        >
          ${walletOptions(desk, row.wallet)}
        </select>
      </td>
      ${bundle.weighs ? html`<td class="weight" data-name=${say.weight}>${input("weight", "1")}</td>` : nothing}
      <td data-name=${say.units[bundle.mode](desk.token?.symbol ?? "")}>${input("amount", "0")}</td>
      <td data-name="${say.slippage}, %">${input("slippage", bundle.slippage)}</td>
      <td class="wide result" id=${note}>${problem ? html`<span class="problem">${problem}</span>` : resultView(desk, row)}</td>
      <td class="gone"><button type="button" class="button" aria-label=${say.removeOf(name)} ?disabled=${bundle.isBusy} @click=${() => removeRow(desk, row)}>×</button></td>
    </tr>
  `;
}

function resultView(desk: Desk, row: Row): TemplateResult | typeof nothing {
  const { bundle, token } = desk;
  const attempt = bundle.attemptOf(row);
  const repeats = bundle.repeats(row);
  const again = repeats ? html`<span class="second">${say.repeats(desk.nameOf(row.wallet), repeats)}</span>` : nothing;
  if (attempt && token) {
    const leg = attempt.price?.legs[bundle.placeOf(row)];
    const state = stateOf(attempt);
    const about =
      leg && hasLanded(attempt)
        ? say.about(leg.side === "buy" ? shortTokens(BigInt(leg.tokens), token) : shortSol(BigInt(leg.walletLamports)))
        : "";
    return html`<strong>${messages.outcome.states[state]}</strong>${about ? html`<span class="second">${about}</span>` : nothing}`;
  }
  if (bundle.form.isSending && bundle.parts[0]?.includes(row)) return html`${messages.outcome.states.in_flight}`;
  const refusal = bundle.refusalOf(row);
  if (refusal) return html`<span class="problem">${say.fails(refusal)}</span>${again}`;
  const leg = bundle.legOf(row);
  if (!leg || !token) return html`${again}`;
  const [short, whole] =
    leg.side === "buy"
      ? [shortTokens(leg.tokens, token), tokens(leg.tokens, token)]
      : [shortSol(leg.walletLamports), sol(leg.walletLamports)];
  return html`${figure(`≈ ${short}`, whole)}${again}`;
}

/** What all rows that are not sent yet would do together. Once all are sent, each says for itself what it did. */
function totalsView({ bundle, token }: Desk): TemplateResult | typeof nothing {
  const { whole } = bundle;
  const known = whole && token && whole.legs.length > 0;
  if (!known && bundle.rows.every(({ sent }) => sent)) return nothing;
  const count = known ? whole.legs.length : bundle.rows.length;
  const sum = known && sums(whole);
  const pays =
    sum &&
    (bundle.mode === "buy"
      ? sol(sum("walletLamports"))
      : figure(shortTokens(sum("tokens"), token), tokens(sum("tokens"), token)));
  const brought = known && broughtBy(whole, token);
  const gets = brought && figure(messages.quote.about(brought.short), brought.exact);
  return html`
    <tfoot>
      <tr>
        <th scope="row">${say.total(count, bundle.parts.length)}</th>
        <td colspan=${bundle.weighs ? 3 : 2} class="paid">${pays || "–"}</td>
        <td class="result" colspan="2">${gets || "–"}</td>
      </tr>
    </tfoot>
  `;
}

/** What comes after a send: go on with the rest, retry what did not land, or start again. */
function afterView(desk: Desk): TemplateResult {
  const {
    form: { attempt },
    hasRest,
    hasFailed,
    parts,
  } = desk.bundle;
  const rest = hasFailed ? say.restAfterFailed(parts.length - 1) : say.rest(parts.length);
  return html`
    <div class="notice ${attempt ? stateOf(attempt) : ""}" part="notice">
      <p class="result" tabindex="-1">${attempt ? lineOf(attempt, desk.nameOf) : ""}${hasRest && rest ? html`<br />${rest}` : nothing}</p>
    </div>
  `;
}

function nextOf({ form, hasRest, hasFailed, progress }: BundleForm): string {
  if (progress) return messages.send.sending;
  return form.isSent && hasRest && !hasFailed ? say.goOn : messages.notice.again;
}

function actionOf({ mode, parts, rows, spends }: BundleForm): string {
  const sent = parts.length ? parts.flat() : rows;
  const wallets = new Set(sent.map(({ wallet }) => wallet)).size;
  const what = mode === "buy" ? say.buy(sol(spends).replace(/ SOL$/, ""), wallets) : say.sell(wallets);
  return parts.length > 1 ? say.all(what, sent.length) : what;
}

function addRow(desk: Desk): void {
  const row = desk.bundle.add();
  if (row) desk.focus(`#row-${row.id}-amount`);
}

/** Removes a row. The focus goes to the next one, so that keyboard users are not thrown to the top of the page. */
function removeRow(desk: Desk, row: Row): void {
  const at = desk.bundle.rows.indexOf(row);
  desk.bundle.remove(row);
  const next = desk.bundle.rows[at] ?? desk.bundle.rows[at - 1];
  desk.focus(next ? `#row-${next.id}-amount` : ".bundle .add");
}

/** A table pasted into a row replaces all rows. */
function pasted(event: ClipboardEvent, bundle: BundleForm): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!(event.target instanceof HTMLInputElement) || !/[\t\r\n]/.test(text.trim())) return;
  event.preventDefault();
  void bundle.paste(text);
}

/** Moves the focus to what keeps the bundle from being sent. */
function lead(desk: Desk): void {
  const { bundle } = desk;
  const { lock, obstacle } = bundle.form;
  if (obstacle === "sending") return;
  if (lock) return desk.visit(lock.intentId);
  if (obstacle === "stopped") return desk.visitUnknown();
  if (obstacle === "consent") return desk.focus('[name="bundle-accept"]');
  const first = bundle.visitAll();
  const field = bundle.form.problems[0]?.field === "feePayer" ? "#bundle-payer" : "#bundle-slippage";
  const elsewhere = bundle.pastedProblems.length ? ".pasted-problems button" : field;
  desk.focus(first ? `#row-${first.row.id}-${first.field}` : elsewhere);
}
