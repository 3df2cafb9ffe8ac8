// A look at a token, and what a request would do at it.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type {
  ChainCurve,
  Commitment,
  CurveConfig,
  CurveReserves,
  LaunchpadConfig,
  Operation,
  RequestOf,
  SandboxConfig,
  TradeQuote,
  WalletLook,
} from "../generated.js";
import { Since } from "../since.js";
import type { PricedPlan } from "../trade/options.js";

/** When and how surely something was read: on each look, and on each quote that is made from one. */
export type AsOf = {
  slot: number;
  /** The caller's clock when the reply had come, in milliseconds since 1970. */
  atMs: number;
  /** How sure the node was. */
  commitment: Commitment;
};

/** The curve of a look: what `new Curve(…)` of `launchpad-desk/market` takes. See {@link Market.look}. */
export interface LookCurve {
  launchpad: LaunchpadConfig;
  curve: CurveConfig;
  /** The supply that the market cap counts, in base units. */
  supply: bigint;
  /** Whether somebody earns the creator's fee. */
  hasCreator: boolean;
  /** A creator rate of the token's own, in basis points, if it counts. */
  creatorBps: number | null;
  /** Whether trading has ended. */
  complete: boolean;
}

/** A token, its rules and some wallets, all of one slot. See {@link Market.look}. */
export interface Look extends AsOf {
  /** Whether the newest slot that the market has read had not risen for longer than `maxAgeMs` when the reply came: the node stands still. A
   * first look is never stale, because nothing is known before it. */
  stale: boolean;
  mint: string;
  /** The curve and its rules: `new Curve(look.curve)`. */
  curve: LookCurve;
  /** The curve's account. */
  chain: ChainCurve;
  tokenProgram: string;
  /** The supply that the mint says, in base units. */
  mintSupply: bigint;
  /** The wallets, in the order in which they were asked for. */
  wallets: WalletLook[];
  /** Ids of wallets that were asked for, too, but are no addresses and have none in `walletAddresses`: nothing is known of them. */
  unknownWallets: string[];
  /** The same as a sandbox's config: `new Sandbox(look.sandbox)` tries a trade before it is made. */
  sandbox: SandboxConfig;
}

/** A quote, and the slot that it was made from. See {@link Market.quote}. */
export type MarketQuote = TradeQuote &
  AsOf & {
    /** The curve and the rules that it was made from: `market.drift` compares a landed trade with them. */
    curve: LookCurve;
  };

/** What the core says of a look. */
export type ReadLook = Omit<Look, "atMs" | "commitment" | "stale">;
/** How long ago each look was read: its `atMs` does not tell once the clock was set back. A copy has only that. */
const readSince = new WeakMap<Look, Since>();

export function dated(read: ReadLook, commitment: Commitment, stale: boolean): Look {
  const look = Object.freeze({ ...read, atMs: Date.now(), commitment, stale });
  readSince.set(look, new Since());
  return look;
}

/** How old a look is, in milliseconds. */
export const ageOf = (look: Look): number => Math.round(readSince.get(look)?.ageMs ?? Date.now() - look.atMs);

export function quotedAt(
  { slot, atMs, commitment, curve, sandbox, unknownWallets }: Look,
  operation: Operation,
  asked: object,
  caller: Function,
): MarketQuote {
  const quote = result<TradeQuote>(
    core.quote(callArgs({ operation, ...asked, market: sandbox, unknownWallets, nowMs: atMs }, 8)),
    caller,
  );
  return Object.assign(quote, { slot, atMs, commitment, curve });
}

/**
 * What a request would do at a look, at once, and however old the look is. {@link Market.quote} looks first, and refuses an old look.
 * As there, a slippage without a unit is percent.
 *
 * @param look - it must have the request's wallets.
 * @throws {TradeNotSentError} `invalid_request`.
 *
 * @example
 * ```ts
 * import { type Look, quoteAt } from "launchpad-desk/market";
 *
 * function tokensFor(look: Look, fromWallet: string) {
 *   const { legs } = quoteAt(look, "buy", { mint: look.mint, fromWallet, amountInLamports: 50_000_000 });
 *   return legs[0]?.tokenAmount;
 * }
 * ```
 */
