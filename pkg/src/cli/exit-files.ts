// The exits of a profile's positions, as files: how far each one is, and what a person asks of the program that carries it out.

import { mkdir, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { ExitPlan, ExitState } from "../generated.js";
import { ifMissing, readIfThere, readIfThereNow } from "../node/code.js";
import { replaceFile } from "../node/place.js";
import { UsageError } from "./command.js";
import type { Profile } from "./profile.js";
import { inJson } from "../json.js";

/** What a person asks for; the program that carries the exits out takes it at its next look. */
export interface Wish {
  /** Orders nothing, or orders again. */
  paused?: boolean;
  /** Sells everything. */
  closing?: boolean;
  /** Goes on by this plan. */
  plan?: ExitPlan;
  /** Forgets the exits; what the position holds stays. */
  removed?: boolean;
}

export interface Kept {
  readonly state: ExitState;
  /** What was asked for and is not carried out yet. */
  readonly wish: Wish;
  /** The token's decimals, so that it is sold while the node fails, too; null if the node did not say them when the exits were set. */
  readonly decimals: number | null;
}

const folderOf = ({ folder }: Profile): string => join(folder, "exits");

/** How far exits are, what a person asks for, and what of that a program has taken to carry it out. */
type Kind = "json" | "asked" | "taken";

/** A position's id may be any visible text, a file's name may not. */
const fileOf = (profile: Profile, id: string, kind: Kind): string =>
  join(folderOf(profile), `${Buffer.from(id).toString("base64url")}.${kind}`);

/** The file whose lock the program has that carries exits out. */
export const runnerOf = (profile: Profile): string => join(folderOf(profile), "run");

const replace = (file: string, value: object): Promise<void> => replaceFile(file, `${JSON.stringify(value, inJson)}\n`);

export const makeFolder = async (profile: Profile): Promise<void> =>
  void (await mkdir(folderOf(profile), { recursive: true, mode: 0o700 }));

/** Keeps how far the exits of a position are. */
export async function keep(profile: Profile, state: ExitState, decimals: number | null): Promise<void> {
  await makeFolder(profile);
  await replace(fileOf(profile, state.position.id, "json"), { ...state, decimals });
}

export async function keptOf(profile: Profile, id: string): Promise<Kept | undefined> {
  const text = await readIfThere(fileOf(profile, id, "json"));
  if (text === undefined) return undefined;
  const { decimals = null, ...state } = JSON.parse(text) as ExitState & Partial<Pick<Kept, "decimals">>;
  // In this order, since what is taken meanwhile goes from the first file to the second.
  const asked = await wishIn(fileOf(profile, id, "asked"));
  return { state, decimals, wish: { ...(await wishIn(fileOf(profile, id, "taken"))), ...asked } };
}

async function wishIn(file: string): Promise<Wish | undefined> {
  const text = await readIfThere(file);
  return text === undefined ? undefined : (JSON.parse(text) as Wish);
}

/** Whether a person has paused exits of a position since a program last looked. It waits for nothing: it is asked right before each send. */
export function isPausedNow(profile: Profile, id: string): boolean {
  // One that cannot be read is thrown, and then nothing is sent: it may be a pause.
  const asked = (kind: Kind): boolean | undefined => {
    const text = readIfThereNow(fileOf(profile, id, kind));
    return text === undefined ? undefined : (JSON.parse(text) as Wish).paused;
  };
  return asked("asked") ?? asked("taken") ?? false;
}

/** The exits of these positions, or of all that are not over, or whose tokens may come back. */
export async function allKept(profile: Profile, ids: readonly string[]): Promise<Kept[]> {
  const files = ((await readdir(folderOf(profile)).catch(ifMissing)) ?? []).filter((name) => name.endsWith(".json"));
  const known = ids.length
    ? ids
    : files.map((name) => Buffer.from(name.slice(0, -".json".length), "base64url").toString()).sort();
  const found = await Promise.all(
    known.map(async (id) => {
      const kept = await keptOf(profile, id);
      if (!kept && ids.length)
        throw new UsageError(
          `the position ${id} has no exits in profile ${profile.name}: \`launchpad-desk exits list\` lists those that have`,
        );
      return kept;
    }),
  );
  return found
    .filter((kept) => kept !== undefined)
    .filter(({ state }) => ids.length > 0 || BigInt(state.tokens) > 0n || state.gone);
}

/** The exits of a position, which must have some. */
export async function known(profile: Profile, id: string): Promise<Kept> {
  const [kept] = await allKept(profile, [id]);
  return kept!;
}

/** Asks the program that carries the exits out, now or later. What was asked for before stays, unless this says otherwise. */
export async function ask(profile: Profile, id: string, wish: Wish): Promise<void> {
  const file = fileOf(profile, id, "asked");
  await replace(file, { ...(await wishIn(file)), ...wish });
}

/** Takes this back, if it was asked for; resolves to whether no program had taken it. What else was asked for stays asked. */
export async function takeBack(profile: Profile, id: string, what: keyof Wish): Promise<boolean> {
  const file = fileOf(profile, id, "asked");
  const { [what]: _, ...others } = (await wishIn(file)) ?? {};
  // Either this removes the file, or a program renames it: never both.
  const isBack = await unlink(file).then(
    () => true,
    (error) => ifMissing(error) ?? false,
  );
  if (isBack && Object.keys(others).length) await ask(profile, id, others);
  return isBack;
}

/** Whether a program has carried out, or at least taken, what was asked for. */
export const isTaken = async (profile: Profile, id: string): Promise<boolean> =>
  (await wishIn(fileOf(profile, id, "asked"))) === undefined;

/** Takes what was asked for, and carries it out. A killed program leaves it taken, and the next one carries it out. */
export async function granted(profile: Profile, id: string, carryOut: (wish: Wish) => Promise<void>): Promise<void> {
  const taken = fileOf(profile, id, "taken");
  const grant = async (): Promise<void> => {
    const wish = await wishIn(taken);
    if (wish) await carryOut(wish);
    await rm(taken, { force: true });
  };
  await grant();
  await rename(fileOf(profile, id, "asked"), taken).catch(ifMissing);
  await grant();
}

/** Forgets what was asked for, such as of exits that were over before a program took it. */
export async function forgetWishes(profile: Profile, id: string): Promise<void> {
  for (const kind of ["asked", "taken"] as const) await rm(fileOf(profile, id, kind), { force: true });
}

export async function forget(profile: Profile, id: string): Promise<void> {
  await rm(fileOf(profile, id, "json"), { force: true });
  await forgetWishes(profile, id);
}
