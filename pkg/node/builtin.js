// Node's own modules, loaded when they are first needed: an import of node:http takes longer than all else that a program
// does before its first trade.

import { createRequire } from "node:module";

export const builtin = (name) =>
  // Node 18 has no way but require, and a path that it asks for and does not use.
  process.getBuiltinModule?.(name) ?? createRequire(process.execPath)(name);
