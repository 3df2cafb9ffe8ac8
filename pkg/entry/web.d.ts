export * from "./index.js";

/**
 * Makes the rest of this entry ready to use: fetches the WebAssembly module and compiles it while it downloads.
 * Nothing else of this entry may be used before. Calling it again is harmless.
 *
 * @param source - where the module is, or the module itself; by default the file
 *   `launchpad_desk_bg.wasm` beside this script.
 * @throws if the module cannot be fetched or compiled; a later call tries again.
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
 * Like {@link init}, but synchronous, from bytes or a module that you already have.
 *
 * @throws {WebAssembly.CompileError} if the bytes are not a WebAssembly module.
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
