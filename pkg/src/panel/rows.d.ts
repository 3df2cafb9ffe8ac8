/** The start of a market, which the build puts in. */
export declare const stored: import("./first-market.js").StoredStart;
