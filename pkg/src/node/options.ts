// Reads the options of this entry's functions.

/**
 * The given options of the function `caller`. Unknown ones are refused, and so are inherited ones: somebody may have added them to
 * every object.
 */
export function ownOptions<T extends object>(
  caller: string,
  options: T,
  names: readonly (keyof T & string)[],
): Partial<T> {
  for (const name of Object.keys(options)) {
    if (!(names as readonly string[]).includes(name))
      throw new TypeError(`${caller} has no option ${name}; it has ${names.join(", ")}`);
  }
  const given: Partial<T> = {};
  for (const name of names) {
    const value = options[name] ?? undefined;
    if (value === undefined) continue;
    if (!Object.prototype.propertyIsEnumerable.call(options, name))
      throw new TypeError(`${caller}: ${name} is inherited or hidden: set it on the options themselves`);
    given[name] = value;
  }
  return given;
}
