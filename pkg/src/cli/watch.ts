// `launchpad-desk watch`: a live view of a token, of what wallets hold of it, and of what this profile has sent. It sends nothing.

import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { Command } from "commander";
import type { Look, Position } from "launchpad-desk/market";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { TradeQuote } from "../generated.js";
import { readState } from "../node/state.js";
import { pause } from "../watching.js";
import { type Recorded, keyOf, positionsOf, tradesIn } from "./books.js";
import { type Common, UsageError, withExample, withProfile } from "./command.js";
import { freshSandbox, inWorld, recordOf, stateOf } from "./desk.js";
import { type Holding, heldOf, holdingsAt, holdingsIn, noAddress } from "./position.js";
import { type Profile, readProfile } from "./profile.js";
import { checkTime, everyMsOf, factorOf, passTime } from "./sandbox.js";
import { modeOf } from "./show.js";
import { interruptible } from "./trade.js";
import { traderOf } from "./unresolved.js";
import { type Frame, type Show, inLines, onScreen } from "./watch-view.js";

interface Options extends Common {
  mint?: string;
  fromWallet?: string[];
  every?: string;
  realtime?: string | true;
}

/** What the market says of a frame. */
interface View extends Omit<Frame, "held" | "sent"> {
  readonly wallets: readonly Holding[];
  readonly sellAll: (wallet: string) => TradeQuote;
}

const MOST_TRADES = 1_000;

interface Books {
  readonly trades: readonly Recorded[];
  readonly positions: ReadonlyMap<string, Position>;
}

/** The size of a file and when it was written; empty if there is none. */
const markOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => "",
  );

/** The profile's record, read again only if it has changed. */
function booksOf(profile: Profile): () => Promise<Books> {
  let mark: string | undefined;
  let books: Books = { trades: [], positions: new Map() };
  return async () => {
    const now = await markOf(recordOf(profile));
    if (now === mark) return books;
    const trades = await tradesIn(profile);
    for (const position of books.positions.values()) position.free();
    [mark, books] = [now, { trades, positions: await positionsOf(trades) }];
    return books;
  };
}

/** A view of a token of a sandbox. A wallet that has sold all of it stays in view. */
function viewOf(sandbox: Sandbox, { mint: named, fromWallet }: Options, seen: Set<string>): View {
  const token = named === undefined ? sandbox.tokens[0] : sandbox.tokens.find(({ mint }) => mint === named);
  if (!token)
    throw new UsageError(named === undefined ? "the sandbox has no token" : `the sandbox has no token ${named}`);
  const { mint, symbol, decimals, spotPrice, marketCapLamports, complete } = token;
  const wallets = holdingsIn(sandbox, mint).filter(({ wallet, tokens }) =>
    fromWallet ? fromWallet.includes(wallet) : tokens !== null || seen.has(wallet),
  );
  for (const { wallet } of wallets) seen.add(wallet);
  return {
    ...{ mint, symbol, decimals, atMs: sandbox.nowMs, price: spotPrice, marketCapLamports, complete, wallets },
    trades: sandbox.newestTrades(mint, MOST_TRADES),
    sellAll: (wallet) => sandbox.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }),
  };
}

/** What is watched, how often, until when, and what each view is passed on to. */
interface Watching {
  profile: Profile;
  options: Options;
  everyMs: number;
  signal: AbortSignal;
  show: (view: View | Error) => Promise<void>;
}

/** Passes on views of a sandbox that other commands trade in: its file is read whenever it has changed. */
async function follow({ profile, options, everyMs, signal, show }: Watching): Promise<void> {
  let mark: string | undefined;
  let view: View | Error | undefined;
  const seen = new Set<string>();
  while (!signal.aborted) {
    const now = await markOf(stateOf(profile));
    if (now !== mark) {
      const sandbox = await freshSandbox(profile);
      try {
        await readState(sandbox, stateOf(profile));
        [mark, view] = [now, viewOf(sandbox, options, seen)];
      } catch (error) {
        if (error instanceof UsageError) throw error;
        view = error as Error;
      }
    }
    await show(view!);
    await pause(everyMs, signal);
  }
}

/** Passes on views of a sandbox whose time passes here. No other command can trade in it meanwhile. */
const passing = ({ profile, options, everyMs, signal, show }: Watching): Promise<void> =>
  inWorld(profile, async ({ sandbox }) => {
    const stop = passTime(sandbox!, factorOf(options.realtime!));
    const seen = new Set<string>();
    try {
      while (!signal.aborted) {
        await show(viewOf(sandbox!, options, seen));
        await pause(everyMs, signal);
      }
    } finally {
      stop();
    }
  });

