// A reply of node:http in the shape of fetch's Response, as far as clients use one.

import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { failure } from "./unsent.js";

/** More pieces than these are left in the connection until somebody reads. */
const MAX_WAITING = 16;

const DECODERS = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** The body's bytes as the service means them. */
function decoded(message) {
  const decoder = DECODERS[message.headers["content-encoding"]?.toLowerCase()];
  // An error of either one comes out of the decoder.
  return decoder ? pipeline(message, decoder(), () => {}) : message;
}

/** Calls `done` once; with an error if the body breaks off. */
function onEnd(stream, done) {
  let isOver = false;
  const over = (error) => {
    if (!isOver) done(error);
    isOver = true;
  };
  const close = () => isOver || over(failure("ECONNRESET", "the reply broke off"));
  stream.on("end", over).on("error", over).on("close", close);
  if (stream.destroyed) close();
}

/** A stream's bytes. */
function wholeOf(stream) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    stream.on("data", (piece) => pieces.push(piece));
    onEnd(stream, (error) => (error ? reject(error) : resolve(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))));
  });
}

/** Reads a stream piece by piece. */
class BodyReader {
  #waiting = [];
  #next;
  #end;
  #stream;

  constructor(stream) {
    this.#stream = stream;
    stream.on("data", (piece) => {
      this.#waiting.push(piece);
      if (this.#waiting.length > MAX_WAITING) stream.pause();
      this.#next?.();
    });
    onEnd(stream, (error) => {
      this.#end = { error };
      this.#next?.();
    });
  }

  async read() {
    while (!this.#waiting.length) {
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return { done: true, value: undefined };
      await new Promise((resolve) => (this.#next = resolve));
    }
    if (this.#waiting.length === 1) this.#stream.resume();
    return { done: false, value: this.#waiting.shift() };
  }

  async cancel() {
    this.#stream.destroy();
  }

  releaseLock() {}
}

class Reply {
  #message;
  #isRead = false;

  constructor(message, url) {
    this.#message = message;
    this.url = url;
    // An error that nobody awaits must not end the program.
    message.on("error", () => {});
  }

  get status() {
    return this.#message.statusCode;
  }

  get statusText() {
    return this.#message.statusMessage;
  }

  get ok() {
    return this.status >= 200 && this.status < 300;
  }

  get redirected() {
    return false;
  }

  get headers() {
    const message = this.#message;
    const get = (name) => {
      const key = String(name).toLowerCase();
      // If a header comes twice, `headers` may have only the first.
      const value = message.headers[key] && (message.headersDistinct?.[key] ?? message.headers[key]);
      return value === undefined ? null : [value].flat().join(", ");
    };
    return { get, has: (name) => get(name) !== null };
  }

  get body() {
    return { getReader: () => new BodyReader(this.#stream()) };
  }

  get bodyUsed() {
    return this.#isRead;
  }

  #stream() {
    if (this.#isRead) throw new TypeError("the body has been read");
    this.#isRead = true;
    return decoded(this.#message);
  }

  async bytes() {
    return wholeOf(this.#stream());
  }

  async arrayBuffer() {
    // Copied: the bytes are in a buffer that the connection shares.
    return new Uint8Array(await this.bytes()).buffer;
  }

  async text() {
    const text = (await this.bytes()).toString();
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  async json() {
    return JSON.parse(await this.text());
  }
}

export const reply = (message, url) => new Reply(message, url);
