// What a person allows for this tab's session: how much a trade may risk without a question where nobody knows its price, and with instant
// mode, how much one press may send. Both are one limit for each trade; instant mode adds one for all buys together.

import { spentBy } from "../../browser/state.js";
import { type Attempt, MOST_SETTLED } from "../attempts/attempt.js";
import { meaningOf } from "../attempts/machine.js";

/** The limits of instant mode, in lamports. */
export interface Instant {
  readonly perTrade: bigint;
  /** The most that all buys together may spend, and what is left of it. */
  readonly session: bigint;
  readonly left: bigint;
}

interface Kept {
  readonly perTrade: bigint;
  readonly instant: { readonly session: bigint; readonly sinceMs: number } | null;
}

export class Limit {
  readonly #name: string;
  readonly #sent: () => readonly Attempt[];
  readonly mayExceed: boolean;
  #kept: Kept | null;

  /** @param mayExceed whether its service may spend the slippage of a buy beside its amount */
  constructor(world: string, sent: () => readonly Attempt[], mayExceed = false) {
    this.mayExceed = mayExceed;
    this.#name = `launchpad-desk limit ${world}`;
    this.#sent = sent;
    this.#kept = read(this.#name);
  }

  /** The most that a buy may risk without a question. Null if there is no limit: then every trade is asked about. */
  get lamports(): bigint | null {
    const { instant } = this;
    if (!instant) return this.#kept && this.#kept.perTrade;
    return instant.left < instant.perTrade ? instant.left : instant.perTrade;
  }

  /** Null while instant mode is off. */
  get instant(): Instant | null {
    if (!this.#kept?.instant) return null;
    const {
      perTrade,
      instant: { session, sinceMs: begunMs },
    } = this.#kept;
    const sinceMs = Math.min(begunMs, Date.now());
    // The clock was set back: what is bought from now on would seem to be from before.
    if (sinceMs < begunMs) this.#keep({ perTrade, instant: { session, sinceMs } });
    const sent = this.#sent().filter(({ startedAtMs }) => startedAtMs >= sinceMs);
    // Of more trades than the list keeps nobody knows what all of them have spent.
    const spent =
      sent.length < MOST_SETTLED ? sent.reduce((sum, attempt) => sum + this.#spentBy(attempt), 0n) : session;
    return { perTrade, session, left: spent < session ? session - spent : 0n };
  }

  /** Sets what a trade may risk. */
  accept(lamports: bigint): void {
    this.#keep({ perTrade: lamports, instant: null });
  }

  /** Turns instant mode on. */
  begin(perTrade: bigint, session: bigint): void {
    this.#keep({ perTrade, instant: { session, sinceMs: Date.now() } });
  }

  /** Ends both: the next trade is asked about. */
  end(): void {
    this.#keep(null);
  }

  /** What a buy has spent, or may still spend: where that may be more than its body says, all that limits have counted. */
  #spentBy({ side, body, plan, fate }: Attempt): bigint {
    if (side !== "buy" || meaningOf(fate).isNothing || fate.is === "did_not_land") return 0n;
    const counted = this.mayExceed && plan?.counted;
    return spentBy({ body, ...(counted && { counted }) }, fate.is === "failed" ? "failed" : "landed");
  }

  #keep(kept: Kept | null): void {
    this.#kept = kept;
    try {
      if (!kept) sessionStorage.removeItem(this.#name);
      else
        sessionStorage.setItem(
          this.#name,
          [kept.perTrade, ...(kept.instant ? [kept.instant.session, kept.instant.sinceMs] : [])].join(" "),
        );
    } catch {
      // Where the browser stores nothing, it lasts as long as the panel.
    }
  }
}

function read(name: string): Kept | null {
  try {
    const kept = /^(\d{1,20})(?: (\d{1,20}) (\d{1,15}))?$/.exec(sessionStorage.getItem(name) ?? "");
    if (!kept) return null;
    const [, perTrade = "", session, sinceMs] = kept;
    return {
      perTrade: BigInt(perTrade),
      instant: session === undefined ? null : { session: BigInt(session), sinceMs: Number(sinceMs) },
    };
  } catch {
    return null;
  }
}
