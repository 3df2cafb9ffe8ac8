// Random tests draw from a seed: the same in every run, unless `npm run prove` sets another.

/** The seed that is written down, or the one that is named, as a bigint of at most 64 bits. */
export const seedOr = (written) => BigInt.asUintN(64, BigInt(process.env.PROVE_SEED ?? written));

/** Whole numbers below a bound, from a seed. */
export function draws(seed) {
  let state = seed;
  return (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(below));
  };
}
