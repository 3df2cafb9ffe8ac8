// How long a program takes to start: a process up to its first trade or quote, minus an empty process, compared with `import
// axios`. A process takes long, so a sample is only a few of them.

import { NODES, RUNTIMES, onNode, onRuntimes } from "../scripts/engines/side.mjs";

const program = (name) => async () => (await import("./start/started.mjs")).started(name);

const shared = { peer: "import axios", engines: [...NODES, ...RUNTIMES], warmUpMs: 1, theirs: program("axios") };
const one = { ...onNode(0.25), ...onRuntimes(0.6) };

export default [
  { name: "the first trade written: the client", goals: one, ours: program("build"), ...shared },
  { name: "the first quote: the launchpad", goals: one, ours: program("quote"), ...shared },
  { name: "the first trade in a sandbox: both", goals: onNode(0.33), ours: program("trade"), ...shared },
];
