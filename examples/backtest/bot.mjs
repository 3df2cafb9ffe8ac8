// A bot in a living market. It sees what everybody sees, the tape and the candles, and trades with the same client as a live bot.

import { TradeClient, TradeFailedError } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/launchpad";

const SOL = 1_000_000_000n;
const WALLET = "SimTraderAda1111111111111111111111111111111";
const START = 10n * SOL;
const SPEND = SOL / 2n;
const POSITIONS = 6;
/** How often it looks, and the length of a candle. Reading the tape takes longer than the market itself, so each look reads it once. */
const [LOOK_MS, CANDLE_MS] = [15_000, 5_000];
/** A complete curve accepts no sells. So the bot buys only below the first of these virtual reserves, and sells at the second. */
const [TOO_LATE, LEAVE] = [80n * SOL, 100n * SOL];

/** @typedef {{ mint: string, tokens: bigint }} Position */
/** @typedef {{ at: number, equity: bigint }} Point what it would have after selling everything, after `at` trades of the market */

/** Trades until the market has made this many trades. @param {{ trades: number, seed: number, onProgress?: (made: number) => void }} options */
export async function backtest({ trades, seed, onProgress = () => {} }) {
  const market = { alive: true, seed, launchEveryMs: 30_000, maxTokens: 250, maxMarketTrades: 1_200 };
  const wallets = [{ wallet: WALLET, lamports: START }];
  const sandbox = new Sandbox({ market, wallets, maxTrades: trades, maxCalls: trades });

  // The bot's own books, which are audited at the end.
  /** @type {Map<string, import("launchpad-desk/launchpad").BookEntry>} */ const books = new Map();
  /** @type {import("launchpad-desk").Journal} */ const journal = {
    begin: async (intent) => void books.set(intent.intentId, { ...intent, outcome: null }),
    settle: async ({ intentId }, { outcome }) => void Object.assign(books.get(intentId) ?? {}, { outcome }),
  };
  const guards = { maxLamportsPerTrade: SPEND, maxSlippage: { percent: 2 }, allowWallets: [WALLET] };
  const client = new TradeClient({ fetch: sandbox.fetch, journal, ...guards });

  /** @param {string} mint */
  const buy = (mint) => landed(client.buy({ mint, fromWallet: WALLET, amountInLamports: SPEND, slippage: { percent: 1 } }));
  /** @param {string} mint */
  const sellAll = (mint) => landed(client.sellByPercentage({ mint, fromWallet: WALLET, percentage: 100, slippage: { percent: 2 } }));
  /** What selling it now would bring. @param {Position} position */
  const worth = ({ mint, tokens }) => sandbox.curve(mint).sellExactIn(tokens);
  /** Whether the last three candles rose. @param {string} mint */
  const rises = (mint) => sandbox.candles(mint, CANDLE_MS).slice(-3).every(({ open, close }) => Number(close) > Number(open));

  /** @type {Point[]} */ const points = [{ at: 0, equity: START }];
  /** @type {Map<string, bigint>} what each position was worth at its best */ const best = new Map();
  for (let made = 0; made < trades; onProgress(made)) {
    sandbox.advance(LOOK_MS);
    const tape = sandbox.marketTrades;
    made = tape[tape.length - 1]?.number ?? made;

    const reserves = new Map(sandbox.tokens.map(({ mint, virtualSolReserves }) => [mint, virtualSolReserves]));
    for (const { mint, tokens } of sandbox.wallets[0].tokenAccounts) {
      const [now, before] = [worth({ mint, tokens }), best.get(mint) ?? 0n];
      best.set(mint, now > before ? now : before);
      const isOver = now * 10n < before * 9n || now > SPEND * 2n || (reserves.get(mint) ?? 0n) > LEAVE;
      if (isOver && (await sellAll(mint))) best.delete(mint);
    }

    for (const mint of wanted(tape, sandbox.nowMs - LOOK_MS).filter(rises)) {
      const mayBuy = best.size < POSITIONS && !best.has(mint) && sandbox.wallets[0].lamports > SPEND * 2n;
      if (mayBuy && (await buy(mint))) best.set(mint, 0n);
    }
    const { lamports, tokenAccounts } = sandbox.wallets[0];
    points.push({ at: made, equity: tokenAccounts.reduce((sum, account) => sum + account.lamports + worth(account), lamports) });
  }

  // Sell everything, with a few tries in case the price moves away. What is left counts as nothing.
  for (const { mint } of sandbox.wallets[0].tokenAccounts) for (let tries = 0; tries < 5 && !(await sellAll(mint)); tries++);
  points.push({ at: points[points.length - 1].at, equity: sandbox.wallets[0].lamports });
  return { sandbox, books: [...books.values()], points };
}

/** Whether a trade landed. A failed one moved only its network fee. Any other outcome is thrown: a bot must not guess. @param {Promise<{ status: string }>} trade */
async function landed(trade) {
  try {
    return (await trade).status === "landed";
  } catch (error) {
    if (error instanceof TradeFailedError) return false;
    throw error;
  }
}

/**
 * The tokens into which others have put more than one SOL since `sinceMs`, the largest inflow first.
 *
 * @param {import("launchpad-desk/launchpad").MarketTrade[]} tape
 * @param {number} sinceMs
 */
function wanted(tape, sinceMs) {
  /** @type {Map<string, bigint>} */ const inflow = new Map();
  for (const { mint, side, lamports, virtualSolReserves, trader, atMs } of tape) {
    if (trader === "own" || atMs <= sinceMs) continue;
    const sum = (inflow.get(mint) ?? 0n) + (side === "buy" ? lamports : -lamports);
    inflow.set(mint, virtualSolReserves > TOO_LATE ? 0n : sum);
  }
  const most = [...inflow].filter(([, lamports]) => lamports > SOL).sort(([, a], [, b]) => Number(b - a));
  return most.map(([mint]) => mint);
}
