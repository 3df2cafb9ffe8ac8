// How long ago something was, by the clocks of this process.

export class Since {
  readonly #at = [performance.now(), Date.now()] as const;

  /** Milliseconds since then. One clock may stand still while the machine sleeps, the other may be set back: the longer time counts. */
  get ageMs(): number {
    return Math.max(performance.now() - this.#at[0], Date.now() - this.#at[1]);
  }
}
