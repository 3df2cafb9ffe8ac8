// What the launchpad refuses, as an error. A class that extends Error has to be written in JS.

export class RefusalError extends Error {
  /**
   * @param {string} message
   * @param {string} code
   * @param {number | undefined} leg the leg of a bundle that was refused
   */
  constructor(message, code, leg) {
    super(message);
    this.code = code;
    if (leg !== undefined) this.leg = leg;
  }

  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }
}

// The name is on the prototype, as for the errors of the language, and survives minifiers.
Object.defineProperty(RefusalError.prototype, "name", { value: "RefusalError", configurable: true, writable: true });

export const refusalError = (message, code, leg) => new RefusalError(message, code, leg);
