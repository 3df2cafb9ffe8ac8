import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The code of a system's error, such as `ENOENT`. */
export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** For a `catch`: undefined if a file is missing; throws any other error. */
export const ifMissing = (error: unknown): undefined => {
  if (codeOf(error) !== "ENOENT") throw error;
};

/** The text of a file; undefined if there is none. */
export const readIfThere = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(ifMissing);

/** The same, synchronously. */
export function readIfThereNow(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    return ifMissing(error);
  }
}
