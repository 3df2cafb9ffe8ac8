// The most lamports that a trade may risk without a question, where nobody knows its price. It holds for this tab's session.

export class Limit {
  readonly #name: string;
  #lamports: bigint | null;

  /** @param world the name of the world that it is for */
  constructor(world: string) {
    this.#name = `launchpad-desk limit ${world}`;
    this.#lamports = read(this.#name);
  }

  /** Null if there is none: then every trade is asked about. */
  get lamports(): bigint | null {
    return this.#lamports;
  }

  set(lamports: bigint | null): void {
    this.#lamports = lamports;
    try {
      if (lamports === null) sessionStorage.removeItem(this.#name);
      else sessionStorage.setItem(this.#name, String(lamports));
    } catch {
      // Where the browser stores nothing, it lasts as long as the panel.
    }
  }
}

function read(name: string): bigint | null {
  try {
    const kept = sessionStorage.getItem(name) ?? "";
    return /^\d{1,20}$/.test(kept) ? BigInt(kept) : null;
  } catch {
    return null;
  }
}
