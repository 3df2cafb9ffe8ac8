// `quote`, `plan`, `send`, and the six operations: from looking at a trade to sending it. A trade is always sent as a plan.

import type { Command } from "commander";
import type { Operation, Plan, RequestOf, Trade } from "launchpad-desk";
import { isConfirmed } from "./ask.js";
import { type Common, UsageError, checkSending, wholeOf, withExample, withProfile } from "./command.js";
import { type Desk, type World, atDesk, inWorld } from "./desk.js";
import { compared } from "./drift.js";
import { planOf, recordPlan } from "./planning.js";
import { type Profile, readProfile } from "./profile.js";
import { type TradeOptions, addOperations } from "./request.js";
import {
  type Output,
  type Price,
  coloured,
  exitCodeOf,
  modeOf,
  nextAfter,
  plain,
  planLines,
  print,
  progress,
  quoteLines,
} from "./show.js";
import { textIn } from "./text-file.js";
import { signatureOf } from "../body.js";
import { inJson } from "../json.js";

interface SendOptions extends Common {
  send?: boolean;
  yes?: boolean;
  intentId?: string;
}

const A_DAY_S = 86_400;

/** What a request would do, as text figures; undefined where no price is known. */
async function priceOf(
  { sandbox, market }: World,
  operation: Operation,
  request: RequestOf[Operation],
): Promise<Price | undefined> {
  const quote = sandbox ? sandbox.quote(operation, request) : await market?.quote(operation, request);
  return quote && (JSON.parse(JSON.stringify(quote, inJson)) as Price);
}

/**
 * Reads a plan from a file, or from standard input. The client checks it. Another profile than the one that made it does not know whether it
 * was sent.
 */
async function planIn(file: string, { name }: Profile): Promise<Plan> {
  const content = await textIn(file);
  let made: { profile?: unknown };
  try {
    made = Object(JSON.parse(content)) as typeof made;
  } catch {
    throw new UsageError(`${file} is not a plan: it is not JSON`);
  }
  const { profile = name, ...plan } = made;
  if (profile !== name) {
    const [other] = await plain([String(profile)]);
    throw new UsageError(
      `this plan is of profile ${other}, and was perhaps sent there: send it with --profile ${other}`,
    );
  }
  return plan as Plan;
}

/** Sends a plan once a person has agreed, or `--yes` says that one has; prints its outcome. */
async function sendPlan(command: string, desk: Desk, plan: Plan, { yes, json }: SendOptions): Promise<void> {
  const lines = await planLines(plan);
  const report = (output: Output, exitCode: ReturnType<typeof exitCodeOf> | 0, more: readonly string[]): void => {
    const next = nextAfter(exitCode, desk.profile);
    print({ json, command, profile: desk.profile, exitCode }, { plan, ...output, next }, [
      ...more,
      ...(next ? [next] : []),
    ]);
  };
  if (yes) progress(lines.join("\n"));
  else {
    process.stderr.write(`${lines.join("\n")}\n`);
    if (!(await isConfirmed("Send it?", "pass --yes to send it without asking")))
      return report({ outcome: "not_sent" }, 1, ["Nothing was sent."]);
  }
  const { isTradeError, renderText } = await import("launchpad-desk");
  let sent: Trade;
  try {
    sent = await interruptible((signal) => desk.client.send(plan, { signal }));
  } catch (error) {
    // An error that is not of a trade does not say whether the trade was made.
    const [outcome, exitCode] = isTradeError(error) ? [error.outcome, exitCodeOf(error)] : (["unknown", 4] as const);
    return report({ outcome, error: isTradeError(error) ? error : { message: (error as Error).message } }, exitCode, [
      coloured(renderText(error), exitCode),
    ]);
  }
  const against = await interruptible((signal) => compared(desk, plan, signatureOf(sent.result), signal), null);
  report({ outcome: sent.status, trade: sent, ...(against && { drift: against.drift }) }, 0, [
    coloured(renderText(sent), 0),
    ...(against ? [against.line] : []),
  ]);
}

