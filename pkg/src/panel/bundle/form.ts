// A bundle as it is entered: a row for each trade, and an order made of the rows that are not sent yet. If they do not all fit
// into one transaction, the order is that of the first transaction, and the others follow one by one.

import {
  type TypedAmount,
  type TypedPercentage,
  fromBaseUnits,
  lamportsToSol,
  readTypedAmount,
  readTypedPercentage,
  readTypedSlippage,
  readTypedTable,
  typedText,
} from "launchpad-desk";
import type { TradeQuote } from "../../generated.js";
import { type Attempt, hasLanded, isOpen, stateOf } from "../attempts/attempt.js";
import type { Desk } from "../desk.js";
import { priorityOf } from "../order/entry.js";
import { SOL_DECIMALS, grouped } from "../figures.js";
import { messages } from "../messages.js";
import type { Draft, Order, Problem } from "../order/order.js";
import { OrderForm, type OrderFormHost } from "../order/order-form.js";
import { priorityIn } from "../order/risk.js";
import { Since } from "../../since.js";
import { shownName } from "../worlds/token-view.js";
import { painted } from "../turns.js";
import type { TokenView, WalletView } from "../worlds/world.js";

const say = messages.bundle;

/** What the rows do: spend SOL, sell tokens, or sell a part of what each wallet holds. */
export const MODES = ["buy", "sell", "percentage"] as const;
export type Mode = (typeof MODES)[number];

export interface Row {
  /** Identifies the row, whatever is in it. */
  readonly id: number;
  wallet: string;
  amount: string;
  /** Its share of a total that is split by weights. */
  weight: string;
  /** Empty: the bundle's slippage applies. */
  slippage: string;
  /** What was odd about it in the pasted table, until somebody edits it. */
  pastedProblem: string;
  /** The fields that show their errors: those that the user has left, or all after a try to send. */
  readonly visited: Set<RowField>;
  /** The attempt that sent it, and its place in that. */
  sent: { readonly intentId: string; readonly at: number } | undefined;
}

export type RowField = "wallet" | "weight" | "amount" | "slippage";
const FIELDS: readonly RowField[] = ["wallet", "weight", "amount", "slippage"];

/** The most rows: each is drawn and quoted, so more would hold up the page. */
const MOST_ROWS = 300;
/** The most characters of a pasted text: reading more would hold up the page. */
const MOST_LENGTH = 150_000;
/** How many pasted rows are drawn at a time. */
const SLICE = 25;
/** For how long a look that shows what was sent is waited for, and how often it is looked whether one has come. */
const PRICED_WITHIN_MS = 10_000;
const LOOK_MS = 100;

const WEIGHT_DECIMALS = 6;

/** A row without errors: what it asks for. */
interface ReadRow {
  readonly row: Row;
  readonly amount: string;
  readonly units: bigint;
  readonly slippage: string;
}

/** Who prices and sends what the bundle asks for, and knows the token and the wallets it is for. */
type BundleFormHost = OrderFormHost & Pick<Desk, "token" | "walletOf" | "nameOf">;

const rowsOf = (legs: readonly ReadRow[]) => legs.map(({ row }) => row);

export class BundleForm {
  mode: Mode = "buy";
  rows: Row[] = [];
  slippage = "0.5";
  feePayer = "";
  /** Whether each transaction must fit without an address lookup table, since the service may use none. */
  plain = false;
  /** The text in the amount tool's field. */
  total = "";
  /** Whether a total is split by weights: then each row shows one. */
  weighs = false;
  /** The error of the last use of a tool. */
  complaint = "";
  /** Problems of a pasted table that belong to no row. Its rows are not sent before somebody has dismissed them. */
  pastedProblems: readonly string[] = [];
  reading = false;
  /** Which transaction is on its way, of how many; undefined if no other follows it. */
  progress: { readonly at: number; readonly of: number } | undefined;
  readonly form: OrderForm;
  /** What all rows that are not sent yet would do, one after the other. */
  whole: TradeQuote | undefined;
  /** The lamports that the buys of these rows spend. */
  spends = 0n;
  /** The transactions still to be sent, each as its rows. */
  parts: readonly (readonly Row[])[] = [];
  readonly #host: BundleFormHost;
  /** The rows of the quote of all, in its order. */
  #quoted: readonly Row[] = [];
  #plainParts = 1;
  /** The rows that are being sent. */
  #going: readonly Row[] = [];
  #ids = 0;
  /** Whether the trader has chosen the payer. */
  #isOwnPayer = false;

