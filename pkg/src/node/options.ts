// Reads the options of this entry's functions.

/** The given options of the function `caller`. Unknown ones are refused, and so are inherited ones: somebody may have added them to every object. */
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

/** The longest time of a timer, and the most bytes of a body. */
export const MOST = 2 ** 31 - 1;

/** Refuses options of `caller` that are no whole numbers in their ranges. */
export function checkWhole<N extends string>(
  caller: string,
  options: Readonly<Record<NoInfer<N>, number>>,
  ranges: Readonly<Record<N, readonly [least: number, most: number]>>,
): void {
  for (const name of Object.keys(ranges) as N[]) {
    const [value, [least, most]] = [options[name], ranges[name]];
    if (!Number.isInteger(value) || value < least || value > most)
      throw new TypeError(`${caller}: ${name} must be a whole number from ${least} to ${most}`);
  }
}