/** Passes the first Ctrl-C on as an abort, so that the outcome is known or recorded; a second one ends the program. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  begun: string | null = "Sending…",
): Promise<T> {
  const interrupt = new AbortController();
  const abort = (): void => interrupt.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.once(name, abort);
  if (begun) progress(begun);
  try {
    return await work(interrupt.signal);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

function addQuotes(program: Command): void {
  const quote = program
    .command("quote")
    .summary("show what a trade would do")
    .description("Shows what a trade would do now. Nothing is sent, and no limit is checked.");
  addOperations<TradeOptions & Common>(
    quote,
    "quote ",
    (command) => command,
    async (asked, { profile, json }) => {
      const chosen = await readProfile(profile);
      await inWorld(chosen, async (world) => {
        const price = await priceOf(world, asked.operation, await asked.request(world));
        print({ json, command: "quote", profile: chosen, exitCode: 0 }, { quote: price ?? null }, [
          `Simulated: ${modeOf(chosen) === "simulated" ? "yes" : "no, this is the price of real tokens"}`,
          ...(await quoteLines(price)),
        ]);
      });
    },
  );
}

function addPlans(program: Command): void {
  const plan = program
    .command("plan")
    .summary("write a plan, for `send`")
    .description(
      "Checks, prices and judges a trade, and prints it as a plan: `launchpad-desk send` sends exactly that, once. Nothing is sent.",
    );
  const withPlan = (command: Command): Command =>
    command
      .option("--intent-id <id>", "the trade's id (default: a generated one)")
      .option("--valid-for <seconds>", "how long the plan may be sent (default: 60)");
  addOperations<TradeOptions & Common & { intentId?: string; validFor?: string }>(
    plan,
    "plan ",
    withPlan,
    async (asked, { profile, intentId, validFor }) => {
      const validForMs =
        validFor === undefined ? {} : { validForMs: 1_000 * Number(wholeOf("valid-for", validFor, A_DAY_S)) };
      await atDesk(await readProfile(profile), async (desk) => {
        const made = await planOf(desk, asked.operation, await asked.request(desk), {
          ...(intentId !== undefined && { intentId }),
          ...validForMs,
        });
        await recordPlan(desk, made);
        process.stdout.write(`${JSON.stringify({ ...made, profile: desk.profile.name })}\n`);
        progress((await planLines(made)).join("\n"));
        if (made.refused) process.exitCode = 1;
      });
    },
  );
}

function addSend(program: Command): void {
  const send = withProfile(
    program.command("send").summary("send a plan").description("Sends the exact bytes of a plan, once, after asking."),
  )
    .argument("<plan>", "the file of a plan; - reads standard input")
    .option("--yes", "send it without asking");
  withExample(send, "plan buy --sol 0.5 > plan.json && launchpad-desk send plan.json --yes").action(
    async (file: string, options: SendOptions) => {
      const profile = await readProfile(options.profile);
      const made = await planIn(file, profile);
      await atDesk(profile, async (desk) => {
        // In the record it stands before its send, whichever program made it.
        await desk.record.plan(made);
        await sendPlan("send", desk, made, options);
      });
    },
  );
}

/** The six operations: without `--send` they only show their plan. */
function addTradesWithSend(program: Command): void {
  const withSend = (command: Command): Command =>
    command
      .option("--send", "send it after asking; without this, it only shows the plan")
      .option("--yes", "with --send: do not ask")
      .option("--intent-id <id>", "the trade's id (default: a generated one)");
  addOperations<TradeOptions & SendOptions>(program, "", withSend, async (asked, options) => {
    const { send: isSent, json, profile, intentId } = options;
    checkSending(options, "send it");
    await atDesk(await readProfile(profile), async (desk) => {
      const made = await planOf(
        desk,
        asked.operation,
        await asked.request(desk),
        intentId === undefined ? {} : { intentId },
      );
      await recordPlan(desk, made);
      if (isSent && !made.refused) return sendPlan(asked.operation, desk, made, options);
      const next = made.refused ? null : "Nothing was sent: add --send.";
      print(
        { json, command: asked.operation, profile: desk.profile, exitCode: made.refused ? 1 : 0 },
        { outcome: made.refused ? "not_sent" : null, plan: made, next },
        [...(await planLines(made)), ...(next ? [next] : ["Nothing was sent."])],
      );
    });
  });
}

export function addTrades(program: Command): void {
  for (const add of [addQuotes, addPlans, addSend, addTradesWithSend]) add(program);
}
