// `launchpad-desk exits`: a plan of exits on a position, carried out as `client.manage` does it, with each order in the record.

import type { Command } from "commander";
import type { ExitEvent } from "launchpad-desk/market";
import type { ExitPlan, ExitPosition, ExitState } from "../generated.js";
import type { Holder } from "../node/lock.js";
import { pause } from "../watching.js";
import { settleBy, settleIn, unknownIn } from "./advice.js";
import { isConfirmed } from "./ask.js";
import { type Common, UsageError, checkSending, checked, leave, wholeOf, withExample, withProfile } from "./command.js";
import { type Desk, atDesk, inWorld } from "./desk.js";
import { type Kept, allKept, ask, forget, forgetWishes, isTaken, keep, keptOf, known } from "./exit-files.js";
import { type ExitFlags, exitPlanOf, withExitPlan } from "./exit-plan.js";
import { type PositionOptions, positionOf } from "./exit-position.js";
import { DONE_MS, alone, carryOut, closedByRunner, doneByRunner, lockRunner, runnerAt, worse } from "./exit-runner.js";
import {
  type Seen,
  documentOf,
  linesOf,
  marketOf,
  notSeen,
  reasonIn,
  refusedByLimits,
  seen,
  show,
  showSeen,
  tokensOf,
} from "./exit-view.js";
import { type Profile, readProfile } from "./profile.js";
import { flagOf } from "./request.js";
import { checkTime, everyMsOf, factorOf, passTime } from "./sandbox.js";
import { modeOf, print } from "./show.js";
import { interruptible } from "./trade.js";
import { inJson } from "../json.js";

interface SetOptions extends Waiting, ExitFlags, PositionOptions {
  replacePlan?: boolean;
  send?: boolean;
  yes?: boolean;
}

interface RunOptions extends Common {
  send?: boolean;
  yes?: boolean;
  once?: boolean;
  every: string;
  realtime?: string | true;
}

/** How long to wait for the program that carries exits out. */
interface Waiting extends Common {
  within: string;
}

async function list(ids: string[], { profile, json }: Common): Promise<void> {
  const chosen = await readProfile(profile);
  const kept = await allKept(chosen, ids);
  await inWorld(chosen, (world) => show({ json, command: "exits list", world }, kept, 0, null));
}

async function set(id: string, options: SetOptions): Promise<void> {
  checkSending(options, "set them");
  const chosen = await readProfile(options.profile);
  const plan = (await exitPlanOf(options)) as ExitPlan;
  const withinMs = msOf(options.within);
  const runner = await runnerAt(chosen);
  const now = runner && `process ${runner.pid} carries exits out`;
  if (now && !options.send) throw new UsageError(`${now}, and would carry these out from now on: add --send`);
  await inWorld(chosen, async (world) => {
    const { Exits } = await import("launchpad-desk/market");
    const opened = (
      position: ExitPosition,
      kept?: ExitState,
      replacePlan = options.replacePlan === true,
    ): ExitState => {
      const exits = checked(() => new Exits(plan).open(position, kept, { replacePlan }));
      const { state } = exits;
      exits.free();
      return state;
    };
    const shown = async (kept: Seen): Promise<void> => {
      const next = now
        ? `P${now.slice(1)}: these too from now on, unless it was started for others alone.`
        : `Nothing is sold yet: \`launchpad-desk exits run --send${chosen.option}\` carries it out.`;
      await showSeen({ json: options.json, command: "exits set", world }, [kept], 0, next);
    };
    const looked = async (kept: Kept): Promise<Seen> => {
      const refused = await refusedByLimits(world, kept.state);
      if (refused !== null)
        throw new UsageError(`nothing was set: every sell of these exits would be refused: ${refused}`);
      const one = await seen(world, kept);
      if (one.isWrong) throw new UsageError(`nothing was set: ${one.problem?.replace("position: ", "")}`);
      return one;
    };
    const isAgreed = async (kept: Seen): Promise<boolean> => {
      if (!now || options.yes) return true;
      process.stderr.write(`${(await linesOf(kept)).join("\n")}\n`);
      return isConfirmed(`Let ${now.replace("carries exits", "carry these")}?`, "pass --yes");
    };
    if (options.replacePlan) {
      const given = POSITION_OPTIONS.find((name) => options[name] !== undefined);
      if (given) throw new UsageError(`--replace-plan keeps the position as it is: leave out ${flagOf(given)}`);
      const replaced = async (): Promise<Seen> => {
        const before = await known(chosen, id);
        return looked({ ...before, state: opened(before.state.position, before.state) });
      };
      if (!(await isAgreed(await replaced()))) return printUnsent("exits set", chosen, options.json);
      if (await doneByRunner(chosen, id, { plan }, withinMs)) {
        const kept = await known(chosen, id);
        // If what has acted meanwhile leaves too little for it, the earlier plan stays.
        opened(kept.state.position, kept.state, false);
        return shown(await seen(world, kept));
      }
      const kept = await alone(chosen, async () => {
        const one = await replaced();
        await keep(chosen, one.state, one.decimals);
        return one;
      });
      return shown(kept);
    }
    const kept = await keptOf(chosen, id);
    if (kept && BigInt(kept.state.tokens) > 0n) opened(kept.state.position, kept.state);
    const state = opened(await positionOf(world, id, options));
    const fresh = await looked({ state, wish: {}, decimals: null });
    if (!(await isAgreed(fresh))) return printUnsent("exits set", chosen, options.json);
    // Of exits of this name that are over.
    await forgetWishes(chosen, state.position.id);
    await keep(chosen, state, fresh.decimals);
    await shown(fresh);
  });
}

