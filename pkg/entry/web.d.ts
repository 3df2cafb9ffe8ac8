export * from "./index.js";

/**
 * Makes the rest of this entry ready: fetches the WebAssembly module and compiles it while it arrives.
 * Nothing else of this entry may be used before. Calling it again is harmless.
 *
 * @param source - where the module is, or the module itself; by default the file
 *   `launchpad_desk_bg.wasm` beside this script.
 * @throws when the module cannot be fetched or compiled; a later call tries again.
 */
export function init(
  source?: string | URL | Request | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<void>;

/**
 * Like {@link init}, at once, from bytes or a module that are there already.
 *
 * @throws {WebAssembly.CompileError} when the bytes are no WebAssembly module.
 */
export function initSync(module: BufferSource | WebAssembly.Module): void;
