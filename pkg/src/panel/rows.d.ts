/** The rows of a sandbox, which the build puts in. */
export declare const rows: readonly string[];
