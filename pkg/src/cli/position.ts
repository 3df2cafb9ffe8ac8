// `launchpad-desk position`: what wallets hold of a token, what it cost, and what selling all of it would bring now.

import type { Command } from "commander";
import type { Look, Position } from "launchpad-desk/market";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { TradeQuote } from "../generated.js";
import { keyOf, positionsOf, tradesIn } from "./books.js";
import { type Common, UsageError, withExample, withProfile } from "./command.js";
import { type World, inWorld } from "./desk.js";
import { readProfile } from "./profile.js";
import { print } from "./show.js";

export interface Holding {
  wallet: string;
  /** Base units; null if it has no token account. */
  tokens: bigint | null;
  /** Null if there is no such account. */
  lamports: bigint | null;
}

/** What a wallet's tokens cost, and what they would bring. */
export interface HeldToken extends Holding {
  /** What selling all of it would bring now, after every fee; null if it cannot be sold, or there is nothing to sell. */
  sellingAllBringsLamports: bigint | null;
  /** Why it cannot be sold. */
  refused: string | null;
  /** What it cost, fees included, by this profile's record; null if some of it was bought or sold elsewhere. */
  costLamports: bigint | null;
  /** What selling all of it would gain now, after every fee, without rent. */
  profitLamports: bigint | null;
  /** What this profile's sells have gained so far; null if it has not traded the token, or has sold some that its record has not bought. */
  realisedLamports: bigint | null;
  /** Whether some of these figures are those of a quote. */
  estimated: boolean;
}

/** What a wallet holds with its cost, by the position of the record. If some of what was bought was sold elsewhere, the cost of the rest is not known. */
export function heldOf(holding: Holding, position: Position | undefined, quote: TradeQuote | undefined): HeldToken {
  const state = position?.state;
  const { wallet, tokens } = holding;
  const sells = quote && !quote.refused ? quote : undefined;
  const isKnown = state !== undefined && state.tokens > 0n && state.tokens === tokens;
  return {
    ...holding,
    sellingAllBringsLamports: sells?.wallets.find((one) => one.wallet === wallet)?.netLamports ?? null,
    refused: quote?.refused?.message ?? null,
    costLamports: isKnown ? state.costLamports : null,
    profitLamports:
      isKnown && sells
        ? sells.legs.reduce((sum, { walletLamports }) => sum + walletLamports, 0n) -
          sells.networkFeeLamports -
          state.costLamports
        : null,
    realisedLamports: state && state.unmatchedTokens === 0n ? state.realisedLamports : null,
    estimated: (state?.estimatedReceipts ?? 0n) > 0n,
  };
}

export const holdingsIn = ({ wallets }: Sandbox, mint: string): Holding[] =>
  wallets.map(({ wallet, lamports, tokenAccounts }) => ({
    wallet,
    lamports,
    tokens: tokenAccounts.find((account) => account.mint === mint)?.tokens ?? null,
  }));

export const holdingsAt = ({ wallets }: Look): Holding[] =>
  wallets.map(({ wallet, lamports, holding }) => ({ wallet, lamports, tokens: holding?.tokens ?? null }));

/** What wallets hold of a token, and the fraction digits of that token. */
async function holdingsOf(
  { sandbox, market, profile }: World,
  mint: string,
  wallets: string[],
): Promise<{ decimals: number; holdings: Holding[]; unknown: string[] }> {
  if (sandbox) {
    const token = sandbox.tokens.find((one) => one.mint === mint);
    const asked = wallets.length ? wallets : sandbox.wallets.map(({ wallet }) => wallet);
    const stray = asked.find((id) => !sandbox.wallets.some(({ wallet }) => wallet === id));
    if (!token) throw new UsageError(`the sandbox has no token ${mint}`);
    if (stray !== undefined) throw new UsageError(`the sandbox has no wallet ${stray}`);
    const holdings = holdingsIn(sandbox, mint).filter(({ wallet }) => asked.includes(wallet));
    return { decimals: token.decimals, holdings, unknown: [] };
  }
  if (!market) throw new UsageError(`profile ${profile.name} has no node (rpc) to ask what wallets hold`);
  const asked = wallets.length || profile.fromWallet === undefined ? wallets : [profile.fromWallet];
  if (!asked.length) throw new UsageError("name a wallet with --from-wallet");
  const look = await market.look(mint, asked);
  return {
    decimals: look.curve.launchpad.tokenDecimals ?? 6,
    holdings: holdingsAt(look),
    unknown: look.unknownWallets,
  };
}

