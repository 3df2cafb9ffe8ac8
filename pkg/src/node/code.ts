/** The code of a system's error, such as `ENOENT`. */
export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** For a `catch`: undefined if a file is missing; throws any other error. */
export const ifMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") throw error;
};
