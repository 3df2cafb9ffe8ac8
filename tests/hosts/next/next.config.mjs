import { fileURLToPath } from "node:url";

// Next itself is installed in the folder above the project's own.
const root = fileURLToPath(new URL("../..", import.meta.url));

export default { turbopack: { root }, outputFileTracingRoot: root };
