// Joins a compiled module and its glue.

import { __wbg_set_wasm as join } from "build:glue";
import { imports } from "build:imports";

/** Until {@link start} is called, using the module throws `why`. */
export function refuse(why) {
  join(
    new Proxy(Object.freeze({}), {
      get() {
        throw new Error(why);
      },
    }),
  );
}

/** Instantiates a module, which may come from another realm: Next.js passes one that is not its own `WebAssembly.Module`. */
export function start(module) {
  join(new WebAssembly.Instance(module, imports).exports);
}
