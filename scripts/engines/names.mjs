// What the engines of a bench are called, on the command line, in its tables and in the goals of its works. Free of
// anything of Node's: pages load the benches too.

export const NODES = ["node20", "node24"];
export const BROWSERS = ["chromium", "firefox"];
export const ENGINES = [...NODES, ...BROWSERS];

const each = (engines) => (goal) => Object.fromEntries(engines.map((engine) => [engine, goal]));

/** One goal for several engines: engine → fraction of the peer's time. */
export const onNode = each(NODES);
export const inBrowsers = each(BROWSERS);
export const everywhere = each(ENGINES);
