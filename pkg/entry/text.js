// Imports the host's text coders for every file, because jsdom, as Jest sets it up, hides Node's own.

const { TextDecoder, TextEncoder } =
  globalThis.TextDecoder && globalThis.TextEncoder
    ? globalThis
    : (globalThis.process?.getBuiltinModule?.("util") ?? globalThis);

export { TextDecoder, TextEncoder };
