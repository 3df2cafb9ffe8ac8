// The exits of a profile's positions, as files: how far each one is, and what a person asks of the program that carries it out.

import { mkdir, open, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ExitState } from "../generated.js";
import { UsageError } from "./command.js";
import type { Profile } from "./profile.js";

/** What a person asks for; the program that carries the exits out takes it at its next look. */
export interface Wish {
  /** Orders nothing, or orders again. */
  paused?: boolean;
  /** Sells everything. */
  closing?: boolean;
}

/** The exits of a position, as they were kept. */
export interface Kept {
  readonly state: ExitState;
  /** What was asked for and is not carried out yet. */
  readonly wish: Wish;
}

const folderOf = ({ folder }: Profile): string => join(folder, "exits");

/** A position's id may be any visible text, a file's name may not. */
const fileOf = (profile: Profile, id: string, kind: "json" | "asked"): string => join(folderOf(profile), `${Buffer.from(id).toString("base64url")}.${kind}`);

/** The file whose lock the program has that carries exits out. */
export const runnerOf = (profile: Profile): string => join(folderOf(profile), "run");

const missing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === "ENOENT") return undefined;
  throw error;
};

/** Replaces a file, so that there is always a whole one, on the disk. */
async function replace(file: string, value: object): Promise<void> {
  const fresh = `${file}.fresh`;
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}

/** Makes the folder of the exits. */
export const makeFolder = async (profile: Profile): Promise<void> => void (await mkdir(folderOf(profile), { recursive: true, mode: 0o700 }));

/** Keeps how far the exits of a position are. */
export async function keep(profile: Profile, state: ExitState): Promise<void> {
  await makeFolder(profile);
  await replace(fileOf(profile, state.position.id, "json"), state);
}

/** The exits of a position; undefined if it has none. */
export async function keptOf(profile: Profile, id: string): Promise<Kept | undefined> {
  const text = await readFile(fileOf(profile, id, "json"), "utf8").catch(missing);
  if (text === undefined) return undefined;
  const asked = await readFile(fileOf(profile, id, "asked"), "utf8").catch(missing);
  return { state: JSON.parse(text) as ExitState, wish: asked === undefined ? {} : (JSON.parse(asked) as Wish) };
}

/** The exits of these positions, or of all that are not over. */
export async function allKept(profile: Profile, ids: readonly string[]): Promise<Kept[]> {
  const files = ((await readdir(folderOf(profile)).catch(missing)) ?? []).filter((name) => name.endsWith(".json"));
  const known = ids.length ? ids : files.map((name) => Buffer.from(name.slice(0, -".json".length), "base64url").toString()).sort();
  const found = await Promise.all(
    known.map(async (id) => {
      const kept = await keptOf(profile, id);
      if (!kept && ids.length) throw new UsageError(`the position ${id} has no exits in profile ${profile.name}: \`launchpad-desk exits list\` lists those that have`);
      return kept;
    }),
  );
  return found.filter((kept) => kept !== undefined).filter(({ state }) => ids.length > 0 || BigInt(state.tokens) > 0n);
}

/** Asks the program that carries the exits out, now or later. What was asked for before stays, unless this says otherwise. */
export async function ask(profile: Profile, id: string, wish: Wish): Promise<void> {
  const before = (await keptOf(profile, id))?.wish ?? {};
  await replace(fileOf(profile, id, "asked"), { ...before, ...wish });
}

/** Carries out what was asked for. It stays asked until `carryOut` has ended, and after that if something else was asked for meanwhile. */
export async function granted(profile: Profile, id: string, carryOut: (wish: Wish) => Promise<void>): Promise<void> {
  const file = fileOf(profile, id, "asked");
  const text = await readFile(file, "utf8").catch(missing);
  if (text === undefined) return;
  await carryOut(JSON.parse(text) as Wish);
  if ((await readFile(file, "utf8").catch(missing)) === text) await rm(file, { force: true });
}

/** Forgets the exits of a position. */
export async function forget(profile: Profile, id: string): Promise<void> {
  for (const kind of ["asked", "json"] as const) await rm(fileOf(profile, id, kind), { force: true });
}
