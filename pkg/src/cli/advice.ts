// What to do about a trade of unknown outcome: one sentence for each situation. A command in it names the profile, as the one that failed did.

import type { Profile } from "./profile.js";

/** It may have been made. `what` finds out how it ended. */
export const settleBy = (what: string): string => `Never send it again: ${what} finds out how it ended.`;

/** The command that does. */
export const settleIn = ({ option }: Pick<Profile, "option">): string => `\`launchpad-desk settle${option}\``;

/** Whether anything can tell how a profile's trades ended. */
const canProve = ({ sandbox, rpc, rpcEnv, client }: Profile): boolean =>
  (sandbox ?? rpc ?? rpcEnv) !== undefined || client["gateway"] === true;

const lookIn = ({ option }: Profile): string =>
  `Look at the balances, and record what you found: \`launchpad-desk settle INTENT landed${option}\`, or \`did_not_land\`.`;

/** A trade has just ended so. */
export const unknownIn = (profile: Profile): string =>
  canProve(profile) ? settleBy(settleIn(profile)) : `Never send it again. ${lookIn(profile)}`;

/** A gateway waits for a person, and may send it later. */
export const approvalIn = (profile: Profile): string =>
  `A person decides at the gateway. ${settleBy(settleIn(profile))}`;

/** Nothing has proven it yet. */
export const unprovenIn = (profile: Profile): string =>
  `Never send it again${canProve(profile) ? `: ${settleIn(profile)} may prove later how it ended` : ""}. ${lookIn(profile)}`;
