// As Babel, SWC and ts-jest do, esbuild compiles ES modules to CommonJS: `transform.cjs`.
module.exports = {
  transform: { "\\.js$": "./transform.cjs" },
  transformIgnorePatterns: ["/node_modules/(?!launchpad-desk/)"],
  watchman: false,
};
