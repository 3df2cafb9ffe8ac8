// Takes a WebAssembly module apart into the streams that pkg/entry/streams.js puts together again: see there for what
// they are, and why.

import {
  BR_TABLE, BULK, CALL, CODE, COUNT, DECLARED_LOCALS, END, FLOATS, FRAME, I32_CONST, LOAD_OFFSETS, LOCALS, POINTERS, STORE_OFFSETS, STREAM, STREAMS, V128_CONST,
  VECTOR, bulkOf, isPointer, joinStreams, labelsAt, partOf, vectorOf,
} from "../pkg/entry/streams.js";
import { Reader, number } from "./binary.mjs";

const CODE_SECTION = 10;
const BLOCKS = [0x02, 0x03, 0x04];

/** Opcodes whose immediate goes by its length → those of the streams for an immediate of one byte. */
const BY_LENGTH = new Map([
  [0x10, CALL],
  [0x41, I32_CONST],
]);

/** The next instruction: its opcode, which may become one of the streams' own, and the bytes of its immediates. */
function readInstruction(reader) {
  const opcode = reader.byte();
  const shortest = BY_LENGTH.get(opcode);
  if (shortest !== undefined) {
    const immediates = reader.span(() => reader.number());
    return { opcode: shortest + immediates.length - 1, immediates };
  }
  if (opcode === VECTOR && [12, 13].includes(reader.bytes[reader.at])) {
    return { opcode: V128_CONST + reader.byte() - 12, immediates: reader.take(16) };
  }
  // Its alignment, which is 0.
  if ([LOAD_OFFSETS, STORE_OFFSETS].includes(STREAM[opcode])) reader.byte();
  let count = COUNT[opcode];
  if (opcode === BR_TABLE) count = labelsAt(reader.bytes, reader.at);
  if (opcode === BULK) count = bulkOf(reader.bytes[reader.at]);
  if (opcode === VECTOR) count = vectorOf(reader.bytes[reader.at]);
  const immediates = reader.span(() => {
    for (; count > 0; count--) STREAM[opcode] === FLOATS ? reader.byte() : reader.number();
  });
  return { opcode, immediates };
}

/** The stream of an instruction's immediates, which may hang on the opcodes of the two instructions after it. */
function streamOf(opcode, next, second) {
  const stream = STREAM[opcode];
  if (stream === LOCALS) return isPointer(next, second) ? POINTERS : LOCALS;
  return opcode === I32_CONST || opcode === I32_CONST + 1 ? stream + partOf(next) : stream;
}

/** The instructions of a body, to the end of its outermost block, one at a time. */
function* readInstructions(reader) {
  for (let depth = 1; depth > 0; ) {
    const instruction = readInstruction(reader);
    if (BLOCKS.includes(instruction.opcode)) depth++;
    if (instruction.opcode === END) depth--;
    yield instruction;
  }
}

function skipDeclaredLocals(reader) {
  for (let groups = reader.number(); groups > 0; groups--) {
    reader.number();
    reader.byte();
  }
}

/** Hands each part of all bodies to `put`, with its stream. */
function splitBodies(bodies, put) {
  const reader = new Reader(bodies);
  const instructions = [];
  while (reader.at < bodies.length) {
    // The size, which the body tells by itself.
    reader.number();
    put(
      DECLARED_LOCALS,
      reader.span(() => skipDeclaredLocals(reader)),
    );
    for (const instruction of readInstructions(reader)) instructions.push(instruction);
  }
  // What is read of the code ahead of an instruction's immediates is bytes: as a rule, opcodes.
  const code = Buffer.concat(instructions.flatMap(({ opcode, immediates }) => [Buffer.of(opcode), ...(STREAM[opcode] === CODE ? [immediates] : [])]));
  put(CODE, code);
  let at = 0;
  for (const { opcode, immediates } of instructions) {
    at += 1;
    if (STREAM[opcode] === CODE) at += immediates.length;
    else put(streamOf(opcode, code[at], code[at + 1]), immediates);
  }
}

/** Where the bodies of a module are. */
function findBodies(module) {
  const reader = new Reader(module);
  reader.take(8);
  while (reader.at < module.length) {
    const section = reader.byte();
    const end = reader.number() + reader.at;
    if (section === CODE_SECTION) {
      reader.number();
      return { start: reader.at, end };
    }
    reader.take(end - reader.at);
  }
  throw new Error("the module has no code");
}

/**
 * Takes a module apart.
 *
 * @param {Buffer} module
 * @returns {Buffer} what `joinStreams` makes the module of
 * @throws {Error} when it would not: the module holds what the streams cannot
 */
export function splitStreams(module) {
  const { start, end } = findBodies(module);
  const streams = Array.from({ length: STREAMS }, () => []);
  const put = (stream, bytes) => streams[stream].push(bytes);
  put(FRAME, module.subarray(0, start));
  put(FRAME, module.subarray(end));
  splitBodies(module.subarray(start, end), put);

  const contents = streams.map((parts) => Buffer.concat(parts));
  const head = [start, ...contents.map(({ length }) => length)].map(number);
  const content = Buffer.concat([...head, ...contents]);
  if (!module.equals(joinStreams(content, module.length))) throw new Error("the module does not come out of its streams as it went in");
  return content;
}
