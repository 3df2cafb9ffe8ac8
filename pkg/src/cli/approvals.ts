// Plans that wait for a person, as files of a profile: an agent's server asks, and `launchpad-desk approve` answers.

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plan } from "launchpad-desk";
import { readIfThere } from "../node/code.js";

const folderOf = (profileFolder: string): string => join(profileFolder, "approvals");

/** An intent id may be any visible text, a file's name may not. */
const nameOf = (intentId: string): string => Buffer.from(intentId).toString("base64url");

/** Puts a plan before the person. */
export async function askFor(profileFolder: string, plan: Plan): Promise<void> {
  const folder = folderOf(profileFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `${nameOf(plan.intentId)}.plan`), JSON.stringify(plan), { mode: 0o600 });
}

/** The plan in a file; null if it is gone, undefined while it is being written, or if that was killed: the agent asks again. */
function planIn(text: string | undefined): Plan | null | undefined {
  try {
    return text === undefined ? null : (JSON.parse(text) as Plan);
  } catch {
    return undefined;
  }
}

/** The plans that wait. Those that have expired are removed. */
export async function waiting(profileFolder: string, now: number): Promise<Plan[]> {
  const folder = folderOf(profileFolder);
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".plan"));
  const plans = await Promise.all(files.map(async (name) => planIn(await readIfThere(join(folder, name)))));
  const open: Plan[] = [];
  for (const [index, plan] of plans.entries()) {
    if (plan && plan.expiresAtMs > now) open.push(plan);
    else if (plan !== undefined) await rm(join(folder, files[index]!), { force: true });
  }
  return open;
}

/** The profiles with plans in their folders, by name. */
export async function profilesWithPlans(home: string): Promise<string[]> {
  const names = await readdir(home).catch(() => []);
  const plans = await Promise.all(names.map((name) => readdir(folderOf(join(home, name))).catch(() => [])));
  return names.filter((_name, index) => plans[index]!.some((file) => file.endsWith(".plan")));
}

export async function approve(profileFolder: string, plan: Plan): Promise<void> {
  const folder = folderOf(profileFolder);
  await writeFile(join(folder, `${nameOf(plan.intentId)}.approved`), JSON.stringify(plan), { mode: 0o600 });
  await rm(join(folder, `${nameOf(plan.intentId)}.plan`), { force: true });
}

export async function isApproved(profileFolder: string, plan: Plan): Promise<boolean> {
  return (
    (await readIfThere(join(folderOf(profileFolder), `${nameOf(plan.intentId)}.approved`))) === JSON.stringify(plan)
  );
}
