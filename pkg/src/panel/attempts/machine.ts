// One machine for a trade in the panel. Its order stands in a form; once it is sent, it has a fate. Every state is declared here, with
// what it means and how it is left. No clock, nothing is sent or stored: those who do that hand the facts in.

import type { Found, IntentOutcome, IntentState } from "../../generated.js";

export type Finder = "balances" | "chain" | "journal" | "gateway" | "moment" | "hand";

/** What became of a trade: by its answer, or found out later. Plain data. */
export type Fate = { readonly is: Answered } | { readonly is: Found; readonly by: Finder };

export type Answered = Extract<IntentState, "in_flight" | "awaiting_approval"> | Exclude<IntentOutcome, "did_not_land">;

/** How far a trade has come. Every part of the panel shows this. */
export type State = Fate["is"];

/** The states in which it may still move money. */
const OPEN = ["in_flight", "awaiting_approval", "unknown"] as const;
export type OpenState = (typeof OPEN)[number];

/** The state of a trade that may still move money; undefined for one that is over. */
export const openOf = ({ is }: Fate): OpenState | undefined => OPEN.find((state) => state === is);

interface Meaning {
  /** Whether it landed, or is treated as landed. */
  readonly hasLanded: boolean;
  /** Whether it surely never moved anything, not even a fee. */
  readonly isNothing: boolean;
  /** Whether a screen reader may finish its sentence before it says so. */
  readonly isGood: boolean;
  /** A sign, so that colour is not the only difference. */
  readonly sign: string;
}

const meaning = (
  sign: string,
  { hasLanded = false, isNothing = false, isGood = false }: Partial<Meaning>,
): Meaning => ({ sign, hasLanded, isNothing, isGood });

const MEANINGS: Readonly<Record<State, Meaning>> = {
  in_flight: meaning("…", {}),
  awaiting_approval: meaning("…", { isGood: true }),
  landed: meaning("✓", { hasLanded: true, isGood: true }),
  unconfirmed: meaning("≈", { hasLanded: true }),
  failed: meaning("✕", {}),
  rejected: meaning("✕", { isNothing: true }),
  not_sent: meaning("✕", { isNothing: true }),
  did_not_land: meaning("✕", { isGood: true }),
  unknown: meaning("?", {}),
};

export const meaningOf = ({ is }: Fate): Meaning => MEANINGS[is];

/** Who found it out; null if its answer says so. */
export const finderOf = (fate: Fate): Finder | null => ("by" in fate ? fate.by : null);

/** What its answer says, and what was found out later: as pages and files are told. */
export const answeredOf = (fate: Fate): Answered => ("by" in fate ? "unknown" : fate.is);
export const foundOf = (fate: Fate): Found | null => ("by" in fate ? fate.is : null);

export const SENT: Fate = { is: "in_flight" };

/** An answer has come. It is final, whatever was found out before; one that says nothing replaces no finding. */
export const answered = (now: Fate, is: Answered): Fate => (is === "unknown" && "by" in now ? now : { is });

/** A gateway, or a page that is gone, tells how far a trade is that has no answer. */
export const atGateway = (now: Fate, is: Extract<Answered, "unknown" | "awaiting_approval">): Fate =>
  openOf(now) ? { is } : now;

/** Its outcome was found out, unless its answer has come meanwhile: what the chain proves counts more than that. */
export const foundOut = (now: Fate, is: Found, by: Finder): Fate =>
  openOf(now) || (by === "chain" && finderOf(now) !== by) ? { is, by } : now;

export type Note = "moved" | "expired" | "unseen";

export type Stage =
  /** It is entered, and may be sent. `complaint`: why there was no attempt. */
  | { readonly is: "entered"; readonly note: Note | null; readonly complaint: string | null }
  /** Its plan is held while the trader decides about the risk. */
  | { readonly is: "deciding"; readonly ticked: boolean; readonly typed: string }
  /** The button was pressed. `intentId` comes with the plan; `isEdited`: the form shows another order by now. */
  | { readonly is: "sending"; readonly intentId: string | null; readonly isEdited: boolean }
  /** It is an attempt: the same order is sent again only after an edit, or when asked to. `complaint`: what went wrong afterwards. */
  | { readonly is: "sent"; readonly intentId: string; readonly complaint: string | null };

export const ENTERED: Stage = { is: "entered", note: null, complaint: null };

/** The entry was edited. What is being sent is another order from now on. */
export const edited = (now: Stage): Stage =>
  now.is === "sending" ? { is: "sending", intentId: null, isEdited: true } : ENTERED;

export const refused = (complaint: string): Stage => ({ is: "entered", note: null, complaint });

/** The trader has ticked or typed. Without either there is nothing to decide. */
export function decided(now: Stage, given: { ticked?: boolean; typed?: string }): Stage {
  if (now.is === "sending" || now.is === "sent") return now;
  const { ticked, typed } = { ticked: false, typed: "", ...(now.is === "deciding" && now), ...given };
  return ticked || typed ? { is: "deciding", ticked, typed } : ENTERED;
}

export const lost = (now: Stage, note: Note): Stage =>
  now.is === "sending" || now.is === "sent" ? now : { is: "entered", note, complaint: null };

export const pressed = (): Stage => ({ is: "sending", intentId: null, isEdited: false });

export const planned = (now: Stage, intentId: string): Stage =>
  now.is === "sending" && !now.isEdited ? { ...now, intentId } : now;

/** The send is over. Without `isKept` there is no attempt of it: nothing was sent. */
export function over(now: Stage, isKept: boolean, complaint: string | null = null, note: Note | null = null): Stage {
  if (now.is !== "sending") return now;
  return now.intentId !== null && isKept
    ? { is: "sent", intentId: now.intentId, complaint }
    : { is: "entered", note, complaint };
}

export const complained = (now: Stage, complaint: string | null): Stage =>
  now.is === "sent" ? { ...now, complaint } : now;

/** What a form says and holds at a stage: the attempt that its order has become, why nothing came of it, and the consent given. */
export function facts(now: Stage): {
  attemptId?: string;
  note?: Note;
  complaint?: string;
  ticked?: boolean;
  typed?: string;
} {
  switch (now.is) {
    case "entered":
      return { ...(now.note && { note: now.note }), ...(now.complaint !== null && { complaint: now.complaint }) };
    case "deciding":
      return { ticked: now.ticked, typed: now.typed };
    case "sending":
      return now.intentId === null ? {} : { attemptId: now.intentId };
    case "sent":
      return { attemptId: now.intentId, ...(now.complaint !== null && { complaint: now.complaint }) };
    default:
      return now satisfies never;
  }
}
