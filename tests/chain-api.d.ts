/**
 * The accounts that are read.
 *
 * @see {@link AccountError}
 */
export type AccountKind =
/** A token's bonding curve. */
"curve"
/** The launchpad's settings. */
 | "global"
/** The launchpad's fee rates. */
 | "fee_config"
/** A token. */
 | "mint"
/** What a wallet holds of a token. */
 | "token_account";
/**
 * Why an account is not read. Append-only.
 *
 * @see {@link AccountError}
 */
export type AccountRefusalCode =
/** It does not exist, or it has no lamports and so is closed. */
"missing"
/** Another program owns it, so its bytes mean something else. */
 | "owner"
/** It is at another address than the one that belongs to it. */
 | "address"
/** Its length is one that no program makes: it was cut. */
 | "length"
/** It is another kind of account. */
 | "discriminator"
/** A byte that says yes or no says neither. */
 | "bool"
/** The token is not traded for SOL. */
 | "quote"
/** A number is out of its range. */
 | "range"
/** Its bytes are not the base64 that they were said to be. */
 | "encoding";
/**
 * The fee rates from a market cap upwards.
 *
 * @see {@link defaultLaunchpad}
 */
export interface FeeTierConfig {
	/** The market cap from which they apply, in lamports. */
	marketCapThresholdLamports: number | bigint | string;
	/** The protocol's rate, in basis points, at most 10000. */
	protocolBps: number;
	/** The creator's rate, in basis points, at most 10000. */
	creatorBps: number;
}
/**
 * A curve's reserves. Tokens in base units.
 *
 * @see {@link Curve.reserves}
 */
export interface CurveReserves {
	/** Virtual tokens, which set the price. */
	virtualTokenReserves: bigint;
	/** Virtual lamports, which set the price. */
	virtualSolReserves: bigint;
	/** Tokens left to buy. */
	realTokenReserves: bigint;
	/** Lamports available to pay sellers. */
	realSolReserves: bigint;
}
/**
 * A curve as the chain holds it. What its account is too short for is absent.
 *
 * @see {@link readCurve}
 */
export interface ChainCurve {
	/** The reserves, which set the price. After the move to a pool all four are zero. */
	reserves: CurveReserves;
	/** Supply of the token as the curve was created, in base units. Burns change the mint's supply, not this one. */
	tokenTotalSupply: bigint;
	/** Whether trading on the curve has ended. It may have tokens left. */
	complete: boolean;
	/** Who earns the creator's fee. Absent if nobody does: then no such fee is charged. */
	creator: string | null;
	/** Whether the token's virtual reserves may be reset, and its market cap counts the supply as created. */
	isMayhem: boolean | null;
	/** Whether the creator's fee goes to the trader's own account with the program. The totals of a trade are the same. */
	isCashback: boolean | null;
	/** A creator rate of the token's own in basis points, which counts if the launchpad allows it. Zero is none. */
	creatorFeeBps: bigint | null;
	/** Whether that rate can still be changed. */
	canEditCreatorFee: boolean | null;
	/** Whether the creator's fee goes to holders. The totals of a trade are the same. */
	isHolderReward: boolean | null;
	/** Creator's fees that wait to be collected, in lamports. */
	creatorFeeLamports: bigint | null;
	/** Protocol fees that wait to be collected, in lamports. */
	protocolFeesLamports: bigint | null;
	/** How many tokens this one is launched upon. */
	depth: number | null;
	/** Virtual lamports at the start of the curve. */
	initialVirtualSolReserves: bigint | null;
	/** Base units that the future pool has sold to buys past the end of the curve. */
	postCompleteTokensOut: bigint | null;
	/** Lamports that the future pool has taken for them. */
	postCompleteLamportsIn: bigint | null;
}
interface Global$1 {
	/** Whether the launchpad has been set up. */
	initialized: boolean;
	/** The curve of a new token. */
	start: CurveReserves;
	/** Supply of a new token, in base units. */
	tokenTotalSupply: bigint;
	/** Lamports that the move of a complete curve to a pool costs. */
	poolMigrationFeeLamports: bigint | null;
	/** Whether new tokens belong to the newer token program. */
	createV2Enabled: boolean | null;
	/** Whether tokens may be created whose virtual reserves can be reset. */
	mayhemModeEnabled: boolean | null;
	/** Whether tokens may be created whose creator's fee goes to the trader. */
	cashbackEnabled: boolean | null;
	/** Whether a token's own creator rate counts. */
	creatorFeeConfigurable: boolean | null;
	/** The largest such rate that a creator can choose, in basis points. A rate that is over it counts all the same. */
	maxConfigurableCreatorFeeBps: bigint | null;
	/** Whether tokens may be created whose creator's fee goes to holders. */
	holderRewardEnabled: boolean | null;
	/** How many tokens deep a token may be launched upon others. */
	maxCurveDepth: number | null;
}
/**
 * A token.
 *
 * @see {@link readMint}
 */
