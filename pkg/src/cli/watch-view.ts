// How `watch` shows what it sees: a screen that is drawn again, or a line for each change. The words are those of the panel.

import type { fromBaseUnits, lamportsToSol } from "launchpad-desk";
import type { MarketTrade } from "../generated.js";
import { messages } from "../panel/messages.js";
import type { Recorded } from "./books.js";
import type { HeldToken } from "./position.js";
import type { Profile } from "./profile.js";
import { modeOf } from "./show.js";
import { inJson } from "../json.js";

export interface Frame {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  /** When, in the market's time. */
  readonly atMs: number;
  /** Lamports for a whole token; null past 128 bits. */
  readonly price: string | null;
  readonly marketCapLamports: bigint | null;
  readonly complete: boolean;
  /** The newest trades of anybody, oldest first; null where they are not known, as on a chain. */
  readonly trades: readonly MarketTrade[] | null;
  readonly held: readonly HeldToken[];
  /** This profile's trades of the token, oldest first. */
  readonly sent: readonly Recorded[];
}

export interface Show {
  frame(frame: Frame): void;
  trouble(error: Error): void;
  /** Says in a pipe that nothing has changed. */
  still?(): void;
  end(): void;
}

interface Figures {
  readonly fromBaseUnits: typeof fromBaseUnits;
  readonly lamportsToSol: typeof lamportsToSol;
}

type News =
  | { type: "price" }
  | { type: "trade"; trade: MarketTrade }
  | { type: "position"; held: HeldToken }
  | { type: "sent"; sent: Recorded };

const OPEN = ["in_flight", "unknown", "awaiting_approval"];

/** What has changed since the frame before; at first what is there, and after looks that failed the price. */
function* newsOf(before: Frame | undefined, now: Frame, isBack: boolean): Generator<News> {
  if (isBack || before?.price !== now.price || before.complete !== now.complete) yield { type: "price" };
  const last = before ? (before.trades?.at(-1)?.number ?? 0) : Infinity;
  for (const trade of now.trades ?? []) if (trade.number > last) yield { type: "trade", trade };
  const old = new Map(before?.held.map((held) => [held.wallet, held]));
  for (const held of now.held) {
    const was = old.get(held.wallet);
    // A state may be read before the books of the same trade.
    const isNews = (["tokens", "costLamports", "realisedLamports"] as const).some((name) => was?.[name] !== held[name]);
    if (isNews) yield { type: "position", held };
  }
  const states = new Map(before?.sent.map(({ intentId, state }) => [intentId, state]));
  for (const sent of now.sent)
    if (before ? states.get(sent.intentId) !== sent.state : OPEN.includes(sent.state)) yield { type: "sent", sent };
}

const stateText = (state: string): string => (messages.outcome.states as Record<string, string>)[state] ?? state;

/** An address, short: `SimTraderAda` of a sandbox, whose own end in ones, and `EFKx…dyLM`. */
function short(address: string): string {
  const name = address.replace(/1{9,}$/, "");
  if (name && name.length <= 16) return name;
  return address.length > 12 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
}

const clock = (atMs: number): string => new Date(atMs).toISOString().slice(11, 19);

const priceText = ({ price, complete }: Frame): string =>
  `${price === null ? messages.header.unknown : `${price} lamports a token`}${complete ? `, ${messages.header.complete}` : ""}`;

export function inLines(asJson: boolean, profile: Profile, { fromBaseUnits, lamportsToSol }: Figures): Show {
  let last: Frame | undefined;
  let problem: string | undefined;
  const write = (document: object, line: string): void =>
    void process.stdout.write(
      asJson
        ? `${JSON.stringify({ command: "watch", profile: profile.name, mode: modeOf(profile), ...document }, inJson)}\n`
        : `${line}\n`,
    );
  const sol = (lamports: bigint): string => `${lamportsToSol(lamports)} SOL`;
  const textOf = (news: News, frame: Frame): string => {
    const tokens = (units: bigint): string => `${fromBaseUnits(units, frame.decimals)} ${short(frame.symbol)}`;
    if (news.type === "price") return priceText(frame);
    if (news.type === "sent") return `${news.sent.intentId}: ${stateText(news.sent.state)}`;
    if (news.type === "trade") {
      const { side, tokens: units, lamports, wallet } = news.trade;
      return `${messages.trades[side]} ${tokens(units)}, ${sol(lamports)}, by ${short(wallet)}`;
    }
    const { wallet, tokens: units, costLamports, profitLamports } = news.held;
    return `${short(wallet)} holds ${tokens(units ?? 0n)}${costLamports === null ? "" : `, cost ${sol(costLamports)}`}${profitLamports === null ? "" : `, profit ${sol(profitLamports)}`}`;
  };
  return {
    frame(frame) {
      const { mint, atMs, price, marketCapLamports, complete } = frame;
      for (const news of newsOf(last, frame, problem !== undefined)) {
        const document =
          news.type === "price"
            ? { type: "price", atMs, mint, price, marketCapLamports, complete }
            : { atMs, mint, ...news };
        write(
          document,
          `${clock(news.type === "trade" ? news.trade.atMs : atMs)} ${short(frame.symbol)}: ${textOf(news, frame)}`,
        );
      }
      [last, problem] = [frame, undefined];
    },
    trouble({ message }) {
      if (message !== problem) write({ type: "error", message }, `${messages.header.noPrice(message)}`);
      problem = message;
    },
    still() {
      const { mint, atMs, price, marketCapLamports, complete } = last ?? {};
      if (problem !== undefined) write({ type: "error", message: problem }, `${messages.header.noPrice(problem)}`);
      else if (last)
        write(
          { type: "price", atMs, mint, price, marketCapLamports, complete },
          `${clock(last.atMs)} ${short(last.symbol)}: ${priceText(last)}`,
        );
    },
    end() {},
  };
}

