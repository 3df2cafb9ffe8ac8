// The quotes of native Rust: the questions and the answers.

import { capture } from "../../scripts/program.mjs";
import { rustProgram } from "../rust-program.mjs";

/** Asks native Rust for ten thousand quotes from a seed, and resolves to the lines asked and the text answered. */
export async function nativeQuotes(seed) {
  const printed = await capture(await rustProgram("random-quotes"), [String(seed)]);
  const lines = printed
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  return { asked: lines.map(([asked]) => asked), answered: lines.map(([, answered]) => answered).join("\n") };
}

/** Where two texts of many lines first differ, for a message; undefined where they do not. */
export function firstDifference(ours, theirs, asked) {
  const [our, their] = [ours.split("\n"), theirs.split("\n")];
  const at = our.findIndex((line, index) => line !== their[index]);
  return at < 0 && our.length === their.length ? undefined : `asked ${asked[at]}\n${our[at]}\ninstead of\n${their[at]}`;
}
