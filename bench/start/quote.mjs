// The launchpad alone: a price on the curve of a new token.

import { Curve } from "launchpad-desk/market";

const tokens = new Curve().buyExactIn(1_000_000_000n);
if (tokens !== 34_199_203_120_618n) throw new Error(`another price was quoted: ${tokens}`);
