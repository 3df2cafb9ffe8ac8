// `launchpad-desk position`: what wallets hold of a token, and what selling all of it would bring now.

import type { Command } from "commander";
import { type Common, UsageError, withExample, withProfile } from "./command.js";
import { type World, inWorld } from "./desk.js";
import { readProfile } from "./profile.js";
import { print } from "./show.js";

interface Holding {
  wallet: string;
  /** Base units; null if it has no token account. */
  tokens: bigint | null;
  /** Null if there is no such account. */
  lamports: bigint | null;
}

/** What wallets hold of a token, and the fraction digits of that token. */
async function holdingsOf({ sandbox, market, profile }: World, mint: string, wallets: string[]): Promise<{ decimals: number; holdings: Holding[] }> {
  if (sandbox) {
    const token = sandbox.tokens.find((one) => one.mint === mint);
    const asked = wallets.length ? wallets : sandbox.wallets.map(({ wallet }) => wallet);
    const stray = asked.find((id) => !sandbox.wallets.some(({ wallet }) => wallet === id));
    if (!token) throw new UsageError(`the sandbox has no token ${mint}`);
    if (stray !== undefined) throw new UsageError(`the sandbox has no wallet ${stray}`);
    const holdings = sandbox.wallets.filter(({ wallet }) => asked.includes(wallet));
    return { decimals: token.decimals, holdings: holdings.map(({ wallet, lamports, tokenAccounts }) => ({ wallet, lamports, tokens: tokenAccounts.find((account) => account.mint === mint)?.tokens ?? null })) };
  }
  if (!market) throw new UsageError(`profile ${profile.name} has no node (rpc) to ask what wallets hold`);
  const asked = wallets.length || profile.fromWallet === undefined ? wallets : [profile.fromWallet];
  if (!asked.length) throw new UsageError("name a wallet with --from-wallet");
  const look = await market.look(mint, asked);
  return { decimals: look.curve.launchpad.tokenDecimals ?? 6, holdings: look.wallets.map(({ wallet, lamports, holding }) => ({ wallet, lamports, tokens: holding?.tokens ?? null })) };
}

async function run({ profile, json, mint: named, fromWallet }: Common & { mint?: string; fromWallet?: string[] }): Promise<void> {
  const chosen = await readProfile(profile);
  await inWorld(chosen, async (world) => {
    const mint = named ?? world.sandbox?.tokens[0]?.mint;
    if (mint === undefined) throw new UsageError("name the token with --mint");
    const { fromBaseUnits, lamportsToSol } = await import("launchpad-desk");
    const positions: object[] = [];
    const lines: string[] = [];
    const { decimals, holdings } = await holdingsOf(world, mint, fromWallet ?? []);
    for (const { wallet, tokens, lamports } of holdings) {
      const request = { mint, fromWallet: wallet, percentage: 100 };
      const quote = tokens ? (world.sandbox?.quote("sellByPercentage", request) ?? (await world.market?.quote("sellByPercentage", request))) : undefined;
      const netLamports = quote && !quote.refused ? (quote.wallets.find((one) => one.wallet === wallet)?.netLamports ?? null) : null;
      positions.push({ wallet, tokens, lamports, sellingAllBringsLamports: netLamports });
      const held = `${fromBaseUnits(tokens ?? 0n, decimals)} tokens, ${lamports === null ? "no" : lamportsToSol(lamports)} SOL`;
      lines.push(`${wallet}: ${held}${netLamports === null ? "" : `; selling all brings ${lamportsToSol(netLamports)} SOL`}${quote?.refused ? `; it cannot be sold: ${quote.refused.message}` : ""}`);
    }
    print(json, "position", chosen, 0, { positions }, [`${mint}:`, ...lines]);
  });
}

/** Adds the command. */
export function addPosition(program: Command): void {
  const command = withProfile(program.command("position").summary("show what wallets hold, and what selling it would bring"))
    .option("--mint <mint>", "the token (default in a sandbox: its first token)")
    .option("--from-wallet <wallet...>", "the wallets (default: the profile's; in a sandbox all)");
  withExample(command, "position").action(run);
}