  constructor(host: BundleFormHost) {
    this.#host = host;
    this.slippage = host.entry.slippage;
    this.form = new OrderForm(
      host,
      () => this.#draft(),
      ".bundle-act .result",
      () => ({ operation: this.mode === "buy" ? "bundleBuy" : "bundleSell", wallets: [] }),
    );
    for (const { wallet } of host.world.wallets().slice(0, 2)) this.#append(wallet);
    this.feePayer = this.rows[0]?.wallet ?? "";
  }

  get token(): TokenView | undefined {
    return this.#host.token;
  }

  /** Whether fewer transactions are enough if the service uses an address lookup table. */
  get leansOnTable(): boolean {
    return this.plain || (this.parts.length > 0 && this.#plainParts > this.parts.length);
  }

  /** Whether the rows must stay as they are. */
  get isBusy(): boolean {
    return this.form.isSending || this.progress !== undefined || this.reading;
  }

  /** The next wallet that is in no row. */
  get free(): WalletView | undefined {
    return this.rows.length >= MOST_ROWS
      ? undefined
      : this.#host.world.wallets().find(({ wallet }) => !this.rows.some((row) => row.wallet === wallet));
  }

  /** A row's name for screen readers: its wallet, and its number where the wallet is not enough. */
  nameOf(row: Row): string {
    const number = this.rows.indexOf(row) + 1;
    if (!row.wallet) return say.row(number);
    const twice = this.rows.some((other) => other !== row && other.wallet === row.wallet);
    const name = this.#host.nameOf(row.wallet);
    return twice ? say.rowOf(name, number) : name;
  }

  /** The number of an earlier row with the same wallet. */
  repeats(row: Row): number | undefined {
    const first = this.rows.findIndex(({ wallet }) => wallet !== "" && wallet === row.wallet);
    return first >= 0 && this.rows[first] !== row ? first + 1 : undefined;
  }

  /** A row's leg in the quote of all rows that are not sent yet. */
  legOf(row: Row): TradeQuote["legs"][number] | undefined {
    return this.whole?.legs[this.#quoted.indexOf(row)];
  }

  refusalOf(row: Row): string | undefined {
    const refused = this.whole?.refused;
    const at = /\[(\d+)\]/.exec(refused?.field ?? "")?.[1];
    return refused && at !== undefined && this.#quoted[Number(at)] === row ? refused.message : undefined;
  }

  attemptOf(row: Row): Attempt | undefined {
    const id = this.#going.includes(row) ? this.form.attemptId : row.sent?.intentId;
    return id ? this.#host.attempts.get(id) : undefined;
  }

  /** A row's place in the transaction that sent it. */
  placeOf(row: Row): number {
    return row.sent?.at ?? this.#going.indexOf(row);
  }

  setMode(mode: Mode): void {
    if (this.isBusy) return;
    this.#turnTo(mode);
    if (mode === "percentage") this.weighs = false;
    this.form.edited();
  }

  /** SOL, tokens and percent are different units: an amount in one is not kept for another. */
  #turnTo(mode: Mode): void {
    if (mode !== this.mode) this.#clear();
    this.mode = mode;
  }

  #clear(): void {
    this.total = "";
    for (const row of this.rows) row.amount = "";
  }

  /** The panel shows another token: consent was given for the one before. */
  tokenChanged(): void {
    if (this.mode === "sell") this.#clear();
    for (const row of this.rows) row.sent = undefined;
    this.#going = [];
    this.form.edited();
  }

  enter(changes: { slippage?: string; feePayer?: string; total?: string; plain?: boolean }): void {
    Object.assign(this, changes);
    this.#isOwnPayer ||= changes.feePayer !== undefined;
    this.form.edited();
  }

  edit(row: Row, changes: Partial<Pick<Row, RowField>>): void {
    if (this.isBusy) return;
    // A weight trades nothing by itself: the amounts stay until the total is split again.
    if (changes.weight !== undefined) row.weight = changes.weight;
    else Object.assign(row, changes, { pastedProblem: "", sent: undefined });
    this.form.edited();
  }

  visit(row: Row, field: RowField): void {
    row.visited.add(field);
    this.#host.changed();
  }

  /** Adds a row for a wallet that is in none yet, and returns it. */
  add(): Row | undefined {
    const { free } = this;
    if (!free || this.isBusy) return undefined;
    const row = this.#append(free.wallet);
    this.form.edited();
    return row;
  }

