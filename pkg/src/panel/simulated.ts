// The simulated launchpad inside the page.

import type { WalletBalances } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/launchpad";
import type { Operation, RequestOf, SandboxConfig, SandboxToken, TradeQuote } from "../generated.js";
import type { TokenView, WalletView, World } from "./world.js";

/** Milliseconds between two steps of the market. */
const STEP_MS = 400;

/** A market that moves by itself. */
const LIVING: SandboxConfig = { market: { alive: true, stepMs: STEP_MS } };

export class SimulatedWorld implements World {
  readonly simulated = true;
  readonly id: string;
  readonly sandbox: Sandbox;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #tokens: readonly TokenView[] | undefined;
  #wallets: readonly WalletView[] | undefined;

  private constructor(id: string, sandbox: Sandbox) {
    this.id = id;
    this.sandbox = sandbox;
  }

  /** Opens the world of this name; `config` is what it begins with. */
  static async open(name: string, config: SandboxConfig = LIVING): Promise<SimulatedWorld> {
    return new SimulatedWorld(`simulated ${name}`, new Sandbox(config));
  }

  get connection(): { fetch: typeof fetch } {
    return { fetch: this.sandbox.fetch as typeof fetch };
  }

  tokens(): readonly TokenView[] {
    return (this.#tokens ??= this.sandbox.tokens.map(tokenView));
  }

  wallets(): readonly WalletView[] {
    return (this.#wallets ??= this.sandbox.wallets.map(({ wallet, label, lamports, tokenAccounts }) => ({
      wallet,
      label,
      lamports,
      tokens: new Map(tokenAccounts.map(({ mint, tokens }) => [mint, tokens])),
    })));
  }

  curve(mint: string) {
    return this.sandbox.curve(mint);
  }

  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote {
    return this.sandbox.quote(operation, request);
  }

  balances(mint: string, wallets: readonly string[]): WalletBalances[] {
    const held = this.wallets().filter(({ wallet }) => wallets.includes(wallet));
    return held.map(({ wallet, lamports, tokens }) => ({ wallet, tokens: tokens.get(mint) ?? 0n, lamports: lamports ?? 0n }));
  }

  /** A sandbox executes what it gets at once. */
  canStillLand(): boolean {
    return false;
  }

  candles(mint: string, intervalMs: number) {
    return this.sandbox.candles(mint, intervalMs);
  }

  tape(mint: string, most: number) {
    return this.sandbox.marketTrades.filter((trade) => trade.mint === mint).slice(-most);
  }

  now(): number {
    return this.sandbox.nowMs;
  }

  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      this.sandbox.advance(STEP_MS);
      this.moved();
    }, STEP_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  moved(): void {
    this.#tokens = this.#wallets = undefined;
    for (const listener of this.#listeners) listener();
  }
}

function tokenView(token: SandboxToken): TokenView {
  const { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, realTokenReserves, supply } = token;
  return { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, progressBps: progressOf(realTokenReserves, supply) };
}

/** The default curve starts with 793.1 of 1,000 millionths of its supply to sell. */
const progressOf = (left: bigint, supply: bigint): number => Number(10_000n - (left * 10_000n * 10_000n) / (supply * 7_931n));
