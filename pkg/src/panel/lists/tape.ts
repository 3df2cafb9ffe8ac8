// What the market's trades tell of each token: when it was launched, what its creator still holds, how much was traded of late.

import type { MarketTrade } from "../../generated.js";
import type { InJson } from "../../json.js";
import type { World } from "../worlds/world.js";

/** What counts as of late. */
const LATELY_MS = 5 * 60_000;
/** How often the trades are read. */
const EVERY_MS = 1_000;

/** From how many trades of a token on the old ones are dropped, also while nobody asks. */
const MOST_KEPT = 500;

interface Seen {
  /** When it was launched, in the world's time; null if that was before the trades that are kept. */
  readonly launchedMs: number | null;
  /** Who bought with the launch; empty if nobody knows. */
  readonly creator: string;
  /** What that wallet holds, in base units. */
  held: bigint;
  /** The trades of late, oldest first. */
  lately: { readonly atMs: number; readonly lamports: bigint }[];
}

function dropOld(seen: Seen, nowMs: number): void {
  seen.lately = seen.lately.filter(({ atMs }) => atMs >= nowMs - LATELY_MS);
}

export class Tape {
  readonly #world: World;
  readonly #seen = new Map<string, Seen>();
  #after: string | number = 0;
  #readAtMs = -Infinity;
  #isReading = false;
  /** Whether the last reading failed. */
  isBroken = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads what was traded since; `changed` is called once it is read, if there was more than a second's trades. */
  async follow(changed: () => void): Promise<void> {
    if (this.#isReading || performance.now() - this.#readAtMs < EVERY_MS) return;
    this.#isReading = true;
    const isFirst = this.#after === 0;
    try {
      for (let more = true; more;) {
        const page = await this.#world.stream?.(this.#after);
        if (!page) break;
        if (page.restarted) this.#seen.clear();
        for (const trade of page.trades) this.#take(trade, this.#world.now() - (page.nowMs - trade.atMs));
        ({ next: this.#after, more } = page);
      }
      this.isBroken = false;
    } catch {
      this.isBroken = true;
    }
    [this.#isReading, this.#readAtMs] = [false, performance.now()];
    if (isFirst || this.isBroken) changed();
  }

  #take(trade: InJson<MarketTrade>, atMs: number): void {
    const { mint, side, wallet } = trade;
    const tokens = BigInt(trade.tokens);
    const seen = this.#seen.get(mint) ?? this.#first(trade, atMs);
    this.#seen.set(mint, seen);
    if (seen.creator && wallet === seen.creator) seen.held += side === "buy" ? tokens : -tokens;
    seen.lately.push({ atMs, lamports: BigInt(trade.lamports) });
    if (seen.lately.length > MOST_KEPT) dropOld(seen, atMs);
  }

  /** A token's first trade that is kept: if the curve was new before it, it came with the launch. */
  #first({ mint, side, tokens, virtualTokenReserves, trader, wallet }: InJson<MarketTrade>, atMs: number): Seen {
    const curve = this.#world.curve(mint);
    const start = BigInt(curve?.launchpad.start.virtualTokenReserves ?? 0);
    curve?.free();
    const isLaunch = side === "buy" && start === BigInt(virtualTokenReserves) + BigInt(tokens);
    const creator = isLaunch && trader === "holder" ? wallet : "";
    return { launchedMs: isLaunch ? atMs : null, creator, held: 0n, lately: [] };
  }

  launchedMs(mint: string): number | null {
    return this.#seen.get(mint)?.launchedMs ?? null;
  }

  /** What its creator holds; null if that is not known. */
  creatorHolds(mint: string): bigint | null {
    const seen = this.#seen.get(mint);
    return seen?.creator ? seen.held : null;
  }

  /** Lamports that were traded of it in the last five minutes. */
  traded(mint: string): bigint {
    const seen = this.#seen.get(mint);
    if (!seen) return 0n;
    const from = this.#world.now() - LATELY_MS;
    if ((seen.lately[0]?.atMs ?? from) < from) dropOld(seen, this.#world.now());
    return seen.lately.reduce((sum, { lamports }) => sum + lamports, 0n);
  }
}
