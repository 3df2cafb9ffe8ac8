// The position that exits are set on: what a buy of the record opened, or what a person says.

import { type ExitPosition, SHOWN_EVERY_MS, SHOWN_WITHIN_MS, type TradeReceipt } from "../generated.js";
import { Since } from "../since.js";
import type { BoughtTrade } from "../trade/options.js";
import { pause } from "../watching.js";
import { type Recorded, intentIdsIn, tradesIn } from "./books.js";
import { UsageError } from "./command.js";
import type { World } from "./desk.js";
import { keptOf } from "./exit-files.js";
import { marketOf } from "./exit-view.js";
import type { Profile } from "./profile.js";
import { lamportsOf, unitsOf } from "./request.js";

export interface PositionOptions {
  mint?: string;
  fromWallet?: string;
  tokens?: string;
  cost?: string;
  feePayer?: string;
}

/** How many trades of a sandbox's market are looked through. */
const MOST_TRADES = 10_000;

/** What `exits set` takes for a position that the record does not know. */
const OWN_OPTIONS = "--mint, --from-wallet, --tokens and --cost";

/** Whether this is the intent id of an exit of the position `name`; with `isAnySet`, also of one of `name/2`, `name/3`, …, its exits set again. */
function isExitOf(name: string, intentId: string, { isAnySet }: { isAnySet: boolean }): boolean {
  const rest = intentId.startsWith(`${name}/`) ? intentId.slice(name.length + 1) : "";
  return /^(?:all|tp\d+)(?:\.\d+)?$/.test(isAnySet ? rest.replace(/^\d+\//, "") : rest);
}

/** The buy of the record that opened a position, and all intents that are known. */
interface Books {
  readonly trades: readonly Recorded[];
  readonly intentIds: ReadonlySet<string>;
}

/** The position that a buy of the record opened, less what its exits have sold; or one of the options. */
export async function positionOf(world: World, id: string, options: PositionOptions): Promise<ExitPosition> {
  const { profile, sandbox } = world;
  const trades = await tradesIn(profile);
  const books: Books = {
    trades,
    intentIds: new Set([...trades.map(({ intentId }) => intentId), ...(await intentIdsIn(profile))]),
  };
  const bought = trades.find(({ intentId }) => intentId === id);
  const payerOf = (wallet: string): string | null =>
    // As in the buy: its wallet may have nothing to pay with.
    options.feePayer ?? (bought?.feePayer === wallet ? null : bought?.feePayer) ?? profile.feePayer ?? null;
  if (bought && options.tokens === undefined && options.cost === undefined) {
    const receipts = bought.receipts.filter(
      ({ status, side, wallet }) =>
        status !== "failed" && side === "buy" && (options.fromWallet === undefined || wallet === options.fromWallet),
    );
    const [receipt, ...others] = receipts;
    if (!receipt) {
      const wallets = options.fromWallet === undefined ? [] : bought.receipts.map(({ wallet }) => wallet);
      throw new UsageError(
        wallets.length
          ? `${id} bought nothing for ${options.fromWallet}: its wallets are ${wallets.join(", ")}`
          : `the record does not say what ${id} bought (its outcome: ${bought.state}): name ${OWN_OPTIONS}`,
      );
    }
    if (others.length) throw new UsageError(`${id} bought for several wallets: name one with --from-wallet`);
    // Wallets of one bundle are positions of their own.
    const name = bought.operation === "bundleBuy" ? `${id}/${receipt.wallet!.slice(0, 44)}` : id;
    const shown = await shownOf(world, bought, receipt);
    const { Position } = await import("launchpad-desk/market");
    const position = new Position();
    position.add({ ...receipt, ...shown });
    for (const sale of salesOf(name, books)) position.add(sale);
    const { tokens, costLamports, rentLockedLamports } = position.state;
    position.free();
    if (tokens === 0n) throw new UsageError(`the exits of ${name} have sold all of it`);
    // The market of a sandbox has a time of its own.
    const past = sandbox ? [...sandbox.newestTrades(bought.mint, MOST_TRADES)].reverse() : [];
    const made = past.find(
      ({ wallet, side, tokens: got }) =>
        wallet === receipt.wallet && side === "buy" && got === (shown ?? receipt).tokens,
    );
    return {
      id: await unusedName(profile, name, books),
      mint: bought.mint,
      wallet: receipt.wallet!,
      tokens,
      costLamports,
      rentLockedLamports,
      openedAtMs: sandbox ? (made?.atMs ?? sandbox.nowMs) : bought.atMs,
      feePayer: payerOf(receipt.wallet!),
    };
  }
  const { fromWallet = profile.fromWallet, tokens, cost, mint } = options;
  if (mint === undefined || fromWallet === undefined || tokens === undefined || cost === undefined)
    throw new UsageError(`no buy ${id} is in the record: name ${OWN_OPTIONS}`);
  // What was sold under this name before would count as sold of this position.
  const used = [...books.intentIds].find((intentId) => isExitOf(id, intentId, { isAnySet: false }));
  if (used !== undefined)
    throw new UsageError(`a position named ${id} had exits before (${used}): choose another name`);
  await checkUnset(profile, id);
  const { curve: look } = await marketOf(world).look(mint, [fromWallet]);
  const { Curve } = await import("launchpad-desk/market");
  const curve = look instanceof Curve ? look : new Curve(look);
  const { tokenDecimals } = curve.launchpad;
  curve.free();
  return {
    id,
    mint,
    wallet: fromWallet,
    tokens: BigInt(await unitsOf("--tokens", tokens, tokenDecimals)),
    costLamports: await lamportsOf("--cost", cost),
    openedAtMs: sandbox?.nowMs ?? Date.now(),
    feePayer: payerOf(fromWallet),
  };
}

/** What the market shows that a buy has brought its wallet, as the figures of a receipt. Without that, what a reply has said counts, and no quote. */
async function shownOf(
  { sandbox, market }: World,
  { intentId, state: outcome, operation, body, atMs: startedAtMs, signature }: Recorded,
  { wallet, estimated }: TradeReceipt,
): Promise<Partial<TradeReceipt> | undefined> {
  const isQuoted = estimated.includes("tokens");
  const trade = {
    intentId,
    state: "ended",
    operation,
    body,
    startedAtMs,
    outcome,
    wallet,
    ...(signature && { signature }),
  };
  const since = new Since();
  for (;;) {
    const found = await (sandbox ?? market)?.bought(trade as BoughtTrade).catch((error: Error) => error);
    if (found && "position" in found) {
      const { tokens, costLamports, rentLockedLamports: rentLamports } = found.position!;
      const tokenAccount = rentLamports ? "opens" : "stays";
      return { tokens, tokenAccount, rentLamports, netLamports: -costLamports - rentLamports, volumeRentLamports: 0n };
    }
    const said = found && "missing" in found ? found : undefined;
    const isDenied = said?.missing === "did_not_land" || said?.missing === "other_transaction";
    if (!isQuoted && !isDenied) return undefined;
    if (!said?.mayPass || since.ageMs >= SHOWN_WITHIN_MS) {
      const why = found ? `. ${found.message!.replace(/\.$/, "")}` : "";
      throw new UsageError(`what ${intentId} bought is not known${why}. Name ${OWN_OPTIONS}`);
    }
    await pause(SHOWN_EVERY_MS, undefined);
  }
}

/** What exits of a position have sold, if the record says that of each. */
function salesOf(name: string, { trades, intentIds }: Books): TradeReceipt[] {
  return [...intentIds]
    .filter((intentId) => isExitOf(name, intentId, { isAnySet: true }))
    .flatMap((intentId) => {
      const sold = trades.find((trade) => trade.intentId === intentId);
      if (sold && ["rejected", "failed", "not_sent", "did_not_land"].includes(sold.state)) return [];
      if (sold?.state === "landed" && sold.receipts.length) return sold.receipts;
      const isOpen = sold?.state === "unknown" || sold?.state === "in_flight";
      throw new UsageError(
        `the record does not say what the exit ${intentId} has sold: ${isOpen ? "settle it first" : `choose another name, and say with ${OWN_OPTIONS} what is left`}`,
      );
    });
}

/** A name for exits of a position that may have had some: an intent id is used once. */
async function unusedName(profile: Profile, name: string, { intentIds }: Books): Promise<string> {
  for (let times = 1; ; times++) {
    const tried = times === 1 ? name : `${name}/${times}`;
    await checkUnset(profile, tried);
    if (
      ![...intentIds].some(
        (intentId) => intentId === `${name}/${times}` || isExitOf(tried, intentId, { isAnySet: false }),
      )
    )
      return tried;
  }
}

async function checkUnset(profile: Profile, id: string): Promise<void> {
  const known = await keptOf(profile, id);
  if (known && BigInt(known.state.tokens) > 0n)
    throw new UsageError(
      `${id} has exits: \`launchpad-desk exits remove ${id}${profile.option}\` removes them, and \`exits set ${id} --replace-plan\` replaces their plan`,
    );
}
