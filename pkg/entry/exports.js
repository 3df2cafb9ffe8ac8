// What each exported value gets beside itself.

const { defineProperty, entries, hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name) } = Object;

/**
 * Has an object that was freed say so. It would be looked for in the module, which throws in the midst of what it does:
 * after some thousand times that has no stack left. So it loses its pointer, and to ask for that is an error out here.
 */
function endWell(type) {
  const { prototype } = type;
  const { free } = prototype;
  defineProperty(prototype, "__wbg_ptr", {
    get() {
      throw new ReferenceError(`this ${type.name} was freed, or never was one`);
    },
    set(value) {
      defineProperty(this, "__wbg_ptr", { value, writable: true, configurable: true });
    },
  });
  prototype.free = function () {
    if (!hasOwn(this, "__wbg_ptr")) return;
    free.call(this);
    delete this.__wbg_ptr;
  };
  if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
}

/** Has each method of a class go with the object that it is taken from: `const { buy } = client`. */
function bindMethods({ prototype }) {
  for (const [name, { value: method }] of entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof method !== "function" || name === "constructor") continue;
    const bound = new WeakMap();
    defineProperty(prototype, name, {
      get() {
        if (this === prototype) return method;
        if (!bound.has(this)) bound.set(this, method.bind(this));
        return bound.get(this);
      },
      // As a test does that puts a method of its own there.
      set(value) {
        defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
      configurable: true,
    });
  }
}

/** Gives each function the name that a trader reads in an error or a console, and each class of the module its end. */
export function present(functions) {
  for (const [name, value] of entries(functions)) {
    defineProperty(value, "name", { value: name, configurable: true });
    if (value.prototype?.free) endWell(value);
    if (name === "TradeClient") bindMethods(value);
  }
}
