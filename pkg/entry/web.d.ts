export * from "./index.js";

/**
 * Makes the rest of this entry ready: fetches the WebAssembly module and compiles it while it arrives.
 * Nothing else of this entry may be used before. Calling it again is harmless.
 *
 * @param source - where the module is, or the module itself; by default the file
 *   `launchpad_desk_bg.wasm` beside this script.
 * @throws when the module cannot be fetched or compiled; a later call tries again.
 *
 * @example
 * ```js
 * import { TradeClient, init } from "launchpad-desk/web";
 *
 * await init();
 * const client = new TradeClient({ baseURL: "https://desk.example" });
 * ```
 */
export function init(
  source?: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>;

/**
 * Like {@link init}, at once, from bytes or a module that are there already.
 *
 * @throws {WebAssembly.CompileError} when the bytes are no WebAssembly module.
 *
 * @example
 * ```js
 * import { readFileSync } from "node:fs";
 * import { createRequire } from "node:module";
 * import { initSync, operationAt } from "launchpad-desk/web";
 *
 * initSync(readFileSync(createRequire(import.meta.url).resolve("launchpad-desk/launchpad_desk_bg.wasm")));
 * console.log(operationAt("/v1/trade/sell")); // sell
 * ```
 */
export function initSync(module: BufferSource | WebAssembly.Module): void;
