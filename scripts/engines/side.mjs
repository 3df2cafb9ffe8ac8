// The names of the engines, and one side of one work in the engine that loads this. It uses nothing of Node, because pages load it
// too.

export const NODES = ["node20", "node24"];
export const BROWSERS = ["chromium", "firefox"];
/** Engines that only start programs. */
export const RUNTIMES = ["bun", "deno"];
export const ENGINES = [...NODES, ...BROWSERS, ...RUNTIMES];
/** The engines of what a page does, too. Of a work that names none, they are the Nodes. */
export const IN_BROWSERS_TOO = [...NODES, ...BROWSERS];

const each = (engines) => (goal) => Object.fromEntries(engines.map((engine) => [engine, goal]));

/** One goal for several engines: engine → fraction of the peer's time. */
export const onNode = each(NODES);
export const onRuntimes = each(RUNTIMES);
/** The goal of a work that pages do, too. */
export const everywhere = (goal) => ({ goals: each(IN_BROWSERS_TOO)(goal), engines: IN_BROWSERS_TOO });

/** The result of the last call. Without this use of it, the engine could skip the call. */
export let last;

const inOneGo = (run, clock) => (calls) => {
  const began = clock();
  for (let call = 0; call < calls; call++) last = run();
  return clock() - began;
};

const inTurn = (run, clock) => async (calls) => {
  const began = clock();
  for (let call = 0; call < calls; call++) last = await run();
  return clock() - began;
};

const bigints = (_, value) => (typeof value === "bigint" ? String(value) : value);

/** Sets up "ours" or "theirs" of a work, and computes its answer. `time` gives how many milliseconds so many calls took, by the side's own clock. */
export async function openSide(works, name, which) {
  const { run, answer, clock = () => performance.now() } = await works.find((work) => work.name === name)[which]();
  const said = JSON.stringify(await answer(), bigints);
  const first = run();
  const time = typeof first?.then === "function" ? inTurn : inOneGo;
  await first;
  return { answer: said, time: time(run, clock) };
}
