// One account, read in one crossing, and the error of one that is not read.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import { captureStackTrace, nameError } from "../errors.js";
import type {
  AccountKind,
  AccountRefusalCode,
  ChainCurve,
  FeeTierConfig,
  Global,
  Holding,
  Mint,
} from "../generated.js";

type Refused = { message: string; code: AccountRefusalCode; account: AccountKind };

/**
 * An account that is not the expected one, so nothing is read from it.
 *
 * @example
 * ```js
 * import { AccountError, readFeeTiers } from "launchpad-desk/market";
 *
 * try {
 *   readFeeTiers(null); // what a node returns for an account that does not exist
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // fee_config missing
 * }
 * ```
 */
export class AccountError extends Error {
  /** Why it is not read. */
  readonly code: AccountRefusalCode;
  /** What it was to be. */
  readonly account: AccountKind;

  protected constructor({ message, code, account }: Refused) {
    super(message);
    this.code = code;
    this.account = account;
  }

  /** The error as plain data. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

nameError("AccountError", AccountError);

/** What the core says of an account: what it read, or why it is refused. */
export type ReadOrRefused<T> = { read: T; refused?: undefined } | { refused: Refused };

/** What was read from an account. Otherwise its error is thrown, whose stack begins where `caller` was called. */
export function readOrThrow<T>(answered: ReadOrRefused<T>, caller: Function): T {
  if (!answered.refused) return answered.read;
  const error = new (AccountError as unknown as new (refused: Refused) => AccountError)(answered.refused);
  captureStackTrace?.(error, caller);
  throw error;
}

/**
 * An account as a node returns it, and the address that it was asked for. A node returns `null` for one that does not exist.
 *
 * @example
 * ```ts
 * import { curveAddress, readCurve } from "launchpad-desk/market";
 *
 * async function curveOf(mint: string, rpc: string) {
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
  data: Uint8Array | string | readonly [data: string, encoding: string];
}

/** One byte more than the longest account: the core refuses it. */
const MOST = 10 * 1024 * 1024 + 1;

/** Bytes of this or another realm. */
export const isBytes = (data: unknown): data is Uint8Array =>
  ArrayBuffer.isView(data) && Object.prototype.toString.call(data) === "[object Uint8Array]";

type Reader = (args: core.CallArgs, hasBytes: boolean, bytes: Uint8Array) => unknown;

/** Reads an account, given to `caller`, with the other arguments of the call. */
function read<T>(of: Reader, account: ChainAccount | null, others: Record<string, unknown>, caller: Function): T {
  const { address, owner, lamports, data } = account ?? ({} as Partial<ChainAccount>);
  const bytes = isBytes(data) ? data.subarray(0, MOST) : new Uint8Array();
  const call = { ...others, account: account && { address, owner, lamports, data: isBytes(data) ? undefined : data } };
  return readOrThrow(result<ReadOrRefused<T>>(of(callArgs(call), isBytes(data), bytes), caller), caller);
}

/**
 * Reads the bonding curve of a token.
 *
 * @param account - the account at `curveAddress(mint)`.
 * @throws {AccountError} if it is not the curve of this token, or one that is not traded for SOL.
 *
 * @example
 * ```js
 * import { AccountError, readCurve } from "launchpad-desk/market";
 *
 * try {
 *   readCurve("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // curve missing
 * }
 * ```
 */
export function readCurve(mint: string, account: ChainAccount | null): ChainCurve {
  return read(core.readCurve, account, { mint }, readCurve);
}

/**
 * Reads the fee tiers of tokens that are traded for SOL. There may be none: then the launchpad refuses every trade.
 *
 * @param account - the account at `FEE_CONFIG`.
 * @throws {AccountError} if it is not the fee configuration.
 *
 * @example
 * ```js
 * import { FEE_CONFIG, FEE_PROGRAM, readFeeTiers } from "launchpad-desk/market";
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
export function readFeeTiers(account: ChainAccount | null): FeeTierConfig[] {
  return read(core.readFeeTiers, account, {}, readFeeTiers);
}

/**
 * Reads the launchpad's settings.
 *
 * @param account - the account at `GLOBAL`.
 * @throws {AccountError} if it is not that account.
 *
 * @example
 * ```js
 * import { AccountError, readGlobal } from "launchpad-desk/market";
 *
 * try {
 *   readGlobal(null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.code); // missing
 * }
 * ```
 */
export function readGlobal(account: ChainAccount | null): Global {
  return read(core.readGlobal, account, {}, readGlobal);
}

/**
 * Reads a token: its supply, and the program that it belongs to.
 *
 * @param account - the account at `mint`.
 * @throws {AccountError} if it is not a mint.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, readMint } from "launchpad-desk/market";
 *
 * const address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const data = new Uint8Array(82);
 * data.set([6, 1], 44); // six decimals, and set up
 * console.log(readMint(address, { address, owner: TOKEN_PROGRAM, lamports: 1, data }).decimals); // 6
 * ```
 */
export function readMint(mint: string, account: ChainAccount | null): Mint {
  return read(core.readMint, account, { mint }, readMint);
}

/**
 * Reads what a wallet holds in a token account; `null` if there is none: then it holds nothing in it.
 *
 * @param address - where the token account is: see `tokenAccountAddress`.
 * @throws {AccountError} if it is not a token account.
 *
 * @example
 * ```js
 * import { readHolding } from "launchpad-desk/market";
 *
 * console.log(readHolding("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null)); // null
 * ```
 */
export function readHolding(address: string, account: ChainAccount | null): Holding | null {
  return read(core.readHolding, account, { address }, readHolding);
}
