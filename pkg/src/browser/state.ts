// What journals remember about intents, and which ones they refuse to begin.
//
// The sums spent are kept apart from the ids: only the latest ids are remembered, but a day's sum covers everything that landed on it.

import type { Counted, EndedTrade, IntentOutcome, Settlement, Suspension, TradeIntent } from "launchpad-desk";
import { DAY_MS, DAY_SLOTS, DEFAULT_UNITS, REMEMBERED, SUMS_OF_DAYS } from "../generated.js";

/** Days since 1970, in UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

type Meaning = "landed" | "nothing" | "unresolved";

/** What each outcome means for an intent: money moved, or none did and the id is free again, or it is unresolved. */
const MEANING: Record<IntentOutcome, Meaning> = {
  landed: "landed",
  unconfirmed: "landed",
  not_sent: "nothing",
  rejected: "nothing",
  failed: "nothing",
  did_not_land: "nothing",
  unknown: "unresolved",
};

const meanings = new Map<string, Meaning>(Object.entries(MEANING));

export function meaningOf(outcome: IntentOutcome): Meaning {
  const meaning = meanings.get(outcome);
  if (!meaning) throw new TypeError(`${outcome} is not an outcome; use one of ${[...meanings.keys()].join(", ")}`);
  return meaning;
}

export const refusal = (intentId: string, hasLanded: boolean): Error =>
  new Error(`intent ${intentId} ${hasLanded ? "has already landed" : "was begun earlier and is unresolved"}`);

/** The modes, each stricter than the one before. */
export const MODES: readonly NonNullable<Suspension["mode"]>[] = ["active", "reducing", "halted"];

/** What stops trading as a journal keeps it: its known fields, checked. */
export function suspensionOf(suspension: Suspension): Suspension {
  const { mode, breakerOpen, unknownsInARow } = suspension;
  if (mode !== undefined && !MODES.includes(mode))
    throw new TypeError(`${mode} is not a mode; use one of ${MODES.join(", ")}`);
  if (breakerOpen !== undefined && typeof breakerOpen !== "boolean")
    throw new TypeError("breakerOpen must be a boolean");
  if (unknownsInARow !== undefined && (!Number.isSafeInteger(unknownsInARow) || unknownsInARow < 0))
    throw new TypeError("unknownsInARow must be a whole number");
  return {
    ...(mode !== undefined && { mode }),
    ...(breakerOpen !== undefined && { breakerOpen }),
    ...(unknownsInARow !== undefined && { unknownsInARow }),
  };
}

export const saysAnything = (suspension: Suspension): boolean => Object.keys(suspension).length > 0;

/** Adds a change to what is kept. Trades that end at the same moment may be recorded in any order, so a count above zero never lowers it. */
export function addSuspension(kept: Suspension, change: Suspension): Suspension {
  const { unknownsInARow: count } = change;
  return { ...kept, ...change, ...(count && { unknownsInARow: Math.max(count, kept.unknownsInARow ?? 0) }) };
}

/** What stops trading once no trade of unknown outcome is left: with the last one, the breaker closes. */
export const withoutBreaker = ({ mode }: Suspension): Suspension => (mode === undefined ? {} : { mode });

/** What stops trading, with the trades without an end counted as unknown. */
export const countSuspension = (suspension: Suspension, endless: number): Suspension =>
  endless ? { ...suspension, unknownsInARow: (suspension.unknownsInARow ?? 0) + endless } : suspension;

/** The intent as a journal keeps it: its known fields, checked, and no others. No key gets into a journal. */
export function recordOf({
  intentId,
  operation,
  startedAtMs,
  body,
  before,
  throughGateway,
  counted,
  namedSignature,
}: TradeIntent): TradeIntent {
  for (const [name, text] of Object.entries({ intentId, operation, body })) {
    if (typeof text !== "string" || !text) throw new TypeError(`an intent's ${name} must be text`);
  }
  if (!Number.isSafeInteger(startedAtMs)) throw new TypeError("an intent's startedAtMs must be whole milliseconds");
  const gateway = throughGateway === true && ({ throughGateway } as const);
  const named = typeof namedSignature === "string" && namedSignature !== "" && { namedSignature };
  return Object.freeze({
    intentId,
    operation,
    startedAtMs,
    body,
    ...(before && { before: before.map(holdingOf) }),
    ...gateway,
    ...(counted && { counted: countedOf(counted) }),
    ...named,
  });
}

