// The WebAssembly binary format, as far as the build has to read and write it.

/** Reads what sections are made of: LEB128 numbers and strings with their length in front. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error("the module ends in the middle");
    return this.bytes[this.at++];
  }

  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  take(length) {
    this.at += length;
    if (this.at > this.bytes.length) throw new Error("the module ends in the middle");
    return this.bytes.subarray(this.at - length, this.at);
  }

  name() {
    return Buffer.from(this.take(this.number())).toString("utf8");
  }

  /** The bytes that `read` passes over. */
  span(read) {
    const start = this.at;
    read();
    return this.bytes.subarray(start, this.at);
  }
}

/** A number as LEB128. */
export function number(value) {
  const bytes = [];
  do {
    bytes.push((value % 0x80) | (value >= 0x80 ? 0x80 : 0));
    value = Math.floor(value / 0x80);
  } while (value);
  return Buffer.from(bytes);
}
