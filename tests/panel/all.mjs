// All tests of the panel in one process, which starts each browser once.

import { readdirSync } from "node:fs";

const files = readdirSync(new URL(".", import.meta.url)).filter((file) => file.endsWith(".test.mjs"));
for (const file of files.sort()) await import(`./${file}`);
