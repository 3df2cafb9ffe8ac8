// Node's own modules, loaded when they are first needed: importing node:http takes longer than everything else that a
// program does before its first trade.

// By its default: of the name itself, webpack says that it cannot read the path.
import Module from "node:module";

interface Builtins {
  "node:dns": typeof import("node:dns");
  "node:http": typeof import("node:http");
  "node:https": typeof import("node:https");
  "node:net": typeof import("node:net");
}

export const builtin = <Name extends keyof Builtins>(name: Name): Builtins[Name] =>
  // Other versions have only require, which needs a path that it does not use.
  (process.getBuiltinModule?.(name) ?? Module.createRequire(process.execPath)(name)) as Builtins[Name];
