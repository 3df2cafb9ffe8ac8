// What is seldom shown comes as one file, which is loaded for the first who shows some of it: the lists, the exits' editor, the alerts.

import { type TemplateResult, html } from "lit";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import type * as Later from "./file.js";
import * as kit from "./kit.js";

/** The name of this build: the bundler knows it. */
declare const PANEL_BUILD: string;

// A file of another build finds nothing under its own name, and is as one that did not come.
(globalThis as Record<symbol, unknown>)[Symbol.for(PANEL_BUILD)] ??= kit;

let file: typeof Later | undefined;
let loading: Promise<typeof Later> | undefined;
let isMissing = false;
/** The desks that wait for it, and those that have its styles. */
const waiting = new Set<Desk>();
const dressed = new WeakSet<Desk>();

export const loadLater = (): Promise<typeof Later> => (loading ??= load());

async function load(): Promise<typeof Later> {
  try {
    file = await import("./file.js");
    isMissing = false;
    return file;
  } catch (error) {
    [isMissing, loading] = [true, undefined];
    throw error;
  } finally {
    for (const desk of waiting) desk.changed();
    waiting.clear();
  }
}

/** The file; undefined before it is there: then the desk is told. */
export function laterOf(desk: Desk): typeof Later | undefined {
  if (file && !dressed.has(desk)) {
    dressed.add(desk);
    desk.dress(file.styles);
  }
  if (!file && !isMissing) {
    waiting.add(desk);
    // Who shows some of it says that it is missing.
    loadLater().catch(() => {});
  }
  return file;
}

/** A part that it shows; before that what is so, if anything has to be said. */
export function laterView<T>(desk: Desk, show: (later: typeof Later) => T, said = ""): T | TemplateResult {
  const later = laterOf(desk);
  if (later) return show(later);
  const again = (): void => {
    isMissing = false;
    desk.changed();
  };
  return html`<p class="nothing" role="status">${said} ${isMissing ? html`${messages.tabs.missing} <button type="button" class="button" @click=${again}>${messages.live.again}</button>` : "…"}</p>`;
}