/** What `exits set` says of a position. */
const POSITION_OPTIONS: readonly (keyof PositionOptions)[] = ["mint", "fromWallet", "tokens", "cost", "feePayer"];

async function lineOf(
  id: string,
  { what, order, error, soldTokens, receivedLamports }: ExitEvent,
  decimals: number | null,
): Promise<string> {
  const amount = order ? await tokensOf(soldTokens ?? BigInt(order.tokens), decimals) : "";
  const why = error instanceof Error ? `: ${reasonIn(error.message)}` : "";
  const { lamportsToSol } = await import("launchpad-desk");
  const brought =
    receivedLamports === null
      ? ""
      : `${what === "over" ? ": all of it brought" : ", received"} ${lamportsToSol(receivedLamports)} SOL`;
  const says: Record<ExitEvent["what"], string> = {
    ordered: `sells ${amount} (${order?.reason}${order?.multiple === "0x" ? "" : ` at ${order?.multiple}`})`,
    landed: `sold ${amount}${brought}`,
    not_sent: `not sent${why}`,
    did_not_land: `did not land${why}`,
    in_doubt: `unknown${why}; nothing else is ordered until it is settled`,
    no_look: `no price${why}`,
    over: `nothing is left to sell${brought}${why}`,
    completed: `it is protected no longer${why}`,
    gone: `a part of it is protected no longer${why}`,
    received: `sold ${amount}${brought}`,
  };
  return `${id}: ${says[what]}`;
}

/** Carries exits out with a person's consent, and tells what happens. */
async function sell(
  command: string,
  desk: Desk,
  ids: readonly string[],
  { json, every, once, realtime }: RunOptions,
): Promise<void> {
  const { profile, sandbox } = desk;
  const everyMs = everyMsOf(every);
  // A plan protects a position, whether or not anyone reads what is printed.
  process.stdout.once("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE")
      process.stderr.write(
        "Nobody reads the output any more. The exits are carried out as before: Ctrl-C ends that.\n",
      );
  });
  const stopTime = sandbox && passTime(sandbox, realtime === undefined ? 1 : factorOf(realtime));
  let printed: Promise<void> = Promise.resolve();
  const tell = (id: string, event: ExitEvent, decimals: number | null): void => {
    const { what, order, error, soldTokens, receivedLamports } = event;
    const document = {
      command,
      profile: profile.name,
      mode: modeOf(profile),
      position: id,
      what,
      order,
      soldTokens,
      receivedLamports,
      error: error instanceof Error ? { ...error, message: error.message } : null,
    };
    printed = printed.then(
      async () =>
        void process.stdout.write(`${json ? JSON.stringify(document, inJson) : await lineOf(id, event, decimals)}\n`),
    );
  };
  try {
    const { exitCode, why, failed } = await interruptible(
      (signal) => carryOut(desk, ids, { everyMs, isOnce: once === true, signal, tell }),
      null,
    );
    await printed;
    if (failed) {
      const next = settleBy(`${settleIn(profile)} or the next \`exits run --send${profile.option}\``);
      process.stderr.write(`${failed.message}\n`);
      return print(
        { json, command, profile, exitCode },
        { outcome: "unknown", error: { message: failed.message }, next },
        [`It ended while an order was not settled. ${next}`],
      );
    }
    const all: Seen[] = [];
    for (const one of await allKept(profile, ids))
      all.push(BigInt(one.state.tokens) > 0n ? await seen(desk, one) : notSeen(one, null));
    const settle = exitCode === 4 ? unknownIn(profile) : null;
    if (command !== "exits close") return await showSeen({ json, command, world: desk }, all, exitCode, settle);
    const [left] = all.filter(({ state }) => BigInt(state.tokens) > 0n);
    if (!left) return await showSeen({ json, command, world: desk }, all, 0, null);
    await showSeen(
      { json, command, world: desk },
      all,
      worse(exitCode, 1),
      settle ??
        `Not sold yet: ${why === undefined ? whyNot(left) : reasonIn(why)}. The next \`exits run --send\` or \`exits close --send\` tries again.`,
    );
  } finally {
    stopTime?.();
  }
}

