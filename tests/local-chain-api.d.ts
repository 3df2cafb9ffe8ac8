/**
 * What goes wrong with a node.
 *
 * @see {@link LocalChain.setFaults}
 */
export interface ChainFaults {
	/** How many slots its readings lag behind what was written. Default: 0. */
	lagSlots?: number;
	/** Every so many requests another machine answers, which is further behind: slots jump back. Default: never. */
	jumpBackEvery?: number;
	/** How many slots further behind that machine is. Default: 0. */
	jumpBackSlots?: number;
	/** After how many slots it forgets transactions. Default: never. */
	pruneAfterSlots?: number;
	/** The methods that it refuses. Default: none. */
	refuseMethods?: string[];
	/** Whether it refuses batches, as many nodes do: each call must be a request of its own. Default: false. */
	refuseBatches?: boolean;
	/**
	 * The version of its transactions, 0 or 1. As a node does, it refuses them to a call that does not support this version. Default:
	 * `legacy`, which every call supports.
	 */
	transactionVersion?: 0 | 1;
	/** How many requests are answered in a window of time; any other is refused with the status 429. Default: no bound. */
	rateLimit?: RateLimit;
}
/**
 * How many requests are answered in a window of time.
 *
 * @see {@link Sandbox}
 */
export interface RateLimit {
	/** Requests, at least one. */
	requests: number;
	/** The window's length in milliseconds. Default: 1000. */
	perMs?: number;
}
/**
 * A chain around a sandbox, for programs that read a chain: its tokens, wallets and holdings as accounts, its trades as
 * transactions, and a node that answers JSON-RPC at `/rpc`. Every other request to its `fetch` goes to the sandbox. So a client,
 * its service and its chain run without a network; `serve` puts them behind a port, and `npx launchpad-desk sandbox --rpc` does
 * all of it.
 *
 * A slot takes 400 milliseconds of the sandbox's clock, and a block is finalized 32 slots later. What the sandbox holds when the chain is
 * made is finalized. Mints and wallets must be base58 of 32 bytes, as the sandbox's own are: others are not on the chain.
 *
 * @example
 * ```js
 * import { curveAddress, readCurve } from "launchpad-desk/chain";
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { LocalChain } from "launchpad-desk/local-chain";
 *
 * const sandbox = new Sandbox();
 * const chain = new LocalChain(sandbox);
 * const address = curveAddress(sandbox.tokens[0].mint);
 * const params = [address, { encoding: "base64", commitment: "processed" }];
 * const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params });
 * const headers = { "content-type": "application/json" };
 * const response = await chain.fetch("https://sandbox.example/rpc", { method: "POST", headers, body });
 * const { result } = await response.json();
 * console.log(readCurve(sandbox.tokens[0].mint, { address, ...result.value }).complete); // false
 * ```
 */
export declare class LocalChain {
	#private;
	/**
	 * The chain of a sandbox, from now on.
	 *
	 * @throws {TypeError} if it is not a sandbox.
	 * @throws {TradeNotSentError} `invalid_request`, with every bad fault in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 * import { LocalChain } from "launchpad-desk/local-chain";
	 *
	 * const chain = new LocalChain(new Sandbox(), { lagSlots: 40 }); // its node lags by 40 slots
	 * ```
	 */
	constructor(sandbox: {
		readonly fetch: unknown;
	}, faults?: ChainFaults);
	/**
	 * Answers a request: JSON-RPC at `/rpc`, and anything else as the sandbox does. It may be used on its own.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 * import { LocalChain } from "launchpad-desk/local-chain";
	 *
	 * const sandbox = new Sandbox();
	 * const { fetch } = new LocalChain(sandbox);
	 * const client = new TradeClient({ fetch }); // trades as with the sandbox's own
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * console.log((await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000 })).status); // landed
	 * ```
	 */
	get fetch(): (input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>;
	/**
	 * Replaces what goes wrong with the node.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 * import { LocalChain } from "launchpad-desk/local-chain";
	 *
	 * const chain = new LocalChain(new Sandbox());
	 * chain.setFaults({ lagSlots: 40, refuseMethods: ["getTransaction"] });
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, with every bad fault in `fields`.
	 */
	setFaults(faults: ChainFaults): void;
	/**
	 * Stops following the sandbox. What its `fetch` reads at `/rpc` stays as it is.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 * import { LocalChain } from "launchpad-desk/local-chain";
	 *
	 * new LocalChain(new Sandbox()).stop();
	 * ```
	 */
	stop(): void;
}