/** A trade whose outcome stays unknown, with the signature that its service has named, if any: no other trade has it. */
export const namedAs = <T extends TradeIntent>(intent: T, { signature }: Ending): T =>
  signature ? { ...intent, namedSignature: signature } : intent;

function countedOf({ lamports, fees }: Counted): Counted {
  for (const [name, amount] of Object.entries({ lamports, fees })) {
    if (typeof amount !== "string" || !/^\d+$/.test(amount))
      throw new TypeError(`the ${name} of an intent's counted must be text of digits`);
  }
  return Object.freeze({ lamports, fees });
}

type Holding = NonNullable<TradeIntent["before"]>[number];

/** What a wallet held before, and at which slot. Numbers are text, which JSON keeps exactly. */
function holdingOf({ wallet, tokens, lamports, slot }: Holding): Holding {
  if (typeof wallet !== "string" || !wallet) throw new TypeError("a wallet of an intent's before must be text");
  const given = Object.entries({ tokens, lamports, slot }).filter(([, amount]) => amount !== undefined);
  if (tokens === undefined && lamports === undefined)
    throw new TypeError("a wallet of an intent's before must have tokens or lamports");
  for (const [name, amount] of given) {
    if (typeof amount !== "string" || !/^\d+$/.test(amount))
      throw new TypeError(`the ${name} of an intent's before must be text of digits`);
  }
  return Object.freeze({ wallet, ...Object.fromEntries(given) });
}

/** How an intent ended, as a journal keeps it. */
export type Ending = Pick<Settlement, "outcome"> & Partial<Pick<Settlement, "signature" | "proven">>;

export const endingOf = ({
  outcome,
  signature,
  proven,
}: Ending): { outcome: IntentOutcome; signature?: string; proven?: true } => ({
  outcome,
  ...(typeof signature === "string" && signature !== "" && { signature }),
  ...(proven === true && { proven }),
});

/** A trade that has ended so, if it is to be remembered: not one that was not sent. A refusal is no proof. */
export function endedOf(intent: TradeIntent, ending: Ending): EndedTrade | undefined {
  const hasNone = ending.outcome === "not_sent";
  return hasNone ? undefined : Object.freeze({ ...intent, ...endingOf(ending) });
}

/** Whether a proven end replaces the one that is kept, which nothing proved. */
export const isCorrectedBy = (kept: Ending, ending: Ending): boolean =>
  ending.proven === true && kept.proven !== true && kept.outcome !== ending.outcome;

/** What a client asks for of the trades that have ended: from a day before `sinceMs` and before the oldest unresolved one on. */
export const askedFrom = (sinceMs: number, pending: readonly TradeIntent[]): number =>
  Math.min(sinceMs, ...pending.map(({ startedAtMs }) => startedAtMs)) - DAY_MS;

/** The slot before which the transaction of a trade cannot have been made, if the chain has shown it. A gateway may send it much later. */
function slotOf({ before, throughGateway }: TradeIntent): bigint | undefined {
  const slots = throughGateway ? [] : (before ?? []).flatMap(({ slot }) => (slot === undefined ? [] : [BigInt(slot)]));
  return slots.length ? slots.reduce((most, slot) => (slot > most ? slot : most)) : undefined;
}

/** Those that a client asks for. The clock may have been wrong: what the chain has not shown to be older is given, too. */
export function asked(ended: EndedTrade[], sinceMs: number, pending: readonly TradeIntent[]): EndedTrade[] {
  const fromMs = askedFrom(sinceMs, pending);
  const slots = [pending, ended].map((trades) => trades.flatMap((trade) => slotOf(trade) ?? []));
  const [open, all] = slots as [bigint[], bigint[]];
  const oldest = open.length
    ? open.reduce((least, slot) => (slot < least ? slot : least))
    : all.reduce((most, slot) => (slot > most ? slot : most), 0n);
  const isAsked = (trade: EndedTrade): boolean => {
    const slot = trade.startedAtMs >= fromMs ? undefined : slotOf(trade);
    return trade.startedAtMs >= fromMs || (slot !== undefined && slot + BigInt(DAY_SLOTS) >= oldest);
  };
  return byBeginning(ended.filter(isAsked));
}

const byBeginning = (ended: EndedTrade[]): EndedTrade[] =>
  ended.sort((one, other) => one.startedAtMs - other.startedAtMs);

/** Where a text begins or ends in JSON, an escape in it, or a number. */
const QUOTE_OR_NUMBER = /\\.|"|-?\d[\d.eE+-]*/g;