  addAll(): void {
    for (let { free } = this; free && !this.isBusy; { free } = this) this.#append(free.wallet);
    this.form.edited();
  }

  /** How many rows {@link fill} would replace, if something was typed into them. */
  get replaces(): number {
    const isTyped = ({ amount, weight, slippage }: Row): boolean => (amount + weight + slippage).trim() !== "";
    return this.rows.some(isTyped) ? this.rows.length : 0;
  }

  /** Replaces the rows with one for each of these wallets, and all that was said of those before. */
  fill(wallets: readonly string[]): void {
    if (this.isBusy) return;
    Object.assign(this, { rows: [], pastedProblems: [], complaint: "", weighs: false });
    for (const wallet of wallets.slice(0, MOST_ROWS)) this.#append(wallet);
    this.#findPayer();
    this.form.edited();
  }

  /** The first row pays for other rows than before; a payer that was chosen stays. */
  #findPayer(): void {
    const isChosen = this.#isOwnPayer && this.#host.walletOf(this.feePayer);
    if (!isChosen && !this.rows.some(({ wallet }) => wallet === this.feePayer))
      this.feePayer = this.rows[0]?.wallet ?? "";
  }

  remove(row: Row): void {
    if (this.isBusy) return;
    this.rows = this.rows.filter((other) => other !== row);
    this.form.edited();
  }

  /** Gives each row the amount in the tool's field. */
  same(): void {
    this.#tool((text) => this.#toFill.map(() => typedText(text)));
  }

  /** Splits the amount in the tool's field over the rows: the parts add up to it, to the last unit. */
  split(): void {
    this.#tool((_text, units) =>
      [...this.#host.world.maths.equalSpends(units, this.#toFill.length)].map((part) => this.#text(part)),
    );
  }

  /** Splits it by the weights in the rows; asks for the weights first. */
  scale(): void {
    if (this.isBusy) return;
    this.weighs = true;
    const weights = this.#toFill.map(({ weight }) => readTypedAmount(weight, WEIGHT_DECIMALS));
    for (const row of this.rows) row.visited.add("weight");
    if (!weights.every((weight) => weight.state === "read")) {
      this.complaint = say.weightsMissing;
      return this.form.edited();
    }
    const shares = BigUint64Array.from(weights, ({ units }) => units);
    this.#tool((_text, units) =>
      [...this.#host.world.maths.weightedSpends(units, shares)].map((part) => this.#text(part)),
    );
  }

  /** Replaces the rows with those of a pasted table, the faulty ones too: a few at a time, and nothing is sent before all are there. */
  async paste(text: string): Promise<void> {
    if (this.isBusy) return;
    if (text.length > MOST_LENGTH) return this.#unread(say.tooLong(grouped(String(MOST_LENGTH))));
    if (rowsIn(text) > MOST_ROWS + 1) return this.#unread(say.tooManyRows(MOST_ROWS));
    this.reading = true;
    this.form.edited();
    try {
      await painted();
      await this.#readTable(text);
    } catch (error) {
      this.#unread(error instanceof Error ? error.message : String(error));
    } finally {
      this.reading = false;
      this.form.edited();
    }
  }

  /** A table that was not read: the rows are not those that the trader wants, so they are not sent before somebody says so. */
  #unread(problem: string): void {
    this.complaint = problem;
    this.pastedProblems = [problem];
    this.form.edited();
  }

  async #readTable(text: string): Promise<void> {
    const side = this.mode === "buy" ? "buy" : "sell";
    const before = this.mode;
    // An id may be the beginning of another's name: then a row has two readings.
    const names = this.#host.world.wallets().flatMap(({ wallet, label }) => [wallet, label]);
    const { rows, problems } = readTypedTable(text, { side, tokenDecimals: this.#decimals, names });
    if (!rows.length) {
      this.complaint = problems[0]?.message ?? say.nothingPasted;
      return;
    }
    this.weighs = rows.some(({ weight }) => weight !== null);
    const filled = rows.filter(({ amount, percentage }) => (amount ?? percentage) !== null);
    // Of a mix, the odd rows have a problem.
    const usual = filled.find(({ line }) => !problems.some((problem) => problem.line === line)) ?? filled[0];
    if (this.weighs && this.mode === "percentage") this.#turnTo("sell");
    else if (side === "sell" && usual) this.#turnTo(usual.percentage === null ? "sell" : "percentage");
    this.rows = [];
    for (const [at, { line, wallet, amount, percentage, weight, slippage }] of rows.entries()) {
      const row = this.#append(this.#known(wallet));
      row.pastedProblem = problems.find((problem) => problem.line === line)?.message ?? "";
      // One with a problem stays as it was pasted.
      const kept = (text: string | null): string => (row.pastedProblem ? (text ?? "") : typedText(text ?? ""));
      // An amount in another unit than the rows' is not kept: in theirs it would be another trade.
      const own = this.mode === "percentage" ? percentage : amount;
      Object.assign(row, { amount: kept(own), weight: kept(weight), slippage: kept(slippage) });
      for (const field of FIELDS) row.visited.add(field);
      if (at % SLICE === SLICE - 1) {
        this.#host.changed();
        await painted();
      }
    }
    const lines = new Set(rows.map(({ line }) => line));
    this.pastedProblems = problems.filter(({ line }) => !lines.has(line)).map(({ message }) => message);
    this.complaint = before === "percentage" && this.mode === "sell" ? say.readAsTokens : "";
    this.reading = false;
    // If there is already a total, it is split at once.
    if (this.weighs && !problems.length && this.total.trim()) this.scale();
    this.#findPayer();
  }

  /** The user has seen the pasted table's problems and goes on without the faulty parts. */
  dismiss(): void {
    this.pastedProblems = [];
    this.form.edited();
  }

  /** Sends all transactions in turn, up to an edit, or the first that does not land or no longer brings what stood here at the press. */
  async send(): Promise<void> {
    const { whole, parts } = this;
    const legs = new Map(this.rows.map((row) => [row, this.legOf(row)]));
    const before = new Map(this.rows.map((row) => [row, row.sent]));
    const of = parts.length;
    const promised = (rows: readonly Row[]): TradeQuote | undefined =>
      whole && { ...whole, legs: rows.flatMap((row) => legs.get(row) ?? []) };
    for (let at = 1, edits = this.form.edits; at <= of && edits === this.form.edits; at++) {
      const [rows = []] = this.parts;
      // What the chain has taken back is not sent again without a press.
      if (rows.some((row) => row.sent !== before.get(row))) break;
      this.progress = { at, of };
      const begun = (intentId: string): void => this.#begun(rows, intentId);
      this.#going = rows;
      const sending = at === 1 ? this.form.send(begun) : this.form.follow(promised(rows), begun);
      edits = this.form.edits;
      await sending;
      if (this.#going === rows) this.#going = [];
      this.form.marketMoved();
      this.#host.changed();
      const { attempt } = this.form;
      if (!this.progress || !attempt || stateOf(attempt) !== "landed") break;
      // Right after a trade nobody may know the price. Without one nothing that had one would be sent.
      const isOn = (): boolean => at < of && !!whole && !this.whole && !!this.progress && edits === this.form.edits;
      for (const landed = new Since(); isOn() && landed.ageMs < PRICED_WITHIN_MS; this.form.marketMoved())
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (!this.progress) break;
    }
    this.halt();
  }

  /** Sends no more transactions after the one that is on its way. */
  halt(): void {
    this.progress = undefined;
    this.#host.changed();
  }

  /** Marks the rows of a transaction as sent: what is edited while it is in flight does not make them unsent. */
  #begun(rows: readonly Row[], intentId: string): void {
    // Of another token by now.
    if (this.#going !== rows) return;
    this.#going = [];
    for (const [at, row] of rows.entries()) row.sent = { intentId, at };
  }

  /** Goes on with the rows that are not sent yet, or starts all of them again. */
  again(): void {
    this.form.again(() => {
      const rest = this.hasRest;
      for (const row of this.rows) if (!rest || !this.#isOver(row)) row.sent = undefined;
    });
  }

  get hasRest(): boolean {
    return this.rows.some((row) => !this.#isOver(row));
  }

  /** Whether the transaction sent last did not land: then its rows come next. */
  get hasFailed(): boolean {
    const { attempt } = this.form;
    return attempt !== undefined && !isOpen(attempt) && !hasLanded(attempt);
  }

  /** Lets every field show its error from now on; returns the first that has one. */
  visitAll(): { row: Row; field: RowField } | undefined {
    for (const row of this.rows) for (const field of FIELDS) row.visited.add(field);
    this.#host.changed();
    for (const row of this.rows) for (const field of FIELDS) if (this.problemOf(row, field)) return { row, field };
    return undefined;
  }

  /** The error of a field of a row, whether it is shown or not. */
  problemOf(row: Row, field: RowField): string {
    if (this.#isOver(row)) return "";
    switch (field) {
      case "wallet":
        if (!row.wallet) return say.noWallet;
        if (this.#isShared(row.wallet)) return say.sharedName(row.wallet);
        return this.#host.walletOf(row.wallet) ? "" : say.unknownWallet(row.wallet);
      case "weight":
        return this.weighs ? wrong(say.weight, readTypedAmount(row.weight, WEIGHT_DECIMALS)) : "";
      case "amount":
        return row.pastedProblem || wrong(say.amount, this.#read(row.amount));
      default:
        return row.slippage.trim() ? wrong(say.slippage, readTypedSlippage(row.slippage)) : "";
    }
  }

  get payerProblem(): string {
    if (!this.feePayer) return say.noWallet;
    return this.#host.walletOf(this.feePayer) ? "" : say.unknownWallet(this.feePayer);
  }

  get #decimals(): number {
    return this.token?.decimals ?? 6;
  }

  /** Whether a row was sent and may have traded. */
  #isOver(row: Row): boolean {
    const attempt = this.attemptOf(row);
    return !!attempt && (isOpen(attempt) || hasLanded(attempt));
  }

  #append(wallet: string): Row {
    const row: Row = {
      id: ++this.#ids,
      wallet,
      amount: "",
      weight: "",
      slippage: "",
      pastedProblem: "",
      visited: new Set(),
      sent: undefined,
    };
    this.rows = [...this.rows, row];
    return row;
  }

  #named(name: string): readonly WalletView[] {
    const text = shownName(name).toLowerCase();
    return this.#host.world.wallets().filter(({ label }) => label.toLowerCase() === text);
  }

  /** Whether a name says nothing: several wallets have it. */
  #isShared(name: string): boolean {
    return !this.#host.walletOf(name) && this.#named(name).length > 1;
  }

  /** A wallet by its id, or by the name that it alone has. */
  #known(name: string): string {
    const [named, other] = this.#named(name);
    return this.#host.walletOf(name) || !named || other ? name : named.wallet;
  }

  #read(text: string): TypedAmount | TypedPercentage {
    if (this.mode === "percentage") return readTypedPercentage(text);
    return readTypedAmount(text, this.mode === "buy" ? SOL_DECIMALS : this.#decimals);
  }

  #text(units: bigint): string {
    return typedText(this.mode === "buy" ? lamportsToSol(units) : fromBaseUnits(units, this.#decimals));
  }

  /** The rows that a tool fills: those that are not sent yet, or all of them for another bundle. */
  get #toFill(): readonly Row[] {
    return this.hasRest ? this.rows.filter((row) => !this.#isOver(row)) : this.rows;
  }

  #tool(amounts: (text: string, units: bigint) => readonly string[]): void {
    if (this.isBusy) return;
    const read = this.#read(this.total);
    this.complaint = wrong(say.toolAmount, read);
    if (read.state === "read") {
      try {
        const filled = amounts(read.text, "units" in read ? read.units : 0n);
        for (const [at, row] of this.#toFill.entries())
          Object.assign(row, { amount: filled[at] ?? "", pastedProblem: "", sent: undefined });
      } catch (error) {
        // No rows, or no weights.
        this.complaint = error instanceof Error ? error.message : String(error);
      }
    }
    this.form.edited();
  }

  /** The order of the next transaction, or why there is none. */
  #draft(): Draft {
    this.whole = undefined;
    this.#quoted = [];
    this.parts = [];
    this.#plainParts = 1;
    if (this.reading)
      return { problems: [{ field: "pasted", label: say.pasted, text: `${say.pasted} ${say.reading}` }], empty: false };
    const rows = this.rows.filter((row) => !this.#isOver(row));
    const legs: ReadRow[] = [];
    const problems: Problem[] = [];
    for (const row of rows) {
      // Only amounts are sent: a weight just helps to fill them in.
      const found = (["wallet", "amount", "slippage"] as const)
        .map((field) => ({ field, text: this.problemOf(row, field) }))
        .filter(({ text }) => text);
      for (const { field, text } of found) problems.push({ field, label: say.fieldOf[field](this.nameOf(row)), text });
      const amount = this.#read(row.amount);
      const slippage = readTypedSlippage(row.slippage);
      if (amount.state === "read")
        legs.push({
          row,
          amount: amount.text,
          units: "units" in amount ? amount.units : 0n,
          slippage: slippage.state === "read" ? slippage.text : "",
        });
    }
    const slippage = readTypedSlippage(this.slippage);
    if (slippage.state !== "read") problems.push({ field: "slippage", text: wrong(say.slippage, slippage) });
    const priority = this.#host.entry.priorityProblem;
    if (priority) problems.push({ field: "prioritySol", text: priority });
    if (rows.length && this.payerProblem) problems.push({ field: "feePayer", text: this.payerProblem });
    for (const text of this.pastedProblems) problems.push({ field: "pasted", label: say.pasted, text });
    if (!rows.length || problems.length || slippage.state !== "read")
      return { problems, empty: rows.every(({ amount }) => !amount.trim()) };
    return this.#next(legs, slippage.text);
  }

  /** The order of the first transaction of these legs, and that of all of them. */
  #next(legs: readonly ReadRow[], slippage: string): Draft {
    const whole = this.#orderOf(legs, slippage);
    this.whole = this.#quoteOf(whole);
    this.spends = legs.reduce((sum, { units }) => sum + units, 0n);
    if (this.whole) this.#quoted = rowsOf(legs);
    const side = this.mode === "buy" ? "buy" : "sell";
    const shapes = legs.map(
      ({ row }, at) =>
        ({ wallet: row.wallet, side, tokenAccount: this.whole?.legs[at]?.tokenAccount ?? "unknown" }) as const,
    );
    const bundle = { feePayer: this.feePayer, legs: shapes };
    const { splitBundle } = this.#host.world.maths;
    const written = splitBundle(bundle);
    this.#plainParts = written.length;
    const parts = (this.plain ? written : splitBundle(bundle, "with_lookup_table")).map((part) =>
      part.legs.map((at) => legs[at] as ReadRow),
    );
    this.parts = parts.map(rowsOf);
    if (parts.length < 2) return { order: whole };
    // Each transaction pays the network and its priority for itself.
    const orders = parts.map((part) => this.#orderOf(part, slippage));
    const { whole: one } = this;
    let [networkFeeLamports, priorityLamports] = [0n, 0n];
    for (const order of orders) {
      networkFeeLamports += this.#quoteOf(order)?.networkFeeLamports ?? 0n;
      priorityLamports += priorityIn(order);
    }
    this.whole = one && {
      ...one,
      networkFeeLamports,
      wallets: one.wallets.map((own) =>
        own.wallet === this.feePayer
          ? { ...own, netLamports: own.netLamports + one.networkFeeLamports - networkFeeLamports }
          : own,
      ),
    };
    return { order: orders[0] as Order, all: { order: whole, quote: this.whole, priorityLamports } };
  }

  #quoteOf({ operation, request }: Order): TradeQuote | undefined {
    try {
      return this.#host.world.quote(operation, request as never);
    } catch {
      // The form quotes the first transaction, and shows what is wrong with it.
      return undefined;
    }
  }

  #orderOf(legs: readonly ReadRow[], slippage: string): Order {
    const priority = priorityOf(this.#host.entry.priorityLamports(), legs.length);
    const terms = {
      mint: this.token?.mint ?? "",
      feePayer: this.feePayer,
      slippage: { percent: slippage },
      ...priority,
    };
    const own = <T>(amount: (leg: ReadRow) => T) =>
      legs.map((leg) => ({
        fromWallet: leg.row.wallet,
        ...(leg.slippage && { slippage: { percent: leg.slippage } }),
        ...amount(leg),
      }));
    if (this.mode === "buy") {
      const buys = own(({ units }) => ({ amountInLamports: units }));
      return { operation: "bundleBuy", request: { ...terms, buys } };
    }
    if (this.mode === "sell") {
      const sells = own(({ amount }) => ({ amountInToken: amount }));
      return { operation: "bundleSell", request: { ...terms, sells } };
    }
    const sells = own(({ amount }) => ({ percentage: amount }));
    return { operation: "bundleSellByPercentage", request: { ...terms, sells } };
  }
}

const wrong = (label: string, typed: TypedAmount | TypedPercentage): string =>
  typed.state === "read" ? "" : `${label} ${typed.message}`;

/** The rows of a pasted table, with its header. */
const rowsIn = (text: string): number => text.split(/\r\n|\r|\n/).filter((line) => line.trim()).length;
