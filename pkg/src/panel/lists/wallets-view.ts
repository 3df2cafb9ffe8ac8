// The wallets: each can be copied and looked up in the explorer, and a group of them has a name, by which a bundle takes it.

import type { TemplateResult } from "lit";
import type { Desk } from "../desk.js";
import { SOL_DECIMALS, addressView, brief, html, nothing, perDesk, repeat, valueOf } from "../later/kit.js";
import { words } from "../later/words.js";
import type { WalletView } from "../worlds/world.js";
import { type Group, MOST_GROUPS, MOST_OF_NAME, groupsIn } from "./kept.js";

const say = words.wallets;

/** What of the list is shown at a desk. */
class WalletList {
  readonly groups;
  picked: ReadonlySet<string> = new Set();
  name = "";
  complaint = "";

  constructor({ world }: Desk) {
    this.groups = groupsIn(world);
  }
}

type Changes = (changes: Partial<Pick<WalletList, "picked" | "name" | "complaint">>) => void;

const listOf = perDesk((desk) => new WalletList(desk));

/** What a reply's link to a wallet begins with, in the explorer of the service; undefined before there was one. A simulated wallet is on no chain. */
function explorerOf({ attempts, world }: Desk): string | undefined {
  if (world.simulated) return undefined;
  for (const { answer, wallets, simulated } of attempts.all)
    for (const { href } of simulated ? [] : (answer?.links ?? [])) {
      const wallet = wallets.find((wallet) => href.endsWith(`/account/${wallet}`));
      if (wallet !== undefined) return href.slice(0, -wallet.length);
    }
  return undefined;
}

export function walletsView(desk: Desk): TemplateResult {
  const list = listOf(desk);
  const wallets = desk.world.wallets();
  const explorer = explorerOf(desk);
  const picked = wallets.filter(({ wallet }) => list.picked.has(wallet));
  const set: Changes = (changes) => {
    Object.assign(list, { complaint: "" }, changes);
    desk.changed();
  };
  /** Whether exactly the wallets of a group are ticked. */
  const isShown = ({ wallets }: Group): boolean =>
    wallets.length === list.picked.size && wallets.every((wallet) => list.picked.has(wallet));
  const counted = (group: Group): string => {
    const offered = group.wallets.filter((wallet) => desk.walletOf(wallet)).length;
    return say.counted(offered, group.wallets.length - offered);
  };
  const name = list.name.trim();
  const isSaved = list.groups.now.some((group) => group.name === name);
  return html`
    <div class="lists">
      ${
        list.groups.now.length
          ? html`<div class="chips" role="group" aria-label=${say.groups}>
            ${list.groups.now.map((group) => html`<button type="button" aria-pressed=${isShown(group)} @click=${() => set({ name: group.name, picked: new Set(group.wallets) })}>${group.name} <span class="quiet">${counted(group)}</span></button>`)}
          </div>`
          : nothing
      }
      <div class="scroll" role="region" tabindex="0" aria-label=${say.title}>
        <table class="sheet wallet-list">
          <thead>
            <tr>
              <th scope="col"><span class="spoken">${say.columns.pick}</span></th>
              <th scope="col">${say.columns.wallet}</th>
              <th scope="col">${say.columns.id}</th>
              <th scope="col" class="number">${say.columns.sol}</th>
              <th scope="col" class="number">${say.columns.holds(desk.token?.symbol ?? "")}</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              wallets,
              ({ wallet }) => wallet,
              (wallet) => row(desk, list, wallet, explorer, set),
            )}
          </tbody>
        </table>
      </div>
      <div class="row-of-buttons">
        <label class="spoken" for="group-name">${say.name}</label>
        <input class="control" id="group-name" name="group-name" maxlength=${MOST_OF_NAME} placeholder=${say.name} autocomplete="off" .value=${list.name} aria-invalid=${!!list.complaint} aria-describedby="group-note" @input=${(event: Event) => set({ name: valueOf(event) })} />
        <button type="button" class="button" ?disabled=${!picked.length} @click=${() => save(list, set)}>${isSaved ? say.replace(name) : say.save}</button>
        ${isSaved ? html`<button type="button" class="button" @click=${() => remove(desk, list, set)}>${say.remove(name)}</button>` : nothing}
        ${desk.fixed.amount ? nothing : html`<button type="button" class="button use" ?disabled=${!picked.length || desk.bundle.isBusy} @click=${() => use(desk, picked)}>${say.use(picked.length, desk.bundle.replaces)}</button>`}
      </div>
      <p class="note ${list.complaint ? "problem" : "small quiet"}" id="group-note" role="status">${list.complaint || (picked.length ? "" : say.noneChosen)}</p>
    </div>
  `;
}

function row(
  desk: Desk,
  list: WalletList,
  { wallet, label, lamports, tokens }: WalletView,
  explorer: string | undefined,
  set: Changes,
): TemplateResult {
  const { token } = desk;
  const held = token && tokens.get(token.mint);
  const toggle = (): void => {
    const picked = new Set(list.picked);
    if (!picked.delete(wallet)) picked.add(wallet);
    set({ picked });
  };
  return html`
    <tr>
      <td><label class="check"><input type="checkbox" aria-label=${say.pick(label)} .checked=${list.picked.has(wallet)} @change=${toggle} /></label></td>
      <th scope="row">${label}</th>
      <td class="address" data-name=${say.columns.id}>
        ${addressView(desk, wallet, say.copy(label), say.copied)}
        ${explorer ? html`<a class="small" href=${explorer + encodeURIComponent(wallet)} target="_blank" rel="noopener noreferrer" aria-label=${say.explorerOf(label)}>${say.explorer}</a>` : nothing}
      </td>
      <td class="number" data-name=${say.columns.sol}>${lamports === null ? say.unknown : brief(lamports, SOL_DECIMALS)}</td>
      <td class="number" data-name=${say.columns.holds(token?.symbol ?? "")}>${held === undefined ? "–" : brief(held, token?.decimals ?? 0)}</td>
    </tr>
  `;
}

function save({ groups, name, picked }: WalletList, set: Changes): void {
  const group = { name: name.trim(), wallets: [...picked] };
  if (!group.name) return set({ complaint: say.nameless });
  const others = groups.now.filter((other) => other.name !== group.name);
  if (others.length >= MOST_GROUPS) return set({ complaint: say.full(MOST_GROUPS) });
  groups.change((now) => [...now.filter((other) => other.name !== group.name), group]);
  set({ name: group.name });
}

function remove(desk: Desk, { groups, name }: WalletList, set: Changes): void {
  groups.change((now) => now.filter((group) => group.name !== name.trim()));
  set({ name: "" });
  desk.focus("#group-name");
}

function use(desk: Desk, picked: readonly WalletView[]): void {
  desk.bundle.fill(picked.map(({ wallet }) => wallet));
  desk.shown.set({ tab: "bundle" });
  desk.focus("#tab-bundle");
}
