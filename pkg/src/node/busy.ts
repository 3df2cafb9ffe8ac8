// Windows does not rename or remove a file that another program has open: a virus scanner, a backup, an indexer. They close
// it within moments.

import { codeOf } from "./code.js";

const PAUSES_MS = [10, 20, 40, 80, 160, 320];
const BUSY = ["EPERM", "EACCES", "EBUSY"];

/** Retries for two thirds of a second while the file is busy. */
export async function onceFree<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!BUSY.includes(codeOf(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return work();
}