export interface Mint {
	/** The token program that it belongs to. It decides how large a token account is, and where it is. */
	tokenProgram: string;
	/** Supply in base units. Burns lower it. */
	supply: bigint;
	/** Fraction digits of a whole token. */
	decimals: number;
}
/**
 * What a wallet holds of a token.
 *
 * @see {@link readHolding}
 */
export interface Holding {
	/** The token. */
	mint: string;
	/** The wallet. */
	wallet: string;
	/** Base units held. A transfer fee that is withheld is not among them. */
	tokens: bigint;
	/** Lamports that the account holds. The wallet gets all of them when it closes. */
	lamports: bigint;
	/** Whether the tokens are frozen: held, but not sold. */
	isFrozen: boolean;
	/** Who may spend some of the tokens in the wallet's name. */
	delegate: string | null;
	/** Base units that the delegate may spend. */
	delegatedTokens: bigint;
	/** Who may close the account in the wallet's place. */
	closeAuthority: string | null;
}
/**
 * An account as a node returns it, and the address that it was asked for. A node returns `null` for one that does not exist.
 *
 * @example
 * ```js
 * import { curveAddress, readCurve } from "launchpad-desk/chain";
 *
 * async function curveOf(mint, rpc) {
 *   const address = curveAddress(mint);
 *   const params = [address, { encoding: "base64", commitment: "confirmed" }];
 *   const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params });
 *   const reply = await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body });
 *   const { value } = (await reply.json()).result;
 *   return readCurve(mint, value && { address, ...value });
 * }
 * ```
 */
export interface ChainAccount {
	/** Where it is: the address that the node was asked for. */
	address: string;
	/** The program that owns it, in base58. */
	owner: string;
	/** The lamports that it holds. */
	lamports: number | bigint | string;
	/** Its bytes; or their base64, alone or as nodes return it. */
	data: Uint8Array | string | readonly [
		data: string,
		encoding: string
	];
}
/**
 * Reads the bonding curve of a token.
 *
 * @param account - the account at `curveAddress(mint)`.
 * @throws {AccountError} if it is not the curve of this token, or one that is not traded for SOL.
 *
 * @example
 * ```js
 * import { AccountError, readCurve } from "launchpad-desk/chain";
 *
 * try {
 *   readCurve("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // curve missing
 * }
 * ```
 */
export declare function readCurve(mint: string, account: ChainAccount | null): ChainCurve;
/**
 * Reads the fee tiers of tokens that are traded for SOL. There may be none: then the launchpad refuses every trade.
 *
 * @param account - the account at `FEE_CONFIG`.
 * @throws {AccountError} if it is not the fee configuration.
 *
 * @example
 * ```js
 * import { FEE_CONFIG, FEE_PROGRAM, readFeeTiers } from "launchpad-desk/chain";
 *
 * const data = new Uint8Array(2512); // of one tier, from a market cap of 0 on
 * data.set([0x8f, 0x34, 0x92, 0xbb, 0xdb, 0x7b, 0x4c, 0x9b]);
 * data.set([1], 65);
 * data.set([95], 93);
 * data.set([30], 101);
 * const [tier] = readFeeTiers({ address: FEE_CONFIG, owner: FEE_PROGRAM, lamports: 1, data });
 * console.log(tier.protocolBps, tier.creatorBps); // 95 30
 * ```
 */
export declare function readFeeTiers(account: ChainAccount | null): FeeTierConfig[];
/**
 * Reads the launchpad's settings.
 *
 * @param account - the account at `GLOBAL`.
 * @throws {AccountError} if it is not that account.
 *
 * @example
 * ```js
 * import { AccountError, readGlobal } from "launchpad-desk/chain";
 *
 * try {
 *   readGlobal(null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.code); // missing
 * }
 * ```
 */
export declare function readGlobal(account: ChainAccount | null): Global$1;
/**
 * Reads a token: its supply, and the program that it belongs to.
 *
 * @param account - the account at `mint`.
 * @throws {AccountError} if it is not a mint.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, readMint } from "launchpad-desk/chain";
 *
 * const address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const data = new Uint8Array(82);
 * data.set([6, 1], 44); // six decimals, and set up
 * console.log(readMint(address, { address, owner: TOKEN_PROGRAM, lamports: 1, data }).decimals); // 6
 * ```
 */
export declare function readMint(mint: string, account: ChainAccount | null): Mint;
/**
 * Reads what a wallet holds in a token account; `null` if there is none: then it holds nothing in it.
 *
 * @param address - where the token account is: see `tokenAccountAddress`.
 * @throws {AccountError} if it is not a token account.
 *
 * @example
 * ```js
 * import { readHolding } from "launchpad-desk/chain";
 *
 * console.log(readHolding("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null)); // null
 * ```
 */
export declare function readHolding(address: string, account: ChainAccount | null): Holding | null;
/**
 * The launchpad's program, which owns curves and the global settings.
 *
 * @example
 * ```js
 * import { LAUNCHPAD_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(LAUNCHPAD_PROGRAM); // 6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P
 * ```
 */