export function quoteAt<O extends Operation>(look: Look, operation: O, request: RequestOf[O]): MarketQuote {
  return quotedAt(look, operation, { request }, quoteAt);
}

/**
 * A look as an own trade that landed leaves it, for who cannot wait until the node shows the trade: as it is, if it shows the trade already,
 * and otherwise with what the trade did on its curve. `null` if that is not known yet: of a bundle, or if the reply does not say what the
 * wallet held, or held something else than the look says. It is of the old slot, and a forecast: decide by {@link Market.look}.
 *
 * @param plan - what was sent.
 * @param trade - its reply.
 *
 * @example
 * ```ts
 * import type { Plan, TradeClient } from "launchpad-desk";
 * import { type Look, lookWith, quoteAt } from "launchpad-desk/market";
 *
 * async function worthAtOnce(client: TradeClient, look: Look, plan: Plan, fromWallet: string) {
 *   const now = lookWith(look, plan, await client.send(plan));
 *   return now && quoteAt(now, "sellByPercentage", { mint: look.mint, fromWallet, percentage: 100 }).legs[0]?.walletLamports;
 * }
 * ```
 */
export function lookWith(
  look: Look,
  { operation, body, slippageUnit }: Pick<PricedPlan, "operation" | "body"> & { slippageUnit?: "percent" | "bps" },
  { exact }: { exact: object },
): Look | null {
  const { preTokenBalance: before, postTokenBalance: after } = exact as Record<string, string | null | undefined>;
  const { sandbox, unknownWallets, atMs: nowMs } = look;
  const call = { operation, body, slippageUnit, before, after, market: sandbox, unknownWallets, nowMs };
  const now = result<Traded | null>(core.withTrade(callArgs(call, 8)), lookWith);
  if (!now) return null;
  const { curve, complete } = now;
  const tradedIn = (id: string) => now.wallets.find(({ wallet }) => wallet === id);
  return Object.freeze({
    ...look,
    curve: { ...look.curve, curve, complete },
    chain: { ...look.chain, reserves: curve, complete },
    wallets: look.wallets.map((known) => {
      const traded = tradedIn(known.wallet);
      if (!traded) return known;
      const { lamports, opensVolumeAccount, tokens, rentLamports } = traded;
      const { mint, wallet } = { ...look, ...known };
      const opened = { mint, wallet, isFrozen: false, delegate: null, delegatedTokens: 0n, closeAuthority: null };
      const held = known.holding ?? { ...opened, lamports: rentLamports ?? 0n };
      const holding = tokens === null ? null : { ...held, tokens };
      return { ...known, lamports, opensVolumeAccount, holding };
    }),
    sandbox: {
      ...sandbox,
      tokens: sandbox.tokens?.map((token) => ({ ...token, curve, complete })),
      wallets: sandbox.wallets?.map((known) => {
        const traded = tradedIn(known.wallet);
        if (!traded) return known;
        const { lamports, opensVolumeAccount, tokens, rentLamports } = traded;
        const [held] = known.holdings ?? [];
        const holding = { ...held, mint: look.mint, tokens: tokens ?? 0n, lamports: rentLamports ?? 0n };
        return { ...known, lamports, opensVolumeAccount, holdings: tokens === null ? [] : [holding] };
      }),
    },
  });
}

/** What the core says of a look with a trade. */
interface Traded {
  curve: CurveReserves;
  complete: boolean;
  wallets: {
    wallet: string;
    lamports: bigint;
    opensVolumeAccount: boolean;
    tokens: bigint | null;
    rentLamports: bigint | null;
  }[];
}
