module.exports = { transform: {}, testMatch: ["**/*.test.cjs"], watchman: false };