/** Why nothing of a position was ordered that is to be sold. */
function whyNot({ state, problem, held, atMs, isComplete }: Seen): string {
  if (isComplete) return "the curve is complete, and each `exits close --send` tries to sell it once";
  if (problem) return `there is no price (${problem})`;
  if (held === 0n) return "the wallet holds none of it";
  const notBeforeMs = state.tries.at(-1)?.notBeforeMs ?? 0;
  if (notBeforeMs)
    return `an order did not land, and the next one may be made ${notBeforeMs > atMs ? `after ${new Date(notBeforeMs).toISOString()}` : "now"}`;
  return "this look ordered nothing";
}

const printUnsent = (command: string, profile: Profile, json: boolean | undefined): void =>
  print({ json, command, profile, exitCode: 1 }, { outcome: "not_sent" }, ["Nothing was sent."]);

const showUnsent = (command: string, profile: Profile, json: boolean | undefined, kept: Kept[]): Promise<void> =>
  inWorld(profile, (world) => show({ json, command, world }, kept, 0, "Nothing was sent: add --send."));

async function run(ids: string[], options: RunOptions): Promise<void> {
  const { profile, json, send, yes, realtime } = options;
  checkSending(options, "carry them out");
  const chosen = await readProfile(profile);
  checkTime(chosen, realtime);
  const kept = await allKept(chosen, ids);
  if (!kept.length) throw new UsageError("no position has exits: `launchpad-desk exits set` sets some");
  if (!send) return showUnsent("exits run", chosen, json, kept);
  if (!yes) {
    await inWorld(chosen, async (world) => {
      marketOf(world);
      for (const one of kept) process.stderr.write(`${(await linesOf(await seen(world, one))).join("\n")}\n`);
    });
    // While a person thinks, other programs can carry exits out, and close them.
    if (!(await isConfirmed("Carry them out?", "pass --yes to carry them out without asking")))
      return printUnsent("exits run", chosen, json);
  }
  await alone(chosen, () => atDesk(chosen, (desk) => sell("exits run", desk, ids, options)));
  await leave();
}

async function close(id: string, options: RunOptions & Waiting): Promise<void> {
  const { profile, json, send, yes, within, realtime } = options;
  checkSending(options, "sell");
  const withinMs = msOf(within);
  const chosen = await readProfile(profile);
  checkTime(chosen, realtime);
  const kept = await known(chosen, id);
  const closing: Kept = { ...kept, wish: { ...kept.wish, closing: true } };
  if (!send) return showUnsent("exits close", chosen, json, [closing]);
  if (!yes && !(await isConfirmed(`Sell all that is left of ${id}?`, "pass --yes to sell without asking")))
    return printUnsent("exits close", chosen, json);
  if (await runnerAt(chosen)) {
    const closed = await closedByRunner(chosen, id, withinMs);
    if (closed)
      return print(
        { json, command: "exits close", profile: chosen, exitCode: closed.exitCode },
        { exits: [documentOf(notSeen(await known(chosen, id), null))], next: closed.next },
        [closed.next],
      );
  }
  const held = await lockRunner(chosen).catch((error: Error) => {
    throw new Error(`nothing was sold: ${error.message}`);
  });
  try {
    await atDesk(chosen, async (desk) => {
      await ask(chosen, id, { closing: true });
      await sell("exits close", desk, [id], { ...options, once: true });
    });
  } finally {
    await held.release();
  }
  await leave();
}

/** The longest that `--within` waits, in seconds. */
const MOST_WITHIN = 3_600;

const msOf = (within: string): number => 1_000 * Number(wholeOf("within", within, MOST_WITHIN));

