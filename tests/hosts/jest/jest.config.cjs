module.exports = { transform: {}, testMatch: ["**/*.spec.cjs"], watchman: false };
