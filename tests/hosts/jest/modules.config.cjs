module.exports = { transform: {}, watchman: false };
