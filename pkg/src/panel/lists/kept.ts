// What a trader keeps in lists on this page: the mints that are watched, and the groups of wallets. localStorage keeps it, where anything may
// be written: what cannot be used is as if it was never kept.

import { MOST_OF_ID } from "../../generated.js";
import { Kept, placeOf } from "../later/kit.js";
import type { World } from "../worlds/world.js";

export interface Group {
  readonly name: string;
  readonly wallets: readonly string[];
}

export const [MOST_WATCHED, MOST_GROUPS, MOST_IN_GROUP, MOST_OF_NAME] = [200, 20, 300, 32];
const isId = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= MOST_OF_ID;

const idsIn = (value: unknown, most: number): string[] =>
  Array.isArray(value) ? [...new Set(value.filter(isId))].slice(0, most) : [];

function groupIn(value: unknown): Group[] {
  const { name, wallets } = (value ?? {}) as Partial<Group>;
  const ids = idsIn(wallets, MOST_IN_GROUP);
  return typeof name === "string" && name.trim() && name.length <= MOST_OF_NAME && ids.length
    ? [{ name, wallets: ids }]
    : [];
}

export const watchedIn = (world: World): Kept<readonly string[]> =>
  new Kept(placeOf("watched", world), (value) => idsIn(value, MOST_WATCHED));

export const groupsIn = (world: World): Kept<readonly Group[]> =>
  new Kept(placeOf("groups", world), (value) =>
    Array.isArray(value) ? value.flatMap(groupIn).slice(0, MOST_GROUPS) : [],
  );