const pausing =
  (name: "pause" | "resume") =>
  async (id: string, { profile, json, within }: Waiting): Promise<void> => {
    const until = Date.now() + msOf(within);
    const chosen = await readProfile(profile);
    const kept = await known(chosen, id);
    const { state, wish } = kept;
    await ask(chosen, id, { paused: name === "pause" });
    const isLeft = BigInt(state.tokens) > 0n;
    let runner: Holder | undefined;
    while (
      name === "resume" &&
      isLeft &&
      !(await isTaken(chosen, id)) &&
      (runner = await runnerAt(chosen)) &&
      Date.now() < until
    )
      await pause(DONE_MS, undefined);
    // A pause is asked for right before each send, so it need not be taken to hold.
    const isLate = name === "resume" && isLeft && runner !== undefined && !(await isTaken(chosen, id));
    const paused =
      (wish.closing ?? state.closing)
        ? "It is being closed, which a pause does not stop: `launchpad-desk halt` stops all trades."
        : "It orders nothing until it is resumed.";
    const taken = name === "pause" ? paused : "It orders again.";
    const said = isLate
      ? `process ${runner!.pid}, which carries exits out, has not taken this yet: until then it orders nothing.`
      : taken;
    print(
      { json, command: `exits ${name}`, profile: chosen, exitCode: isLate ? 1 : 0 },
      {
        exits: [documentOf(notSeen({ ...kept, wish: { ...wish, paused: name === "pause" } }, null))],
        next: isLate ? said : null,
      },
      [isLate ? `${id}: ${said}` : `${id} ${said.slice("It ".length)}`],
    );
  };

async function remove(id: string, { profile, json, within }: Waiting): Promise<void> {
  const withinMs = msOf(within);
  const chosen = await readProfile(profile);
  const { state } = await known(chosen, id);
  const isLeft = BigInt(state.tokens) > 0n;
  if (!isLeft || !(await doneByRunner(chosen, id, { removed: true }, withinMs)))
    await alone(chosen, () => forget(chosen, id));
  print({ json, command: "exits remove", profile: chosen, exitCode: 0 }, { exits: [] }, [
    `${id}: has no exits any more${state.order ? `; its order ${state.order.intentId} was not settled` : ""}.`,
  ]);
}

export function addExits(program: Command): void {
  const exits = program
    .command("exits")
    .summary("leave positions by a plan: profits, stops, time")
    .description(
      "Sets a plan of exits on a position, and carries it out: each rule's order is recorded, and sent once.",
    );
  const added = (name: string, summary: string): Command => withProfile(exits.command(name).summary(summary));

  const waiting = (command: Command): Command =>
    command.option("--within <seconds>", "how long to wait for the program that carries exits out, if one runs", "30");
  const setting = withExitPlan(
    waiting(added("set", "set a plan of exits on a position")).argument(
      "<position>",
      "the intent id of the buy that opened it, as the record has it; or a name of your own, with the options below",
    ),
  )
    .option(
      "--slippage <percent>",
      "how far the price may move until a sell arrives; a stop needs a wide one (default: the service's)",
    )
    .option("--from-wallet <wallet>", "the wallet that holds it")
    .option("--mint <mint>", "the token")
    .option("--tokens <amount>", "whole tokens to sell in all")
    .option("--cost <sol>", "what they cost in SOL, fees included, without rent")
    .option("--fee-payer <wallet>", "the wallet that pays the network fee of its sells")
    .option(
      "--replace-plan",
      "replace the plan of exits that are set already: what has acted, or is in doubt, stays as it was",
    )
    .option("--send", "if a program already carries exits out, let it carry these out too, after asking")
    .option("--yes", "with --send: do not ask");
  withExample(setting, "exits set signal-1 --take-profit 2x:50% --stop-loss 0.7x --hold 3600 --slippage 10").action(
    set,
  );

  withExample(
    added("list", "show the exits of positions, and what they would do now").argument(
      "[positions...]",
      "which (default: all that are not over)",
    ),
    "exits list",
  ).action(list);

  const sending = (command: Command): Command =>
    command
      .option("--send", "send what is ordered, after asking; without this, it only shows what it would do")
      .option("--yes", "with --send: do not ask")
      .option("--every <seconds>", "how long to wait between two looks", "1")
      .option("--realtime [factor]", "in a sandbox: how many times as fast as a clock its time passes (default: 1)");
  const running = sending(
    added("run", "carry exits out, until nothing is left to sell or Ctrl-C").argument(
      "[positions...]",
      "which (default: all)",
    ),
  ).option("--once", "take a single look, such as for cron");
  withExample(running, "exits run --send --yes").action(run);

  const closing = waiting(
    sending(
      added("close", "sell all that is left of a position now").argument(
        "<position>",
        "its name, as `exits list` prints it",
      ),
    ),
  );
  withExample(closing, "exits close signal-1 --send").action(close);

  const switches = { pause: "order nothing until it is resumed", resume: "order again" } as const;
  for (const [name, summary] of Object.entries(switches))
    withExample(
      waiting(added(name, summary).argument("<position>", "its name, as `exits list` prints it")),
      `exits ${name} signal-1`,
    ).action(pausing(name as keyof typeof switches));
  withExample(
    waiting(added("remove", "remove the exits of a position; what it holds stays")).argument(
      "<position>",
      "its name, as `exits list` prints it",
    ),
    "exits remove signal-1",
  ).action(remove);
}