export declare const LAUNCHPAD_PROGRAM = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
/**
 * The program that owns the fee configuration.
 *
 * @example
 * ```js
 * import { FEE_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(FEE_PROGRAM); // pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ
 * ```
 */
export declare const FEE_PROGRAM = "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ";
/**
 * The first token program.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(TOKEN_PROGRAM); // TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
 * ```
 */
export declare const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
/**
 * The newer token program, whose accounts may have extensions.
 *
 * @example
 * ```js
 * import { TOKEN_2022_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(TOKEN_2022_PROGRAM); // TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb
 * ```
 */
export declare const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
/**
 * Where the launchpad's settings are.
 *
 * @example
 * ```js
 * import { GLOBAL } from "launchpad-desk/chain";
 *
 * console.log(GLOBAL); // 4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf
 * ```
 */
export declare const GLOBAL = "4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf";
/**
 * Where the fee rates are.
 *
 * @example
 * ```js
 * import { FEE_CONFIG } from "launchpad-desk/chain";
 *
 * console.log(FEE_CONFIG); // 8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt
 * ```
 */
export declare const FEE_CONFIG = "8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt";
/**
 * Where the bonding curve of a token is. It takes some microseconds: keep it.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the mint is no address.
 *
 * @example
 * ```js
 * import { curveAddress } from "launchpad-desk/chain";
 *
 * console.log(curveAddress("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs")); // EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM
 * ```
 */
export declare function curveAddress(mint: string): string;
/**
 * Where a wallet usually holds a token. It may have other accounts of it.
 *
 * @param tokenProgram - the program that owns the mint: `readMint` says which.
 * @throws {TradeNotSentError} `invalid_options`, if one of them is no address.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, tokenAccountAddress } from "launchpad-desk/chain";
 *
 * const mint = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const wallet = "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM";
 * console.log(tokenAccountAddress(wallet, TOKEN_PROGRAM, mint).length > 30); // true
 * ```
 */
export declare function tokenAccountAddress(wallet: string, tokenProgram: string, mint: string): string;
/**
 * Many curves, by columns: row by row as the accounts were given.
 *
 * @see {@link readCurves}
 */
export interface CurveColumns {
	/** Why an account is refused; `null` where it was read. The other columns then have zeros. */
	refusals: (AccountRefusalCode | null)[];
	/** Virtual tokens, which set the price, in base units. */
	virtualTokenReserves: BigUint64Array;
	/** Virtual lamports, which set the price. */
	virtualSolReserves: BigUint64Array;
	/** Tokens left to buy, in base units. */
	realTokenReserves: BigUint64Array;
	/** Lamports available to pay sellers. */
	realSolReserves: BigUint64Array;
	/** Supply as the curve was created, in base units. */
	tokenTotalSupply: BigUint64Array;
	/** A creator rate of the token's own, in basis points. Zero is none. */
	creatorFeeBps: BigUint64Array;
	/** 1 where trading on the curve has ended. */
	complete: Uint8Array;
	/** 1 where somebody earns the creator's fee. */
	hasCreator: Uint8Array;
	/** 1 where the market cap counts the supply as created. */
	isMayhem: Uint8Array;
}
/**
 * Reads many curves at once: the numbers come in columns. It checks whose the accounts are and what they hold, but not their
 * addresses: ask for those of `curveAddress`, and keep their order.
 *
 * @example
 * ```js
 * import { LAUNCHPAD_PROGRAM, readCurves } from "launchpad-desk/chain";
 *
 * const { refusals, complete } = readCurves([null, { owner: LAUNCHPAD_PROGRAM, lamports: 1, data: new Uint8Array(49) }]);
 * console.log(refusals); // [ "missing", "discriminator" ]
 * ```
 */
export declare function readCurves(accounts: readonly (Pick<ChainAccount, "owner" | "lamports" | "data"> | null)[]): CurveColumns;
/**
 * An account that is not what it was to be, so that nothing is read from it.
 *
 * @example
 * ```js
 * import { AccountError, readFeeTiers } from "launchpad-desk/chain";
 *
 * try {
 *   readFeeTiers(null); // what a node returns for an account that does not exist
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // fee_config missing
 * }
 * ```
 */
export declare class AccountError extends Error {
	/** Why it is not read. */
	readonly code: AccountRefusalCode;
	/** What it was to be. */
	readonly account: AccountKind;
	/** Only the package makes these errors. */
	protected constructor({ message, code, account }: {
		message: string;
		code: AccountRefusalCode;
		account: AccountKind;
	});
	/**
	 * The error as plain data.
	 *
	 * @example
	 * ```js
	 * import { readMint } from "launchpad-desk/chain";
	 *
	 * try {
	 *   readMint("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null);
	 * } catch (error) {
	 *   console.log(JSON.stringify(error)); // {"name":"AccountError","message":"the mint does not exist" …
	 * }
	 * ```
	 */
	toJSON(): object;
}

