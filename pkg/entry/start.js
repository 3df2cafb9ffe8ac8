// Joins a compiled module and its glue. If an instance fails, whatever was made with it throws one error from then on, and a new
// instance takes its place for what is made after that.

import { forgetMemory } from "../src/crossing.js";
import { current, renew } from "build:glue";
import { importsOf } from "build:imports";
import { moduleFailed } from "../src/errors.js";

/** What a handle can do once its instance is gone: nothing, except to be freed. */
const FREES = ["constructor", "free", "__destroy_into_raw"];
const gone = () => {
  throw moduleFailed();
};

/** Ends what was made with some glue. */
function end(glue) {
  for (const { prototype } of Object.values(glue)) {
    for (const name of Object.getOwnPropertyNames(prototype ?? {})) {
      if (!FREES.includes(name)) Object.defineProperty(prototype, name, { get: gone });
    }
  }
  // Nothing is left to free.
  glue.__wbg_set_wasm(
    new Proxy(Object.freeze({}), { get: (_, name) => (String(name).endsWith("_free") ? () => {} : gone()) }),
  );
}

/** Starts with new glue; if that fails, too, the next call tries again. */
function restart(module) {
  renew();
  forgetMemory();
  try {
    start(module);
  } catch {
    const get = () => {
      restart(module);
      gone();
    };
    current.__wbg_set_wasm(new Proxy(Object.freeze({}), { get }));
  }
}

/** Whether an export refused an argument that is not its own, before it did anything. */
const isRefusal = (thrown) => Object.getPrototypeOf(thrown ?? 0) === Error.prototype;

/** Compiles a module and starts it. Where that cannot be, the import says why, in a sentence with a code. */
export function startFrom(bytes) {
  let module;
  try {
    module = new WebAssembly.Module(bytes);
  } catch (cause) {
    const why =
      typeof globalThis.WebAssembly?.Module === "function"
        ? "this page or runtime does not let it compile WebAssembly: a content security policy has to have 'wasm-unsafe-eval'"
        : "this runtime has no WebAssembly, such as Hermes, or a browser in Lockdown Mode";
    throw Object.assign(new Error(`launchpad-desk cannot start: ${why}`, { cause }), { code: "no_webassembly" });
  }
  start(module);
}

/** Instantiates a module, which may come from another realm: Next.js passes one that is not its own `WebAssembly.Module`. */
export function start(module) {
  const glue = current;
  const { exports } = new WebAssembly.Instance(module, importsOf(glue));
  const guarded = {};
  for (const [name, value] of Object.entries(exports)) {
    const call = (...given) => {
      try {
        return value(...given);
      } catch (thrown) {
        if (isRefusal(thrown)) throw thrown;
        // It stopped in the middle of something: a trap, no memory, or no stack.
        if (glue === current) {
          end(glue);
          restart(module);
        }
        throw moduleFailed();
      }
    };
    guarded[name] = typeof value === "function" ? call : value;
  }
  glue.__wbg_set_wasm(guarded);
}
