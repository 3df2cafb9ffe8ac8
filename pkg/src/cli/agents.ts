// `mcp` and `approve`: an agent's tools, and the person who approves what they may not send alone.

import { once } from "node:events";
import { join } from "node:path";
import type { Command } from "commander";
import type { serveOverStdio } from "build:mcp";
import type { Plan } from "launchpad-desk";
import type { AgentDesk, ClosedDesk } from "../mcp/index.js";
import { askFor, approve as approvePlan, isApproved, profilesWithPlans, waiting } from "./approvals.js";
import { isConfirmed } from "./ask.js";
import { type Common, UsageError, version, wholeOf, withExample, withProfile } from "./command.js";
import { type Desk, atDesk } from "./desk.js";
import { recordPlan } from "./planning.js";
import { LIMITS, type Profile, homeFolder, readProfile } from "./profile.js";
import { planLines, print } from "./show.js";
import { interruptible } from "./trade.js";
import { settledBy } from "./unresolved.js";

/** What only concerns an agent, of the table `agent` of a profile. */
function approveOverOf({ agent, sandbox, name, file }: Profile): bigint | undefined {
  const { approveOverLamports, ...unknown } = agent;
  const [stray] = Object.keys(unknown);
  if (stray !== undefined)
    throw new UsageError(`${file}: profiles.${name}.agent.${stray} is unknown; it takes approveOverLamports`);
  // For real, a person approves each plan, unless the profile says from which amount on.
  if (approveOverLamports === undefined) return sandbox ? undefined : 0n;
  if (
    (typeof approveOverLamports !== "number" && typeof approveOverLamports !== "bigint") ||
    !/^\d+$/.test(String(approveOverLamports))
  )
    throw new UsageError(`${file}: profiles.${name}.agent.approveOverLamports must be a whole number`);
  return BigInt(approveOverLamports);
}

async function mcp({ profile, live, http }: { profile?: string; live?: boolean; http?: string }): Promise<void> {
  const chosen = await readProfile(profile ?? "sandbox");
  if (!chosen.sandbox && !live)
    throw new UsageError(
      `profile ${chosen.name} trades for real: pass --live to let an agent use it, within its limits`,
    );
  if (!chosen.sandbox && http !== undefined)
    throw new UsageError("over HTTP any program of this machine could trade for real: use standard input and output");
  const port = http === undefined ? undefined : Number(wholeOf("http", http, 65_535));
  const approveOverLamports = approveOverOf(chosen);
  const served = await import("build:mcp");
  const agentDeskOf = (desk: Desk): AgentDesk => ({
    ...{
      version,
      name: chosen.name,
      client: desk.client,
      sandbox: desk.sandbox,
      market: desk.market,
      approveOverLamports,
      fromWallet: chosen.fromWallet,
      feePayer: chosen.feePayer,
      plans: new Map(),
    },
    limits: Object.fromEntries(
      Object.entries(chosen.client).filter(
        ([option]) =>
          option.startsWith("max") ||
          option.startsWith("allow") ||
          option === "buysMayExceed" ||
          (LIMITS as readonly string[]).includes(option),
      ),
    ),
    approvals: {
      async ask(plan: Plan) {
        await desk.record.ask(plan);
        await askFor(chosen.folder, plan);
      },
      async isApproved(plan: Plan) {
        const isAgreed = await isApproved(chosen.folder, plan);
        if (isAgreed) await desk.record.approve(plan, "a person, by launchpad-desk approve");
        return isAgreed;
      },
      how: ({ intentId }: { intentId: string }) =>
        `in a terminal, npx launchpad-desk approve ${intentId} --profile ${chosen.name}`,
    },
    noted: (plan: Plan) => recordPlan(desk, plan),
    settle: () => settledBy(desk, 0),
  });
  if (port === undefined)
    return overStdio(chosen, { version, sandbox: chosen.sandbox }, agentDeskOf, served.serveOverStdio);
  const tell = (url: string): void => void process.stdout.write(`${url}\n`);
  // A signal ends the serving, and none the closing of the desk after it.
  const serve = (signal: AbortSignal): Promise<void> =>
    atDesk(chosen, (desk) => served.serveOverHttp(agentDeskOf(desk), port, tell, signal));
  await interruptible(serve, null);
}

