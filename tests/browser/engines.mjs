// Works for the tests of a bench's engines.

export default [
  {
    name: "counting",
    ours: async () => {
      let count = 0;
      return { run: () => ++count, answer: () => [typeof process, count, 2n ** 64n] };
    },
    theirs: () => ({ run: async () => {}, answer: async () => (globalThis.seen = (globalThis.seen ?? 0) + 1) }),
  },
  {
    name: "failing",
    ours: async () => {
      throw new TypeError("no such peer");
    },
  },
];
