// At which price of a token selling all of a position brings a multiple of its cost, and the reverse. The core counts both, on its curve
// moved there: with every fee, and with the rent that comes back.

import type { Curve, Exits } from "launchpad-desk/market";
import type { ExitPlan, ExitPosition } from "../../generated.js";
import type { World } from "../worlds/world.js";

/** A line stands still while trades only round the curve. */
const DIGITS = 6;
/** Each halves what lies between two prices: so many are finer than the digits. */
const STEPS = 26;

export class Scale {
  readonly #curve: Curve;
  readonly #open: ReturnType<Exits["open"]>;
  readonly #tokens: number;
  readonly #walletTokens: bigint;
  /** The curve as it is, in base units and lamports. */
  readonly #now: Curve["reserves"];
  /** Base units of a whole token. */
  readonly #whole: number;

  private constructor(world: World, curve: Curve, plan: ExitPlan, position: ExitPosition, walletTokens: bigint) {
    this.#curve = curve;
    this.#now = curve.reserves;
    this.#whole = 10 ** curve.launchpad.tokenDecimals;
    this.#tokens = Number(position.tokens);
    this.#walletTokens = walletTokens;
    this.#open = new world.maths.Exits(plan).open(position);
  }

  /** Does something with the scale of a position, if its curve is known and has a price. */
  static with<T>(
    world: World,
    plan: ExitPlan,
    position: ExitPosition,
    walletTokens: bigint,
    use: (scale: Scale) => T,
  ): T | undefined {
    const curve = world.curve(position.mint);
    let scale: Scale | undefined;
    try {
      if (!curve || curve.complete || !BigInt(position.tokens)) return undefined;
      scale = new Scale(world, curve, plan, position, walletTokens);
      return use(scale);
    } finally {
      if (scale) scale.#open.free();
      curve?.free();
    }
  }

  /** The prices that its curve can have while the position is held, in lamports per whole token. */
  get ends(): readonly [number, number] {
    const { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } = this.#now;
    const product = Number(virtualTokenReserves) * Number(virtualSolReserves);
    const price = (virtualTokens: number): number => (product * this.#whole) / (virtualTokens * virtualTokens);
    const start = product / Number(virtualSolReserves - realSolReserves);
    return [price(start - this.#tokens), price(Number(virtualTokenReserves - realTokenReserves))];
  }

  /** The price at which all tokens together are worth this. */
  priceOfCap(lamports: number): number {
    return lamports / (Number(this.#curve.supply) / this.#whole);
  }

  /** The multiple at a price, exact text such as `0.975298762x`; undefined at a price that the curve cannot have. */
  multipleAt(price: number): string | undefined {
    const [least, most] = this.ends;
    if (!(price >= least && price <= most)) return undefined;
    const { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } = this.#now;
    const product = Number(virtualTokenReserves) * Number(virtualSolReserves);
    const virtualSol = BigInt(Math.round(Math.sqrt((price / this.#whole) * product)));
    const virtualTokens = (virtualTokenReserves * virtualSolReserves) / virtualSol;
    const moved = {
      virtualSolReserves: virtualSol,
      virtualTokenReserves: virtualTokens,
      realSolReserves: atLeastZero(realSolReserves + virtualSol - virtualSolReserves),
      realTokenReserves: atLeastZero(realTokenReserves + virtualTokens - virtualTokenReserves),
    };
    this.#curve.moveTo(moved);
    try {
      return this.#open.multiple(this.#curve, { walletTokens: this.#walletTokens }) ?? undefined;
    } finally {
      this.#curve.moveTo(this.#now);
    }
  }

  /** The price at which selling all brings this multiple; undefined if the curve has none. */
  priceAt(multiple: number): number | undefined {
    const [least, most] = this.ends;
    // Where rent is most of the worth, the multiple hardly goes with the price.
    let [low, high] = [least, most];
    for (let step = 0; step < STEPS; step++) {
      const middle = Math.sqrt(low * high);
      if (Number.parseFloat(this.multipleAt(middle) ?? "") < multiple) low = middle;
      else high = middle;
    }
    return low > least && high < most ? Number(high.toPrecision(DIGITS)) : undefined;
  }
}

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
