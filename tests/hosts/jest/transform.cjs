const { transformSync } = require("esbuild");

module.exports = { process: (code) => ({ code: transformSync(code, { format: "cjs" }).code }) };
