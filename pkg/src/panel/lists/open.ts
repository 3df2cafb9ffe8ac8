// The tabs with lists: of tokens, and of wallets. Their file is loaded once one of them is opened, so that a page does not wait for it.

import { type TemplateResult, html } from "lit";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import type { Tab } from "../shown.js";
import * as kit from "./kit.js";
import type * as Lists from "./view.js";

/** The tabs of that file. */
export const LISTS = ["tokens", "wallets"] as const satisfies readonly Tab[];
export type List = (typeof LISTS)[number];

let lists: typeof Lists | undefined;
let isMissing = false;

export const loadLists = async (): Promise<typeof Lists> => (lists ??= await import("./view.js"));

/** Loads them for a panel with this root. */
export async function openLists(desk: Desk, root: ShadowRoot): Promise<void> {
  try {
    const { styleSheet } = (await loadLists()).stylesOf(kit);
    isMissing = false;
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
  } catch {
    isMissing = true;
  }
  desk.changed();
}

export const listView = (desk: Desk, list: List): TemplateResult =>
  lists?.views[list](kit, desk) ??
  html`<p class="nothing" role="status">${isMissing ? messages.tabs.missing : "…"}</p>`;
