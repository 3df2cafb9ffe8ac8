/** The code of a system's error, such as `ENOENT`. */
export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** For a `catch`: nothing, where a file is not there. */
export const ifMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") throw error;
};
