// What several entries need in JavaScript, in one file without WebAssembly: so an error has one class, wherever it is thrown.

export * from "./abort.js";
export * from "./body.js";
export * from "./bound.js";
export * from "./errors.js";
export * from "./generated.js";
export * from "./handle.js";
export * from "./json.js";
export * from "./symbols.js";
export * from "./methods.js";
export * from "./node-url.js";
export * from "./reply.js";
export * from "./runtime.js";
export * from "./since.js";
export * from "./watching.js";
