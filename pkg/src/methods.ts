// Methods that can be used on their own: `const { buy } = client`.

/** Binds each method of a class to its object when it is taken out of it; returns the methods themselves. */
export function bindMethods<T extends object>({ prototype }: { prototype: T }): Readonly<Record<keyof T, Function>> {
  const methods: { [name: string]: Function } = {};
  for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof method !== "function" || name === "constructor") continue;
    methods[name] = method;
    const bound = new WeakMap<object, Function>();
    Object.defineProperty(prototype, name, {
      get(this: object) {
        if (this === prototype) return method;
        let own = bound.get(this);
        if (!own) bound.set(this, (own = method.bind(this) as Function));
        return own;
      },
      // A test may put its own method there.
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
      configurable: true,
    });
  }
  return methods as Record<keyof T, Function>;
}
