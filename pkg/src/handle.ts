// Shared by classes whose state is in the module's memory: each holds the core's handle in a private field, and drops it when it is
// freed.

// A method reads its arguments before it asks for the handle: a getter among them may free the object.

/** Throws the error for using a freed object of the class `name`. */
export function freed(name: string): never {
  throw new ReferenceError(`this ${name} was freed, or is not one`);
}

/** Whether a value is an object of a class. False for a value that throws when it is inspected. */
export function isA<T>(value: unknown, type: { prototype: T }): value is T {
  try {
    return value instanceof (type as unknown as Function);
  } catch {
    return false;
  }
}

/** Throws the error for passing anything but an object of the class `name`. */
export function notA(name: string): never {
  throw new TypeError(`expected instance of ${name}`);
}

/** Lets `using` free the objects of a class, if the host supports it. */
export function disposable({ prototype }: { prototype: { free(): void } }): void {
  if (Symbol.dispose)
    Object.defineProperty(prototype, Symbol.dispose, { value: prototype.free, writable: true, configurable: true });
}
