// Whose node:http this is: Bun and Deno have one of their own, and what is proof in Node is none there.

export const isDeno = globalThis.Deno !== undefined;
export const isNode = !isDeno && typeof process.versions.bun !== "string";
