// How many tests passed and failed, read from what the test programs print.

const sum = (matches) => matches.reduce((total, [, number]) => total + Number(number), 0);
const count = (output, pattern) => sum([...output.matchAll(pattern)]);

/** A program that failed in some other way than by a test (it did not compile, it crashed) is one failure. */
const settle = ({ passed, failed }, succeeded) => ({ passed, failed: succeeded || failed ? failed : 1 });

/** `cargo test`'s, of all the test binaries it ran. */
export function cargoCounts(output, succeeded) {
  const passed = count(output, /^test result: \w+\. (\d+) passed; \d+ failed;/gm);
  const failed = count(output, /^test result: \w+\. \d+ passed; (\d+) failed;/gm);
  return settle({ passed, failed }, succeeded);
}

/** `node --test`'s, as its spec reporter sums them up. */
export function nodeCounts(output, succeeded) {
  const passed = count(output, /^ℹ pass (\d+)$/gm);
  const failed = count(output, /^ℹ (?:fail|cancelled) (\d+)$/gm);
  return settle({ passed, failed }, succeeded);
}

/** A check that either holds or does not. */
export const checkCounts = (_output, succeeded) => (succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