interface Row {
  readonly text: string;
  readonly colour?: number;
}

const BOLD = 1;
const [RED, GREEN, YELLOW] = [31, 32, 33];

/** Columns of equal width for all rows. Figures stand to the right. */
function table(columns: readonly string[], rows: readonly { cells: readonly string[]; colour?: number }[]): Row[] {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, at) => (at === 0 ? (cells[at] ?? "").padEnd(width) : (cells[at] ?? "").padStart(width)))
      .join("  ");
  return [
    { text: line(columns) },
    ...rows.map(({ cells, colour }) => ({ text: line(cells), ...(colour !== undefined && { colour }) })),
  ];
}

/** A duration in its largest whole unit. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3_600)}h`;
}

/** How many positions, and trades sent from here, a screen has room for beside the market's trades. */
const MOST_ROWS = 6;

/** Draws a screen, again and again. It takes the terminal's other page, and gives it back. */
export function onScreen(mode: "simulated" | "live", { fromBaseUnits, lamportsToSol }: Figures): Show {
  const { stdout } = process;
  const hasColours = !process.env["NO_COLOR"] && stdout.hasColors?.() === true;
  let last: Frame | undefined;
  let problem: string | undefined;
  const paint = ({ text, colour }: Row): string =>
    hasColours && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;

  const rowsOf = (frame: Frame, height: number): Row[] => {
    const { mint, symbol, decimals, atMs, marketCapLamports, trades, held, sent } = frame;
    const tokens = (units: bigint | null): string => fromBaseUnits(units ?? 0n, decimals);
    const sol = (lamports: bigint | null): string =>
      lamports === null ? messages.positions.unknown : lamportsToSol(lamports);
    const head: Row[] = [
      {
        text: `${symbol === mint ? short(mint) : `${symbol} (${short(mint)})`}  ${priceText(frame)}  ${messages.header.marketCap} ${sol(marketCapLamports)} SOL`,
        colour: BOLD,
      },
      {
        text: mode === "simulated" ? messages.panel.simulated : messages.panel.live,
        colour: mode === "simulated" ? GREEN : RED,
      },
      ...(problem === undefined ? [] : [{ text: messages.header.noPrice(problem), colour: YELLOW }]),
    ];
    const positions = table(
      ["Wallet", "Held", "Worth now, SOL", "Cost, SOL", "Profit, SOL"],
      held
        .slice(0, MOST_ROWS)
        .map(({ wallet, tokens: units, sellingAllBringsLamports, costLamports, profitLamports }) => ({
          cells: [
            short(wallet),
            tokens(units),
            sol(units ? sellingAllBringsLamports : 0n),
            sol(costLamports),
            sol(profitLamports),
          ],
          ...(profitLamports !== null && { colour: profitLamports < 0n ? RED : GREEN }),
        })),
    );
    const own = sent.slice(-MOST_ROWS).reverse();
    const history = table(
      messages.history.columns,
      own.map(({ atMs: at, intentId, operation, state }) => ({
        cells: [clock(at), `${operation} ${intentId}`, stateText(state)],
        ...(OPEN.includes(state) && { colour: YELLOW }),
      })),
    );
    const below: Row[] = [
      { text: "" },
      { text: messages.tabs.positions, colour: BOLD },
      ...(held.length ? positions : [{ text: "Nothing held." }]),
      { text: "" },
      { text: messages.outcome.title, colour: BOLD },
      ...(own.length ? history : [{ text: messages.outcome.none }]),
    ];
    const room = Math.max(0, height - head.length - below.length - 3);
    const shown = [...(trades ?? [])].reverse().slice(0, room);
    const tape = table(
      messages.trades.columns,
      shown.map(({ side, lamports, tokens: units, price, wallet, atMs: at }) => ({
        cells: [
          messages.trades[side],
          lamportsToSol(lamports),
          tokens(units),
          price ?? "",
          short(wallet),
          span(atMs - at),
        ],
        colour: side === "buy" ? GREEN : RED,
      })),
    );
    const above: Row[] = trades
      ? [
          { text: "" },
          { text: messages.trades.title, colour: BOLD },
          ...(shown.length ? tape : [{ text: messages.trades.none }]),
        ]
      : [];
    return [...head, ...above, ...below].slice(0, height);
  };

  const draw = (): void => {
    const { columns = 80, rows = 24 } = stdout;
    const lines = last ? rowsOf(last, rows - 1) : [{ text: messages.header.noPrice(problem) }];
    stdout.write(
      `\u001b[H${lines.map((row) => `${paint({ ...row, text: row.text.slice(0, columns) })}\u001b[K`).join("\r\n")}\u001b[J`,
    );
  };
  stdout.write("\u001b[?1049h\u001b[?25l");
  stdout.on("resize", draw);
  draw();
  return {
    frame(frame) {
      [last, problem] = [frame, undefined];
      draw();
    },
    trouble({ message }) {
      problem = message;
      draw();
    },
    end() {
      stdout.off("resize", draw);
      stdout.write("\u001b[?25h\u001b[?1049l");
    },
  };
}