/** A body with its numbers as text, because JSON.parse rounds numbers. Whatever is no JSON object was never sent. */
function fieldsOf(body: string): Record<string, unknown> {
  let isText = false;
  const exact = body.replace(QUOTE_OR_NUMBER, (part) => {
    if (part === '"') isText = !isText;
    return isText || part === '"' ? part : `"${part}"`;
  });
  try {
    return (JSON.parse(exact) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

/** The trades of a body: itself, if it is no bundle. */
function legsOf(fields: Record<string, unknown>): unknown[] {
  const legs = fields["buys"] ?? fields["sells"];
  return Array.isArray(legs) ? legs : [fields];
}

function amountOf(fields: unknown, name: string): bigint | undefined {
  const amount = (fields as Record<string, unknown> | null)?.[name];
  return typeof amount === "string" && /^\d+$/.test(amount) ? BigInt(amount) : undefined;
}

/** The lamports that an intent's body spends: by its buys, and for priority. */
export const lamportsOf = ({ body }: Pick<TradeIntent, "body">): bigint =>
  legsOf(fieldsOf(body)).reduce<bigint>(
    (sum, leg) => sum + (amountOf(leg, "amountInLamports") ?? 0n),
    priorityLamportsOf({ body }),
  );

/** The lamports that an intent's body bids for priority, as the guards count them. */
export function priorityLamportsOf({ body }: Pick<TradeIntent, "body">): bigint {
  const fields = fieldsOf(body);
  const units = amountOf(fields, "priorityUnitLimit") || BigInt(DEFAULT_UNITS * legsOf(fields).length);
  return priceOfUnits(units, amountOf(fields, "priorityUnitPrice") ?? 0n);
}

/** Lamports that priority units cost at a price in micro-lamports: ceil(units · price / 10⁶). */
export const priceOfUnits = (units: bigint, microLamports: bigint): bigint =>
  (units * microLamports + 999_999n) / 1_000_000n;

/** What an intent has taken once it ended so, as limits have counted it: a transaction that failed has paid the network's fees. An entry that
 * no client made may not say what was counted: then it is what its body spends. */
export function spentBy(intent: Pick<TradeIntent, "body" | "counted">, outcome: IntentOutcome): bigint {
  const { counted } = intent;
  if (meaningOf(outcome) === "landed") return counted ? BigInt(counted.lamports) : lamportsOf(intent);
  if (outcome !== "failed") return 0n;
  return counted ? BigInt(counted.fees) : priorityLamportsOf(intent);
}

/** Intents by id, unresolved or landed, and what was spent on each day. The ids of those that did not land are free again; what is known
 * of their transactions is kept. */
export class Intents {
  #unresolved = new Map<string, TradeIntent>();
  #landed = new Map<string, EndedTrade>();
  #ended: EndedTrade[] = [];
  #days = new Map<number, bigint>();
  /** The unresolved ones that have no end: in flight, or their program ended first. */
  #endless = new Set<string>();
  #suspension: Suspension = {};

  begin(intent: TradeIntent): void {
    const { intentId } = intent;
    const hasLanded = this.#landed.has(intentId);
    if (hasLanded || this.#unresolved.has(intentId)) throw refusal(intentId, hasLanded);
    this.#unresolved.set(intentId, intent);
    this.#endless.add(intentId);
  }

  /** Records an outcome, and what it changes about what stops trading; returns whether that changes anything. */
  settle(intentId: string, ending: Ending, suspension: Suspension): boolean {
    const meaning = meaningOf(ending.outcome);
    const hasSaid = this.keepSuspension(suspension);
    const intent = this.#unresolved.get(intentId);
    if (!intent) return this.#correct(intentId, ending) || hasSaid;
    const hadNoEnd = this.#endless.delete(intentId);
    if (meaning === "unresolved") {
      const named = namedAs(intent, ending);
      this.#unresolved.set(intentId, named);
      return hadNoEnd || hasSaid || named.namedSignature !== intent.namedSignature;
    }
    this.#unresolved.delete(intentId);
    this.#close(intent, ending);
    if (!this.unknown().length) this.#suspension = withoutBreaker(this.#suspension);
    return true;
  }

  #close(intent: TradeIntent, ending: Ending): void {
    const ended = endedOf(intent, ending);
    this.spend(dayOf(intent.startedAtMs), spentBy(intent, ending.outcome));
    if (meaningOf(ending.outcome) === "landed") this.land(ended as EndedTrade);
    else if (ended) this.end(ended);
  }

  /** Replaces an end that nothing proved with one that is proven to be otherwise; returns whether there was one. */
  #correct(intentId: string, ending: Ending): boolean {
    const isIt = (ended: EndedTrade) => ended.intentId === intentId && isCorrectedBy(ended, ending);
    const landed = this.#landed.get(intentId);
    const known = landed && isIt(landed) ? landed : this.#ended.filter(isIt).at(-1);
    if (!known) return false;
    if (known === landed) this.#landed.delete(intentId);
    else this.#ended.splice(this.#ended.lastIndexOf(known), 1);
    this.spend(dayOf(known.startedAtMs), -spentBy(known, known.outcome));
    this.#close(recordOf(known), ending);
    return true;
  }

  /** Records what stops trading; returns whether that says anything. */
  keepSuspension(change: Suspension): boolean {
    this.#suspension = addSuspension(this.#suspension, change);
    if (change.breakerOpen === false) this.#endless.clear();
    return saysAnything(change);
  }

  /** Those without an end were in flight when their program ended: they count as unknown. */
  interrupted(): void {
    this.#suspension = countSuspension(this.#suspension, this.#endless.size);
    this.#endless.clear();
  }

  suspension(): Suspension {
    return this.#suspension;
  }

  /** The ids of the unresolved ones of unknown outcome. */
  unknown(): string[] {
    return [...this.#unresolved.keys()].filter((intentId) => !this.#endless.has(intentId));
  }

  /** Remembers that an intent has landed; its lamports are counted by `spend`. */
  land(intent: EndedTrade): void {
    this.#landed.set(intent.intentId, intent);
    // Drops many at a time, because finding a map's first key walks past all deleted ones.
    if (this.#landed.size < 2 * REMEMBERED) return;
    const all = [...this.#landed.values()];
    this.#landed = new Map(all.slice(-REMEMBERED).map((latest) => [latest.intentId, latest]));
    for (const older of all.slice(0, -REMEMBERED)) this.end(older);
  }

  #latest(): EndedTrade[] {
    return [...this.#landed.values()].slice(-REMEMBERED);
  }

  /** Remembers a trade whose id is not used up, and which may have a transaction all the same. */
  end(ended: EndedTrade): void {
    this.#ended.push(ended);
    if (this.#ended.length % REMEMBERED !== 0) return;
    const fromMs = askedFrom(ended.startedAtMs - DAY_MS, this.pending());
    // Of those that the service refused the latest are enough: it may refuse each of very many.
    const older = this.#ended
      .slice(0, -REMEMBERED)
      .filter(({ startedAtMs, outcome }) => startedAtMs >= fromMs && outcome !== "rejected");
    this.#ended = [...older, ...this.#ended.slice(-REMEMBERED)];
  }

  /** Those that are not among the latest that landed: at least the latest, and all that a trade of the last day, or an unresolved one, may
   * ask for. */
  ended(): EndedTrade[] {
    return [...[...this.#landed.values()].slice(0, -REMEMBERED), ...this.#ended];
  }

  spend(day: number, lamports: bigint): void {
    if (!lamports) return;
    this.#days.set(day, (this.#days.get(day) ?? 0n) + lamports);
    if (this.#days.size > SUMS_OF_DAYS)
      this.#days.delete([...this.#days.keys()].reduce((least, other) => Math.min(least, other)));
  }

  pending(): TradeIntent[] {
    return [...this.#unresolved.values()];
  }

  /** Those that landed, of the ones that began at `sinceMs` or later. */
  landed(sinceMs: number): EndedTrade[] {
    return this.#latest().filter(({ startedAtMs }) => startedAtMs >= sinceMs);
  }

  /** What was spent on each day: pairs of a day and lamports. */
  days(): [day: number, lamports: bigint][] {
    return [...this.#days];
  }

  recall(sinceMs: number) {
    const lamports = this.days().reduce((sum, [day, spent]) => (day >= dayOf(sinceMs) ? sum + spent : sum), 0n);
    const suspension = countSuspension(this.#suspension, this.#endless.size);
    const [pending, landed] = [this.pending(), this.#latest()];
    const ended = asked([...landed, ...this.ended()], sinceMs, pending);
    return { pending, landed: landed.map(({ intentId }) => intentId), lamports, suspension, ended };
  }
}
