// The market's tokens as a list that lives: the newest, those about to complete, the most traded, and those that the trader watches.

import type { TemplateResult } from "lit";
import type { Desk } from "../desk.js";
import {
  brief,
  gauge,
  html,
  live,
  nothing,
  perDesk,
  percent,
  plainPrice,
  price,
  repeat,
  shortSol,
  span,
  tokenIcon,
  valueOf,
} from "../later/kit.js";
import { words } from "../later/words.js";
import type { TokenView } from "../worlds/world.js";
import { watchedIn } from "./kept.js";
import { Tape } from "./tape.js";

const say = words.tokens;

/** The orders of a world with a stream of its trades, and of one without. */
const ORDERS = {
  stream: ["newest", "completing", "traded", "watched"],
  looks: ["all", "completing", "watched"],
} as const;
type Order = (typeof ORDERS)[keyof typeof ORDERS][number];

/** How many are listed: each is drawn again at every tick. */
const MOST = 40;

/** What of a list is shown at a desk. */
class TokenList {
  readonly tape: Tape;
  readonly watched;
  order: Order;
  search = "";
  /** The order as it was when the trader came to the list: while it is used, no row moves away under the hand. */
  held: readonly string[] | undefined;
  /** Whether a finger points, which a browser says is still there long after it has gone. */
  isTouched = false;

  constructor({ world }: Desk) {
    this.tape = new Tape(world);
    this.watched = watchedIn(world);
    this.order = world.stream ? "newest" : "all";
  }
}

const listOf = perDesk((desk) => new TokenList(desk));

function ordered({ order, tape, watched }: TokenList, tokens: readonly TokenView[]): readonly TokenView[] {
  const by = (figure: (token: TokenView) => number | bigint): readonly TokenView[] => {
    const figures = new Map(tokens.map((token) => [token.mint, figure(token)]));
    const of = ({ mint }: TokenView) => figures.get(mint) ?? 0;
    return [...tokens].sort((one, other) => Number(of(one) < of(other)) - Number(of(one) > of(other)));
  };
  switch (order) {
    case "newest":
      return by(({ mint }) => tape.launchedMs(mint) ?? -Infinity);
    case "completing":
      return by(({ progressBps }) => progressBps ?? -1).filter(({ complete }) => !complete);
    case "traded":
      return by(({ mint }) => tape.traded(mint)).filter(({ mint }) => tape.traded(mint) > 0n);
    case "watched":
      return watched.now.flatMap((mint) => tokens.filter((token) => token.mint === mint));
    default:
      return tokens;
  }
}

/** The tokens that are listed, and how many there are of the kind. */
function listed(
  list: TokenList,
  tokens: readonly TokenView[],
): { readonly rows: readonly TokenView[]; readonly all: number } {
  const text = list.search.trim().toLowerCase();
  const isFound = ({ title, mint }: TokenView): boolean =>
    [title, mint].some((part) => part.toLowerCase().includes(text));
  const found = ordered(list, tokens).filter(isFound);
  const rows = list.held
    ? list.held.flatMap((mint) => found.filter((token) => token.mint === mint))
    : found.slice(0, MOST);
  return { rows, all: found.length };
}

