// A side that is a program: its first line is its answer; a line with a number of calls has it answer with the
// milliseconds these took.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../program.mjs";

/** No clock of a program is coarser than a thousandth of this. */
const SAMPLE_MS = 5;

/** A program that does not answer by then never will. */
const ANSWER_LIMIT_MS = 180_000;

/** What a program may take to end, once told to. */
const END_LIMIT_MS = 5_000;

/** `promise`, unless that takes longer than so many milliseconds; then `late()` says what instead. */
async function within(limitMs, promise, late) {
  const timer = new AbortController();
  const over = pause(limitMs, undefined, { signal: timer.signal }).then(late, () => {});
  try {
    return await Promise.race([promise, over]);
  } finally {
    timer.abort();
  }
}

/** Starts the program; resolves to its side once it has answered. */
export async function startProgram(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const command = [program, ...args].join(" ");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let failure;
  child.once("error", (error) => (failure = error));
  // It has ended, then, which the next line that is read tells.
  child.stdin.on("error", () => {});
  const ended = new Promise((resolve) => child.once("close", resolve));
  const line = async () => {
    const { value, done } = await within(ANSWER_LIMIT_MS, lines.next(), () => {
      throw new Error(`${command} has not answered for ${ANSWER_LIMIT_MS / 1000} s`);
    });
    if (done) throw failure ?? new Error(`${command} ended before it answered`);
    return value;
  };
  const end = async () => {
    child.stdin.end();
    await within(END_LIMIT_MS, ended, () => child.kill("SIGKILL"));
    await ended;
  };
  try {
    return {
      answer: await line(),
      sampleMs: SAMPLE_MS,
      async time(calls) {
        child.stdin.write(`${calls}\n`);
        const said = await line();
        const milliseconds = Number(said);
        if (!Number.isFinite(milliseconds)) throw new Error(`${command} answered ${JSON.stringify(said)}, which is no time`);
        return milliseconds;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
