// What accounts cost by the newest rules, in lamports: the bytes of their data and 128 more, each at the rent of a byte.

import { defaultLaunchpad } from "launchpad-desk/market";

const of = (bytes) => (bytes + 128n) * BigInt(defaultLaunchpad().rentLamportsPerByte);

/** A token account of the first token program. */
export const TOKEN_ACCOUNT_RENT = of(165n);
/** The account in which the launchpad counts what a wallet trades. */
export const VOLUME_ACCOUNT_RENT = of(137n);
