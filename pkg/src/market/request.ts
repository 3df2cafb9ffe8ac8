// Turns orders of the maths into requests for a client.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { Operation, RequestOf } from "../generated.js";
import type { Amount } from "../argument.js";
import type { BundleLeg, BundleOrder } from "./bundle.js";

/** One wallet's trade, and how its transaction is paid for: what {@link toRequest} takes. Unknown names are refused. */
export type TradeOrder = BundleLeg & {
  /** Unit of a slippage that does not name one, as for clients. Default: `percent`. */
  slippageUnit?: "percent" | "bps";
  /** Id of the wallet that pays the network fee. Default: the wallet that trades. */
  feePayer?: string;
  /** Priority units to pay for. */
  priorityUnitLimit?: Amount;
  /** Micro-lamports for each of them. */
  priorityUnitPrice?: Amount;
};

/** A bundle to place: the one passed to `quoteBundle`, or one without the state of its wallets. */
export type PlacedBundle = Omit<BundleOrder, "wallets"> & Partial<Pick<BundleOrder, "wallets">>;

/** A request and its operation, as `client.trade` takes them. */
export type PlacedRequest<O extends Operation> = O extends Operation ? { operation: O; request: RequestOf[O] } : never;

/** The operation that does what an order asks for. No operation buys an exact amount of tokens. */
export type OperationOf<L> = L extends { buyExactIn: Amount }
  ? "buy"
  : L extends { sellExactIn: Amount }
    ? "sell"
    : L extends { sellPercentage: number | string }
      ? "sellByPercentage"
      : never;

/** The same for the legs of a bundle. */
export type BundleOperationOf<L> = `bundle${Capitalize<OperationOf<L>>}`;

/**
 * Turns an order into a request for a client. Amounts keep their unit: base units to sell become `{ baseUnits }`. What the order
 * leaves out is left to the service.
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`; for `buyExactOut` too, because the service has
 * no such operation: spend what `smallestBuyFor` returns instead.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { toRequest } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const buyExactIn = sandbox.curve(mint).smallestBuyFor(1_000_000_000_000n); // a million tokens
 * const { operation, request } = toRequest(mint, { fromWallet: wallet, buyExactIn, slippage: { percent: 1 } });
 * const trade = await client.trade(operation, request);
 * console.log(operation, trade.exact.buyAmount); // buy 1000000
 * ```
 */
export function toRequest<L extends TradeOrder>(mint: string, order: L): PlacedRequest<OperationOf<L>> {
  return result(core.toRequest(callArgs({ mint, order })), toRequest);
}

/**
 * Turns a bundle into a request for a client: all buys, all sells, or all sells by percentage, in their order.
 *
 * @throws {TradeNotSentError} `invalid_options`, as `toRequest` does; for a mixed bundle too, which the service does not accept.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { equalSpends, toBundleRequest } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const wallets = sandbox.wallets.map(({ wallet }) => wallet);
 * const legs = Array.from(equalSpends(300_000_000n, 3), (buyExactIn, index) => ({ fromWallet: wallets[index], buyExactIn }));
 * const { operation, request } = toBundleRequest(sandbox.tokens[0].mint, { legs, feePayer: wallets[0] });
 * const trade = await client.trade(operation, request);
 * console.log(operation, trade.status); // bundleBuy landed
 * ```
 */
export function toBundleRequest<L extends BundleLeg>(
  mint: string,
  bundle: PlacedBundle & { legs: L[] },
): PlacedRequest<BundleOperationOf<L>> {
  return result(core.toBundleRequest(callArgs({ mint, bundle })), toBundleRequest);
}
