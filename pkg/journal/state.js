// What journals remember of intents, and what they refuse to begin.

/** The latest that landed are remembered, so that none of them is begun again. */
const REMEMBERED = 10_000;

/** What each outcome means for an intent: money moved for good, or none did and the id is free again, or nobody knows. */
const MEANING = new Map([
  ["landed", "landed"],
  ["unconfirmed", "landed"],
  ["not_sent", "nothing"],
  ["rejected", "nothing"],
  ["failed", "nothing"],
  ["did_not_land", "nothing"],
  ["unknown", "doubt"],
]);

export function meaningOf(outcome) {
  const meaning = MEANING.get(outcome);
  if (!meaning) throw new TypeError(`${outcome} is no outcome; there are ${[...MEANING.keys()].join(", ")}`);
  return meaning;
}

/** Why an intent that is known already is not begun. */
export const refusal = (intentId, hasLanded) =>
  new Error(`intent ${intentId} ${hasLanded ? "has landed before" : "was begun before, and nobody knows what became of it"}`);

/** The intent as a journal keeps it: its own fields, checked, and no others. No key ever comes near a journal. */
export function recordOf({ intentId, operation, startedAtMs, body }) {
  for (const [name, text] of Object.entries({ intentId, operation, body })) {
    if (typeof text !== "string" || !text) throw new TypeError(`an intent's ${name} must be text`);
  }
  if (!Number.isSafeInteger(startedAtMs)) throw new TypeError("an intent's startedAtMs must be whole milliseconds");
  return Object.freeze({ intentId, operation, startedAtMs, body });
}

/** Intents by id, in doubt or landed. Those that came to nothing are forgotten. */
export class Intents {
  #doubtful = new Map();
  #landed = new Map();

  begin(intent) {
    const { intentId } = intent;
    const hasLanded = this.#landed.has(intentId);
    if (hasLanded || this.#doubtful.has(intentId)) throw refusal(intentId, hasLanded);
    this.#doubtful.set(intentId, intent);
  }

  /** Takes an outcome down; whether that changes what is known. */
  settle(intentId, outcome) {
    const meaning = meaningOf(outcome);
    const intent = this.#doubtful.get(intentId);
    if (!intent || meaning === "doubt") return false;
    this.#doubtful.delete(intentId);
    if (meaning === "landed") {
      this.#landed.set(intentId, intent);
      // A map's first key is its oldest.
      if (this.#landed.size > REMEMBERED) this.#landed.delete(this.#landed.keys().next().value);
    }
    return true;
  }

  /** Those of which nobody knows what became of them, the oldest first. */
  pending() {
    return [...this.#doubtful.values()];
  }

  /** Those that landed, of the ones that began at `sinceMs` or later. */
  landed(sinceMs) {
    return [...this.#landed.values()].filter(({ startedAtMs }) => startedAtMs >= sinceMs);
  }
}
