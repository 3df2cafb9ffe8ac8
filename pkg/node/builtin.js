// Node's own modules, loaded when they are first needed: importing node:http takes longer than everything else that a
// program does before its first trade.

import { createRequire } from "node:module";

export const builtin = (name) =>
  // Elsewhere there is only require, which needs a path that it does not use.
  process.getBuiltinModule?.(name) ?? createRequire(process.execPath)(name);