const looking = ({ profile, options, everyMs, signal, show }: Watching): Promise<void> =>
  inWorld(profile, async ({ market }) => {
    if (!market) throw new UsageError(`profile ${profile.name} has no node (rpc) to watch a token at`);
    const { mint } = options;
    if (mint === undefined) throw new UsageError("name the token with --mint");
    const wallets = options.fromWallet ?? (profile.fromWallet === undefined ? [] : [profile.fromWallet]);
    const { Curve, quoteAt } = await import("launchpad-desk/market");
    const of = (look: Look): View => {
      const curve = new Curve(look.curve);
      const { spotPrice, marketCapLamports, complete, launchpad } = curve;
      curve.free();
      return {
        ...{
          mint,
          symbol: mint,
          decimals: launchpad.tokenDecimals,
          atMs: look.atMs,
          price: spotPrice,
          marketCapLamports,
          complete,
          trades: null,
        },
        wallets: holdingsAt(look),
        sellAll: (wallet) => quoteAt(look, "sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }),
      };
    };
    let unknown: string[] | undefined;
    for await (const look of market.watch(mint, { wallets, everyMs, signal })) {
      // No later look takes the mint either.
      if ((look as { code?: string }).code === "invalid_options") throw look;
      await show(look instanceof Error ? look : of(look));
      if (unknown || look instanceof Error) continue;
      unknown = look.unknownWallets;
      for (const wallet of unknown) await show(new Error(noAddress(wallet)));
    }
  });

/** A view with what the record says. What was being sent as its program was killed is unknown. */
async function frameOf(view: View, { trades, positions }: Books, profile: Profile): Promise<Frame> {
  const { wallets, sellAll, ...seen } = view;
  const held = wallets.map((holding) =>
    heldOf(
      holding,
      positions.get(keyOf(view.mint, holding.wallet)),
      holding.tokens ? sellAll(holding.wallet) : undefined,
    ),
  );
  const sent = trades.filter(({ mint }) => mint === view.mint);
  const isKilled = sent.some(({ state }) => state === "in_flight") && (await traderOf(profile)) === undefined;
  return {
    ...{ ...seen, held },
    sent: isKilled ? sent.map((one) => ({ ...one, state: one.state === "in_flight" ? "unknown" : one.state })) : sent,
  };
}

/** Only a write tells that the program behind a pipe has ended. So the price is written again, also if nothing has changed. */
const STILL_MS = 5_000;

async function run(options: Options): Promise<void> {
  const { profile: named, json, every, realtime } = options;
  const profile = await readProfile(named);
  checkTime(profile, realtime);
  const everyMs = everyMsOf(every ?? (profile.sandbox ? "1" : "2"));
  const unread = new AbortController();
  // The program behind a pipe may end first.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    unread.abort();
  });
  const out = fstatSync(process.stdout.fd);
  const books = booksOf(profile);
  const { fromBaseUnits, lamportsToSol } = await import("launchpad-desk");
  const display: Show =
    !json && process.stdout.isTTY
      ? onScreen(modeOf(profile), { fromBaseUnits, lamportsToSol })
      : inLines(json === true, profile, { fromBaseUnits, lamportsToSol });
  const beat = out.isFIFO() || out.isSocket() ? setInterval(() => display.still?.(), STILL_MS) : undefined;
  try {
    const watchSandbox = realtime === undefined ? follow : passing;
    const watch = profile.sandbox ? watchSandbox : looking;
    const show = async (view: View | Error): Promise<void> =>
      view instanceof Error ? display.trouble(view) : display.frame(await frameOf(view, await books(), profile));
    await interruptible((interrupt) => {
      const signal = AbortSignal.any([interrupt, unread.signal]);
      return watch({ profile, options, everyMs, signal, show });
    }, null);
  } finally {
    clearInterval(beat);
    display.end();
  }
  process.exitCode = 0;
}

export function addWatch(program: Command): void {
  const command = withProfile(
    program.command("watch").summary("watch a token: its price, trades, positions, and what was sent"),
  )
    .description(
      "Shows a token as it moves, until Ctrl-C. In a pipe it prints a line for each change and the price every five seconds, with --json as JSON. Nothing is sent.",
    )
    .option("--mint <mint>", "the token (default in a sandbox: its first token)")
    .option("--from-wallet <wallet...>", "the wallets (default: the profile's; in a sandbox those that hold the token)")
    .option("--every <seconds>", "how long to wait between two looks (default: 2 at a node, 1 in a sandbox)")
    .option(
      "--realtime [factor]",
      "in a sandbox: let its time pass, this many times as fast as a clock (default: 1); no other command can use it meanwhile",
    );
  withExample(command, "watch").action(run);
}