/**
 * Serves the program that started this one. Another program may hold the profile's files, such as a server that the same client started
 * before and has not ended: then this one answers all the same, says so, and opens the desk at a call once it can.
 */
async function overStdio(
  profile: Profile,
  about: ClosedDesk,
  agentDeskOf: (desk: Desk) => AgentDesk,
  serve: typeof serveOverStdio,
): Promise<void> {
  const end = new AbortController();
  let [opening, closing]: [Promise<AgentDesk> | undefined, Promise<void> | undefined] = [undefined, undefined];
  const open = (): Promise<AgentDesk> =>
    (opening ??= new Promise<AgentDesk>((resolve, reject) => {
      closing = atDesk(profile, async (desk) => {
        // It opens the journal.
        await desk.client.pending();
        resolve(agentDeskOf(desk));
        if (!end.signal.aborted) await once(end.signal, "abort");
      });
      closing.catch((error: unknown) => {
        opening = undefined;
        reject(error as Error);
      });
    }));
  const closed = await open().then(
    () => undefined,
    (error: Error) => {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`${error.message}\n`);
      return error.message;
    },
  );
  await serve({ ...about, closed }, open);
  end.abort();
  if (opening) await closing;
}

/** A plan before the person who approves it: it may have waited for minutes. */
async function waitingLines(plan: Plan): Promise<string[]> {
  const ageS = Math.round((Date.now() - plan.createdAtMs) / 1_000);
  return [
    ...(await planLines(plan)),
    `Made ${ageS} s ago; slippage counts from the price when it is sent, until ${new Date(plan.expiresAtMs).toISOString()} at the latest.`,
  ];
}

async function approve(intentId: string | undefined, { profile, json }: Common): Promise<void> {
  const now = Date.now();
  let chosen = await readProfile(profile);
  let plans = await waiting(chosen.folder, now);
  // Without --profile an id is enough, whichever profile the agent has; and a list says where others wait.
  const others =
    profile === undefined ? (await profilesWithPlans(homeFolder())).filter((name) => name !== chosen.name) : [];
  const elsewhere: string[] = [];
  for (const name of others) {
    const folder = join(homeFolder(), name);
    const found = await waiting(folder, now);
    if (found.length) elsewhere.push(name);
    if (found.some((one) => one.intentId === intentId)) [chosen, plans] = [await readProfile(name), found];
  }
  if (intentId === undefined) {
    const next = elsewhere.length
      ? `Plans also wait in other profiles: ${elsewhere.map((name) => `launchpad-desk approve --profile ${name}`).join(", ")}.`
      : null;
    const lines = plans.length ? (await Promise.all(plans.map(waitingLines))).flat() : ["No plan waits for approval."];
    return print({ json, command: "approve", profile: chosen, exitCode: 0 }, { plans, next }, [
      ...lines,
      ...(next ? [next] : []),
    ]);
  }
  const plan = plans.find((one) => one.intentId === intentId);
  if (!plan)
    throw new UsageError(
      `no plan ${intentId} waits for approval in profile ${chosen.name}; launchpad-desk approve lists those that wait, each with its id (intent)`,
    );
  process.stderr.write(`${(await waitingLines(plan)).join("\n")}\n`);
  const isAgreed = await isConfirmed("Approve exactly this?", "a person approves in one");
  if (isAgreed) await approvePlan(chosen.folder, plan);
  print({ json, command: "approve", profile: chosen, exitCode: isAgreed ? 0 : 1 }, { plan, outcome: null }, [
    isAgreed ? "Approved." : "Not approved.",
  ]);
}

export function addAgents(program: Command): void {
  const server = program
    .command("mcp")
    .summary("serve an agent's tools (MCP), within the limits of a profile")
    .description(
      "Serves tools for an agent, over standard input and output: policy, state, quote, plan, execute, status, halt. The profile is the sandbox, unless another is named.",
    )
    .option("--profile <name>", "the profile whose limits the agent has (default: sandbox)")
    .option("--live", "let the agent trade for real, within the limits of the profile")
    .option("--http <port>", "serve over HTTP on this machine instead, only for a sandbox; 0 picks a free port");
  withExample(server, "mcp --profile live --live").action(mcp);
  const command = withProfile(
    program.command("approve").summary("approve an agent's plan, or list those that wait"),
  ).argument("[plan]", "the id of the plan, as the list has it; a profile need not be named with it");
  withExample(command, "approve").action(approve);
}
