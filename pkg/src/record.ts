// `launchpad-desk/record`: the log of a desk, and its verification.

export type { RecordCheck, RecordProblem } from "./generated.js";
export { DeskRecord, type RecordStore } from "./record/record.js";
export { recordSandbox, recordTape } from "./record/replay.js";
export type { RecordSource } from "./record/source.js";
export { type RecordVerdict, checkText, verifyRecord } from "./record/verify.js";
