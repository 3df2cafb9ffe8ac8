// Whose node:http this is. Bun and Deno have their own, and what is proof in Node is not proof there.

export const isDeno = globalThis.Deno !== undefined;
export const isNode = !isDeno && typeof process.versions.bun !== "string";