/** What is said of a wallet whose id is no address. */
export const noAddress = (wallet: string): string =>
  `${wallet}: what it holds is not known, because its id is no address: market.walletAddresses of the profile can give it one`;

async function run({
  profile,
  json,
  mint: named,
  fromWallet,
}: Common & { mint?: string; fromWallet?: string[] }): Promise<void> {
  const chosen = await readProfile(profile);
  await inWorld(chosen, async (world) => {
    const mint = named ?? world.sandbox?.tokens[0]?.mint;
    if (mint === undefined) throw new UsageError("name the token with --mint");
    const { fromBaseUnits, lamportsToSol } = await import("launchpad-desk");
    const { decimals, holdings, unknown } = await holdingsOf(world, mint, fromWallet ?? []);
    const positions = await positionsOf(await tradesIn(chosen));
    const held: HeldToken[] = [];
    for (const holding of holdings) {
      const request = { mint, fromWallet: holding.wallet, percentage: 100 };
      const quote = holding.tokens
        ? (world.sandbox?.quote("sellByPercentage", request) ??
          (await world.market?.quote("sellByPercentage", request)))
        : undefined;
      held.push(heldOf(holding, positions.get(keyOf(mint, holding.wallet)), quote));
    }
    const sol = (lamports: bigint): string => `${lamportsToSol(lamports)} SOL`;
    /** What a sell of all brings is with the rent of its account; what it cost, and the profit, are without. */
    const ofItRent = (lamports: bigint): string => (lamports === 0n ? "" : `, ${sol(lamports)} of it rent`);
    const lines = held.map(
      ({
        wallet,
        tokens,
        lamports,
        sellingAllBringsLamports: brings,
        refused,
        costLamports: cost,
        profitLamports: profit,
        realisedLamports: realised,
        estimated,
      }) =>
        [
          `${wallet}: ${fromBaseUnits(tokens ?? 0n, decimals)} tokens, ${lamports === null ? "no SOL" : sol(lamports)}`,
          ...(brings === null
            ? []
            : [
                `selling all brings ${sol(brings)}${cost === null || profit === null ? "" : ofItRent(brings - cost - profit)}`,
              ]),
          ...(refused === null ? [] : [`it cannot be sold: ${refused}`]),
          ...(cost === null ? [] : [`it cost ${estimated ? "about " : ""}${sol(cost)}`]),
          ...(profit === null ? [] : [`profit now ${estimated ? "about " : ""}${sol(profit)}`]),
          ...(realised === null || realised === 0n
            ? []
            : [`profit so far ${estimated ? "about " : ""}${sol(realised)}`]),
        ].join("; "),
    );
    print({ json, command: "position", profile: chosen, exitCode: 0 }, { positions: held, unknownWallets: unknown }, [
      `${mint}:`,
      ...lines,
      ...unknown.map(noAddress),
    ]);
  });
}

export function addPosition(program: Command): void {
  const command = withProfile(
    program.command("position").summary("show what wallets hold, what it cost, and what selling it would bring"),
  )
    .option("--mint <mint>", "the token (default in a sandbox: its first token)")
    .option("--from-wallet <wallet...>", "the wallets (default: the profile's; in a sandbox all)");
  withExample(command, "position").action(run);
}
