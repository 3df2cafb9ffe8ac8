// What is added to each exported value.

const { defineProperty, entries, hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name) } = Object;

/**
 * Makes using a freed object a clear error. Otherwise the module would throw in the middle of its work, and run out of stack
 * after some thousand times. So a freed object loses its pointer, and asking for that throws here.
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

/** Gives each function the name shown in errors and consoles, and makes the use of freed objects a clear error. */
export function present(functions) {
  for (const [name, value] of entries(functions)) {
    defineProperty(value, "name", { value: name, configurable: true });
    if (value.prototype?.free) endWell(value);
  }
}
