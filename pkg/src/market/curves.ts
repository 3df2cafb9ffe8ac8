// Many curves in one call. src/chain/rows.rs says what a row has.

import * as core from "build:market";
import type { AccountRefusalCode } from "../generated.js";
import { ACCOUNT_REFUSAL_CODES } from "../generated.js";
import { type ChainAccount, isBytes } from "./accounts.js";
import { LAUNCHPAD_PROGRAM } from "./addresses.js";

/** Many curves, by columns: row by row as the accounts were given. See {@link readCurves}. */
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

/** How many rows are handed over at once. */
const ROWS = 2048;
/** The numbers of a row that was read, and its flags. */
const NUMBERS = 7;
const [COMPLETE, HAS_CREATOR, IS_MAYHEM] = [1 << 8, 1 << 9, 1 << 10] as const;

/** The program that owns wallets, and what has no owner yet. */
const SYSTEM_PROGRAM = "1".repeat(32);

const encoder = new TextEncoder();

/** Whether nobody has made this account: what strangers send to an address before, the system keeps there without data. */
const isUnmade = ({ owner, lamports, data }: Pick<ChainAccount, "owner" | "lamports" | "data">): boolean =>
  BigInt(lamports) === 0n ||
  (owner === SYSTEM_PROGRAM && !(isBytes(data) || typeof data === "string" ? data : data[0]).length);

function isAccount({ owner, lamports, data }: Partial<ChainAccount>): boolean {
  const text = Array.isArray(data) ? data[0] : data;
  return (
    typeof owner === "string" && /^\d{1,20}$/.test(String(lamports)) && (typeof text === "string" || isBytes(data))
  );
}

function write(row: Uint8Array, account: Pick<ChainAccount, "owner" | "lamports" | "data"> | null): void {
  const ofOwner = account?.owner === LAUNCHPAD_PROGRAM ? 0 : 3;
  const known = !account || isUnmade(account) ? 2 : ofOwner;
  row[0] = known;
  if (known || !account) return;
  const { data } = account;
  const room = row.subarray(3);
  let length: number;
  if (isBytes(data)) {
    length = Math.min(data.length, room.length);
    room.set(length === data.length ? data : data.subarray(0, length));
  } else {
    row[0] = 1;
    const [text, encoding] = typeof data === "string" ? [data, "base64"] : data;
    // Other encodings, and text that is not ASCII, are not ours.
    length = encoding === "base64" ? encoder.encodeInto(text.slice(0, room.length), room).written : 1;
  }
  row[1] = length & 0xff;
  row[2] = length >> 8;
}

/**
 * Reads many curves at once: the numbers come in columns. It checks whose the accounts are and what they hold, but not their
 * addresses: ask for those of `curveAddress`, and keep their order.
 *
 * @throws {TypeError} if one is not an account as a node returns it, with its place.
 *
 * @example
 * ```js
 * import { LAUNCHPAD_PROGRAM, readCurves } from "launchpad-desk/market";
 *
 * const { refusals, complete } = readCurves([null, { owner: LAUNCHPAD_PROGRAM, lamports: 1, data: new Uint8Array(49) }]);
 * console.log(refusals); // [ "missing", "discriminator" ]
 * ```
 */
export function readCurves(
  accounts: readonly (Pick<ChainAccount, "owner" | "lamports" | "data"> | null)[],
): CurveColumns {
  const { length } = accounts;
  const bytes = core.curveRowBytes();
  const rows = new Uint8Array(bytes * Math.min(length, ROWS));
  const column = (): BigUint64Array => new BigUint64Array(length);
  const flag = (): Uint8Array => new Uint8Array(length);
  const amounts = [column(), column(), column(), column(), column(), column()] as const;
  const [complete, hasCreator, isMayhem] = [flag(), flag(), flag()];
  const refusals: (AccountRefusalCode | null)[] = new Array(length).fill(null);
  for (let start = 0; start < length; start += ROWS) {
    const count = Math.min(ROWS, length - start);
    for (let index = 0; index < count; index++) {
      const account = accounts[start + index] ?? null;
      if (account && !isAccount(account))
        throw new TypeError(`accounts[${start + index}] must have an owner, lamports and data, as a node returns them`);
      write(rows.subarray(index * bytes, (index + 1) * bytes), account);
    }
    const numbers = core.readCurves(rows.subarray(0, count * bytes));
    for (let index = 0; index < count; index++) {
      const at = index * NUMBERS;
      const to = start + index;
      const flags = Number(numbers[at]);
      if (flags & 0xff) refusals[to] = ACCOUNT_REFUSAL_CODES[(flags & 0xff) - 1] as AccountRefusalCode;
      complete[to] = flags & COMPLETE ? 1 : 0;
      hasCreator[to] = flags & HAS_CREATOR ? 1 : 0;
      isMayhem[to] = flags & IS_MAYHEM ? 1 : 0;
      for (let field = 0; field < amounts.length; field++)
        (amounts[field] as BigUint64Array)[to] = numbers[at + 1 + field] as bigint;
    }
  }
  const [
    virtualTokenReserves,
    virtualSolReserves,
    realTokenReserves,
    realSolReserves,
    tokenTotalSupply,
    creatorFeeBps,
  ] = amounts;
  return {
    refusals,
    virtualTokenReserves,
    virtualSolReserves,
    realTokenReserves,
    realSolReserves,
    tokenTotalSupply,
    creatorFeeBps,
    complete,
    hasCreator,
    isMayhem,
  };
}
