// Which runtime's node:http this is. Bun and Deno have their own, and what is proof on Node is not proof there.

export const isDeno: boolean = (globalThis as { Deno?: unknown }).Deno !== undefined;
export const isNode: boolean = !isDeno && typeof process.versions["bun"] !== "string";
