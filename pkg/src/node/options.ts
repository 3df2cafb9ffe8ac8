// What the options of this entry's functions have in common.

/**
 * The options of the function `caller`, as far as they are given. One that is unknown is refused, and so is one that is inherited:
 * somebody may have added it to every object.
 */
export function ownOptions<T extends object>(caller: string, options: T, names: readonly (keyof T & string)[]): Partial<T> {
  for (const name of Object.keys(options)) {
    if (!(names as readonly string[]).includes(name)) throw new TypeError(`${caller} has no option ${name}; it has ${names.join(", ")}`);
  }
  const given: Partial<T> = {};
  for (const name of names) {
    const value = options[name] ?? undefined;
    if (value === undefined) continue;
    if (!Object.prototype.propertyIsEnumerable.call(options, name)) throw new TypeError(`${caller}: ${name} is inherited or hidden: set it on the options themselves`);
    given[name] = value;
  }
  return given;
}