export function tokensView(desk: Desk): TemplateResult {
  const list = listOf(desk);
  const { world } = desk;
  if (world.stream) void list.tape.follow(() => desk.changed());
  const { rows, all } = listed(list, world.tokens());
  // What is no longer there cannot be left.
  if (!rows.length) list.held = undefined;
  const orders: readonly Order[] = ORDERS[world.stream ? "stream" : "looks"];
  const set = (changes: Partial<Pick<TokenList, "order" | "search" | "held">>): void => {
    Object.assign(list, changes);
    desk.changed();
  };
  const hold = (event: Event): void => {
    if (event instanceof PointerEvent) list.isTouched = event.pointerType === "touch";
    if (!list.held) set({ held: rows.map(({ mint }) => mint) });
  };
  /** The order goes on once neither the pointer nor the focus is there. */
  const release = ({ currentTarget }: Event): void => {
    // What gets the focus has it only after this event.
    setTimeout(() => {
      const isUsed = (currentTarget as Element).matches(list.isTouched ? ":focus-within" : ":hover, :focus-within");
      if (list.held && !isUsed) set({ held: undefined });
    });
  };
  const none = list.search.trim() ? say.noneFound(list.search.trim()) : say.none[list.order];
  return html`
    <div class="lists" @keydown=${(event: KeyboardEvent) => keys(event, desk, rows, () => set({ search: "", held: undefined }))}>
      ${world.stream ? nothing : html`<p class="small quiet">${say.noStream}</p>`}
      <div class="row-of-buttons">
        <div class="switch" role="group" aria-label=${say.order}>
          ${orders.map((order) => html`<button type="button" aria-pressed=${order === list.order} @click=${() => set({ order, held: undefined })}>${say.orders[order]}</button>`)}
        </div>
        <input class="control" type="search" name="token-search" aria-label=${say.search} placeholder=${say.search} autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(list.search)} @input=${(event: Event) => set({ search: valueOf(event), held: undefined })} />
      </div>
      ${
        rows.length
          ? html`<div class="scroll" role="region" tabindex="0" aria-label=${say.title} @pointerenter=${hold} @focusin=${hold} @pointerleave=${release} @focusout=${release}>
            <table class="sheet market-list">
              <thead>
                <tr>
                  <th scope="col"><span class="spoken">${say.columns.watch}</span></th>
                  ${columnsOf(desk).map((column) => html`<th scope="col" class=${column === "token" ? "" : "number"}>${say.columns[column]}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${repeat(
                  rows,
                  ({ mint }) => mint,
                  (token) => row(desk, list, token),
                )}
              </tbody>
            </table>
          </div>`
          : html`<p class="nothing">${none}</p>`
      }
      <p class="small quiet" role="status">${list.tape.isBroken ? say.missed : list.held && rows.length > 1 && list.order !== "watched" && list.order !== "all" ? say.held : say.shown(rows.length, all)}</p>
    </div>
  `;
}

type Column = Exclude<keyof typeof say.columns, "watch">;

/** Without a stream nobody knows ages, volumes and creators. With one the market cap has the price in it. */
const columnsOf = ({ world }: Desk): readonly Column[] =>
  world.stream
    ? ["token", "age", "curve", "cap", "traded", "creator", "own"]
    : ["token", "price", "curve", "cap", "own"];

function row(desk: Desk, list: TokenList, token: TokenView): TemplateResult {
  const { mint, symbol, name, title } = token;
  const isWatched = list.watched.now.includes(mint);
  return html`
    <tr aria-current=${mint === desk.entry.mint}>
      <td class="starred"><button type="button" class="star" aria-label=${say.watch(symbol)} aria-pressed=${isWatched} @click=${({ currentTarget }: Event) => watch(desk, list, mint, currentTarget as HTMLElement)}>${isWatched ? "★" : "☆"}</button></td>
      <th scope="row">
        <button type="button" class="pick" title=${title} @click=${() => pick(desk, mint)}>${tokenIcon(token)}<span class="names"><strong>${symbol}</strong> <span class="second">${name}</span></span></button>
      </th>
      ${columnsOf(desk)
        .slice(1)
        .map(
          (column) => html`<td class="number" data-name=${say.columns[column]}>${cell(desk, list, token, column)}</td>`,
        )}
    </tr>
  `;
}

function cell(
  { world }: Desk,
  { tape }: TokenList,
  { mint, decimals, spotPrice, progressBps, complete, marketCapLamports }: TokenView,
  column: Column,
): TemplateResult | string {
  switch (column) {
    case "age": {
      const launchedMs = tape.launchedMs(mint);
      return launchedMs === null ? say.unknown : span(Math.max(0, world.now() - launchedMs));
    }
    case "price":
      return html`<span aria-hidden="true">${price(spotPrice)}</span><span class="spoken">${plainPrice(spotPrice)}</span>`;
    case "curve":
      if (progressBps === null) return say.unknown;
      return html`${complete ? say.complete : percent(Math.floor(progressBps / 10) * 10)}${gauge(progressBps / 10_000)}`;
    case "cap":
      return marketCapLamports === null ? say.unknown : shortSol(marketCapLamports);
    case "traded": {
      const lamports = tape.traded(mint);
      return lamports ? shortSol(lamports) : say.unknown;
    }
    case "creator": {
      const held = tape.creatorHolds(mint);
      const curve = held === null ? undefined : world.curve(mint);
      const supply = curve?.launchpad.tokenSupply ?? 0;
      curve?.free();
      return held === null || !supply ? say.unknown : percent(Number((held * 1_000n) / BigInt(supply)) * 10);
    }
    case "own": {
      const held = world.wallets().reduce((sum, { tokens }) => sum + (tokens.get(mint) ?? 0n), 0n);
      return held ? brief(held, decimals) : say.unknown;
    }
    default:
      return "";
  }
}

/** Shows a token. Who came to switch goes back. */
function pick(desk: Desk, mint: string): void {
  desk.enter({ mint });
  goBack(desk);
}

function goBack(desk: Desk): void {
  const { switchesFrom } = desk.shown;
  if (!switchesFrom) return;
  desk.shown.set({ tab: switchesFrom, switchesFrom: undefined });
  desk.focus(".others");
}

function watch(desk: Desk, { watched, order }: TokenList, mint: string, star: HTMLElement): void {
  // Its row goes: the focus stays in the list.
  if (order === "watched") {
    const row = star.closest("tr");
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    (next ?? star.closest(".lists"))?.querySelector<HTMLElement>(next ? ".star" : '[name="token-search"]')?.focus();
  }
  watched.change((now) => (now.includes(mint) ? now.filter((one) => one !== mint) : [mint, ...now]));
  desk.changed();
}

/** Arrows go from row to row, and between a token and its star. In the field, Enter shows the first found, and Escape empties it; / leads to it. */
function keys(event: KeyboardEvent, desk: Desk, rows: readonly TokenView[], clear: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const root = (event.currentTarget as Element).getRootNode() as ShadowRoot;
  const field = root.querySelector<HTMLInputElement>('[name="token-search"]');
  const at = event.composedPath()[0] as HTMLElement;
  const isInField = at === field;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const picks = [...root.querySelectorAll<HTMLElement>(`.market-list .${at.matches(".star") ? "star" : "pick"}`)];
  if (step)
    (isInField || picks.includes(at)) && [field, ...picks][(isInField ? 0 : picks.indexOf(at) + 1) + step]?.focus();
  else if (at.matches(".star, .pick") && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
    at.closest("tr")
      ?.querySelector<HTMLElement>(event.key === "ArrowLeft" ? ".star" : ".pick")
      ?.focus();
  else if (event.key === "Enter" && isInField) {
    if (field?.value.trim() && rows[0]) pick(desk, rows[0].mint);
  } else if (event.key === "Escape" && isInField) {
    if (field?.value) clear();
    else goBack(desk);
  } else if (event.key === "/" && !isInField) field?.focus();
  else return;
  event.preventDefault();
}
