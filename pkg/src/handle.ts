// What classes with state in the module's memory share: each holds the core's handle of it in a private field, and forgets it
// when it is freed.

// A method reads its arguments before it asks for the handle: a getter among them may free the object.

/** Throws what using a freed object of the class `name` throws. */
export function freed(name: string): never {
  throw new ReferenceError(`this ${name} was freed, or never was one`);
}

/** Whether a value is an object of a class. False for a value that throws when it is looked at. */
export function isA<T>(value: unknown, type: { prototype: T }): value is T {
  try {
    return value instanceof (type as unknown as Function);
  } catch {
    return false;
  }
}

/** Throws what passing anything but an object of the class `name` throws. */
export function notA(name: string): never {
  throw new TypeError(`expected instance of ${name}`);
}

/** Lets `using` free the objects of a class, where the host knows of it. */
export function disposable({ prototype }: { prototype: { free(): void } }): void {
  if (Symbol.dispose) Object.defineProperty(prototype, Symbol.dispose, { value: prototype.free, writable: true, configurable: true });
}
