// The model behind a panel: the world it trades in, what was entered, what was sent. Parts show it, and tell it what was done.

import { type IntentState, type Plan, type TradeError, TradeClient, isTradeError, isTradeFailedError, view } from "launchpad-desk";
import { indexedDBJournal } from "launchpad-desk/journal";
import { type Answer, type Attempt, Attempts } from "./attempts.js";
import { Entry } from "./entry.js";
import { Shown } from "./shown.js";
import { type Order, Slip, walletsOf } from "./slip.js";
import type { TokenView, WalletView, World } from "./world.js";

/** What a page hears of: see the events of the element. */
export interface DeskEvents {
  "desk-plan": { readonly plan: Plan };
  "desk-sent": { readonly intentId: string };
  "desk-outcome": { readonly intentId: string; readonly fate: Attempt["fate"]; readonly result: unknown };
}

export interface DeskHost {
  /** Something has changed that is shown. */
  changed(): void;
  /** Another world has taken this one's place: what was read of it is of no use. */
  replaced(): void;
  tell<E extends keyof DeskEvents>(event: E, detail: DeskEvents[E]): void;
}

export class Desk {
  readonly world: World;
  readonly attempts: Attempts;
  readonly client: TradeClient;
  readonly entry = new Entry();
  readonly ticket: Slip;
  readonly shown = new Shown(() => this.changed());
  readonly #host: DeskHost;
  /** The world's name when the attempts were opened. */
  readonly #id: string;
  readonly #close: (() => void)[];

  private constructor(host: DeskHost, world: World, attempts: Attempts) {
    this.#host = host;
    this.world = world;
    this.#id = world.id;
    this.attempts = attempts;
    this.client = new TradeClient({
      ...(world.connection as { baseURL?: string }),
      journal: indexedDBJournal(`launchpad-desk journal ${world.id}`),
      hooks: { beforeSend: ({ intentId }: { intentId: string }) => this.#before(intentId) },
    });
    this.entry.mint = world.tokens()[0]?.mint ?? "";
    this.entry.wallet = world.wallets()[0]?.wallet ?? "";
    this.ticket = new Slip(this, () => this.entry.read());
    this.#close = [world.onTick(() => this.#ticked()), attempts.onChange(() => this.changed())];
  }

  static async open(host: DeskHost, world: World): Promise<Desk> {
    return new Desk(host, world, await Attempts.open(world.id));
  }

  close(): void {
    for (const close of this.#close) close();
    this.client.free();
  }

  changed(): void {
    this.#host.changed();
  }

  get token(): TokenView | undefined {
    return this.tokenOf(this.entry.mint);
  }

  tokenOf(mint: string): TokenView | undefined {
    return this.world.tokens().find((token) => token.mint === mint);
  }

  walletOf(id: string): WalletView | undefined {
    return this.world.wallets().find(({ wallet }) => wallet === id);
  }

  /** The ticket's entry, changed. */
  enter(changes: Partial<Pick<Entry, "side" | "mint" | "wallet" | "slippage">> & { amount?: string }): void {
    const { amount, ...rest } = changes;
    Object.assign(this.entry, rest);
    if (amount !== undefined) this.entry.amount[this.entry.side] = amount;
    this.ticket.edited();
  }

  /** The plan of an order: its exact bytes, and what it would do now. */
  async plan({ operation, request }: Order): Promise<Plan> {
    const plan: Plan = await this.client.plan(operation, request as never);
    this.#host.tell("desk-plan", { plan });
    return plan;
  }

  /** Sends a plan, once, and keeps what becomes of it. It is on the disk before the request goes out. */
  async send(order: Order, plan: Plan): Promise<void> {
    const { mint } = order.request;
    const token = this.tokenOf(mint);
    const wallets = walletsOf(order);
    const attempt: Attempt = {
      intentId: plan.intentId,
      operation: plan.operation,
      side: /buy/i.test(plan.operation) ? "buy" : "sell",
      mint,
      symbol: token?.symbol ?? "",
      decimals: token?.decimals ?? 6,
      wallets,
      simulated: plan.simulated,
      startedAtMs: Date.now(),
      marketMs: this.world.now(),
      body: plan.body,
      price: plan.price,
      settledAtMs: null,
      fate: "sending",
      answer: null,
      found: null,
    };
    await this.attempts.put(attempt);
    this.#host.tell("desk-sent", { intentId: plan.intentId });
    const before = this.world.balances(mint, wallets);
    const result: unknown = await this.client.send(plan).catch((error: unknown) => error);
    this.world.moved();
    const answer = answerOf(result, moved(before, this.world.balances(mint, wallets)));
    const fate = view(result).status;
    await this.attempts.put({ ...attempt, fate, answer, settledAtMs: Date.now() });
    this.#host.tell("desk-outcome", { intentId: plan.intentId, fate, result });
  }

  /** What the wallets of a trade hold right before it goes out: the journal keeps it, so that balances can tell later. */
  #before(intentId: string): { before: NonNullable<ReturnType<World["balances"]>> } | undefined {
    const attempt = this.attempts.all.find((attempt) => attempt.intentId === intentId);
    const before = attempt && this.world.balances(attempt.mint, attempt.wallets);
    return before && { before };
  }

  /** The trades that the journal has as unresolved. */
  unresolved(): Promise<IntentState[]> {
    return this.client.pending();
  }

  #ticked(): void {
    if (this.world.id !== this.#id) return this.#host.replaced();
    if (!this.ticket.sending) this.ticket.requote();
    this.changed();
  }
}

type Held = ReturnType<World["balances"]>;

/** How all these wallets' lamports moved. */
function moved(before: Held, after: Held): bigint | null {
  if (!before || !after) return null;
  const sum = (held: NonNullable<Held>) => held.reduce((all, { lamports }) => all + BigInt(lamports ?? 0), 0n);
  return sum(after) - sum(before);
}

/** What a trade or an error says, as plain data. */
function answerOf(result: unknown, lamportsMoved: bigint | null): Answer {
  const shown = view(result);
  const error: TradeError | undefined = isTradeError(result) ? result : undefined;
  const trade = (isTradeFailedError(result) ? result.trade : result) as { result?: { signature?: string | null }; exact?: { buyAmount?: string | null; sellAmount?: string | null } };
  return {
    title: shown.title,
    signature: trade?.result?.signature ?? null,
    tokens: trade?.exact?.buyAmount ?? trade?.exact?.sellAmount ?? null,
    lamportsMoved,
    reason: error ? (error.serviceMessage ?? error.message) : result instanceof Error ? result.message : null,
    code: error?.code ?? null,
    lines: shown.lines,
    links: shown.links,
  };
}
