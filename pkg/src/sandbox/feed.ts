// The events of a sandbox's market for one reader, from the moment at which the answer was made.

/** The events that follow the beginning of a stream. */
export class Feed {
  #held: string[] = [];
  #write: ((text: string) => void) | undefined;
  /** Ends it. */
  stop: () => void = () => {};

  /** Passes on what is new, or holds it back until there is a reader. */
  tell(text: string): void {
    if (this.#write) this.#write(text);
    else this.#held.push(text);
  }

  /** The reader is there. */
  readBy(write: (text: string) => void): void {
    this.#write = write;
    for (const text of this.#held.splice(0)) write(text);
  }
}
