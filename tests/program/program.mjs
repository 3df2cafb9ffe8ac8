// The launchpad's own program, executed in a virtual machine: tokens are created and traded by its instructions, and its accounts
// are the truth.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  setTransactionMessageFeePayer,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { capture, root } from "../../scripts/program.mjs";

const BUILDS = fileURLToPath(new URL("builds", import.meta.url));

const LAUNCHPAD = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
const FEES = "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ";
const METADATA = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s";
const TOKENS = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const NEWER_TOKENS = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const MAYHEM = "MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e";
const ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const SYSTEM = "11111111111111111111111111111111";
const RENT = "SysvarRent111111111111111111111111111111111";
const BUDGET = "ComputeBudget111111111111111111111111111111";

/** Bytes of the account in which the program adds up what all wallets trade. */
const GLOBAL_VOLUME_BYTES = 544;

const hash = (text) => createHash("sha256").update(text).digest();
const u32 = (value) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value) => Buffer.concat([u32(value.length), Buffer.from(value)]);
const instructionOf = (name) => hash(`global:${name}`).subarray(0, 8);
const bytesOf = (key) => getAddressEncoder().encode(address(key));
const keyAt = (data, at) => getAddressDecoder().decode(data.subarray(at, at + 32));

/** An address of a name; nobody has its key, and the machine asks for no signatures. */
export const addressOf = (name) => getAddressDecoder().decode(hash(name));

const derived = async (program, ...seeds) =>
  (await getProgramDerivedAddress({ programAddress: address(program), seeds }))[0];

/** Where a wallet holds a token of this program. */
const holderOf = (wallet, mint, tokenProgram) =>
  derived(ASSOCIATED, bytesOf(wallet), bytesOf(tokenProgram), bytesOf(mint));

/** Where a token's curve is. */
const curveOf = (mint) => derived(LAUNCHPAD, "bonding-curve", bytesOf(mint));

/** The folder with the program's builds, which cargo has fetched. */
async function artifacts() {
  const metadata = JSON.parse(
    await capture("cargo", [
      "metadata",
      "--locked",
      "--format-version=1",
      `--manifest-path=${join(BUILDS, "Cargo.toml")}`,
    ]),
  );
  const { manifest_path } = metadata.packages.find(({ name }) => name === "pump-rust-client");
  const folder = join(manifest_path, "../artifacts");
  if (!existsSync(join(folder, "pump.so"))) throw new Error(`${folder} lacks the program's build`);
  return folder;
}

/** The recorded accounts of the launchpad's settings and rates. */
const CONFIGS = JSON.parse(readFileSync(join(root, "tests/vectors/chain/config-accounts.json"), "utf8"));
const SETTINGS = CONFIGS.globals.find(({ id }) => id === "0.3.0/configured");
const RATES = CONFIGS.feeConfigs.find(({ id }) => id === "0.5.0/three-tiers");

/** The rates that the program charges here, as the settings of a launchpad. */
export const feeTiers = RATES.decoded.feeTiers.map(({ threshold, protocolFeeBps, creatorFeeBps }) => ({
  marketCapThresholdLamports: threshold,
  protocolBps: Number(protocolFeeBps),
  creatorBps: Number(creatorFeeBps),
}));

const role = { r: 0, w: 1, s: 2, ws: 3 };
const instruction = (program, accounts, data) => ({
  programAddress: address(program),
  accounts: accounts.map(([key, kind]) => ({ address: address(key), role: role[kind] })),
  data,
});

/** The program, and everything that it needs. */
export class Program {
  /** What each transaction did, in the form of a node's `getTransaction`: told to whoever listens. */
  heard = (_transaction) => {};
  #svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  #sent = 0;

  static async start() {
    const own = new Program();
    const folder = await artifacts();
    for (const [key, file] of [
      [LAUNCHPAD, "pump.so"],
      [FEES, "pump_fees.so"],
      [METADATA, "mpl_token_metadata.so"],
    ]) {
      own.#svm.addProgram(address(key), readFileSync(join(folder, file)));
    }
    for (const { address: key, owner, length, dataBase64 } of [SETTINGS, RATES]) {
      const data = new Uint8Array(length);
      data.set(Buffer.from(dataBase64, "base64"));
      own.#put(key, owner, data);
    }
    const [global, event, volume, rates] = await Promise.all([
      derived(LAUNCHPAD, "global"),
      derived(LAUNCHPAD, "__event_authority"),
      derived(LAUNCHPAD, "global_volume_accumulator"),
      derived(FEES, "fee_config", bytesOf(LAUNCHPAD)),
    ]);
    const data = new Uint8Array(GLOBAL_VOLUME_BYTES);
    data.set(hash("account:GlobalVolumeAccumulator").subarray(0, 8));
    own.#put(volume, LAUNCHPAD, data);
    const settings = own.account(global).data;
    const [recipient, buyback] = [keyAt(settings, 41), keyAt(settings, 741)];
    own.fixed = { global, event, volume, rates, recipient, buyback };
    // So that no fee leaves one of them below the rent of an account.
    for (const key of [recipient, buyback]) own.fund(key, 10_000_000n);
    return own;
  }

  #put(key, owner, data) {
    const lamports = this.#svm.minimumBalanceForRentExemption(BigInt(data.length));
    this.#svm.setAccount({
      address: address(key),
      data,
      executable: false,
      lamports,
      programAddress: address(owner),
      space: BigInt(data.length),
    });
  }

  /** The account at an address; null if there is none. */
  account(key) {
    const found = this.#svm.getAccount(address(key));
    return found.exists && found.lamports > 0n
      ? { owner: found.programAddress, lamports: found.lamports, data: Buffer.from(found.data) }
      : null;
  }

  lamports(key) {
    return this.account(key)?.lamports ?? 0n;
  }

  /** The program that a token belongs to. */
  programOf(mint) {
    return this.account(mint).owner;
  }

  /** Where a wallet holds a token. */
  tokenAccountOf(wallet, mint) {
    return holderOf(wallet, mint, this.programOf(mint));
  }

  /** The base units in a token account; undefined if it is not open. */
  tokens(key) {
    return this.account(key)?.data.readBigUInt64LE(64);
  }

  /** Sets a wallet's lamports. */
  fund(key, lamports) {
    this.#svm.setAccount({
      address: address(key),
      data: new Uint8Array(),
      executable: false,
      lamports,
      programAddress: address(SYSTEM),
      space: 0n,
    });
  }

  /** Executes a transaction: its fee, and why it failed. */
  send(payer, instructions) {
    const message = appendTransactionMessageInstructions(
      instructions,
      setTransactionMessageFeePayer(address(payer), createTransactionMessage({ version: 0 })),
    );
    const compiled = compileTransaction(this.#svm.setTransactionMessageLifetimeUsingLatestBlockhash(message));
    const number = ++this.#sent;
    const signatures = Object.fromEntries(
      Object.keys(compiled.signatures).map((key) => [key, createHash("sha512").update(`${number} ${key}`).digest()]),
    );
    const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(compiled.messageBytes);
    const before = this.#balances(staticAccounts);
    const done = this.#svm.sendTransaction({ ...compiled, signatures });
    this.#svm.expireBlockhash();
    const after = this.#balances(staticAccounts);
    const [success, signers] = [!(done instanceof FailedTransactionMetadata), Object.keys(signatures).length];
    const signed = staticAccounts
      .slice(0, header.numSignerAccounts)
      .map((key) => getBase58Decoder().decode(signatures[key]));
    this.heard({
      version: 0,
      transaction: {
        signatures: signed,
        message: {
          header: { numRequiredSignatures: header.numSignerAccounts },
          accountKeys: staticAccounts,
          instructions: [],
        },
      },
      meta: {
        err: success ? null : { InstructionError: [0, "Custom"] },
        fee: 5_000 * signers,
        loadedAddresses: { writable: [], readonly: [] },
        preBalances: before.lamports,
        postBalances: after.lamports,
        preTokenBalances: before.tokens,
        postTokenBalances: after.tokens,
      },
    });
    if (success) return { success, signers, signature: signed[0] };
    return { success, signers, signature: signed[0], why: `${done.err()}`, logs: done.meta().logs() };
  }

  /** What the accounts of a transaction hold, as a node says it. */
  #balances(keys) {
    const accounts = keys.map((key) => this.account(key));
    const tokens = accounts.flatMap((account, accountIndex) => {
      const isHolding =
        account !== null &&
        [TOKENS, NEWER_TOKENS].includes(account.owner) &&
        (account.data.length === 165 || account.data[165] === 2);
      if (!isHolding) return [];
      const { data } = account;
      return [
        {
          accountIndex,
          mint: keyAt(data, 0),
          owner: keyAt(data, 32),
          uiTokenAmount: { amount: `${data.readBigUInt64LE(64)}`, decimals: 6 },
        },
      ];
    });
    return { lamports: accounts.map((account) => Number(account?.lamports ?? 0n)), tokens };
  }

  /** Creates a token; `create` coins belong to the first token program. */
  async create(mint, user, creator) {
    const curve = await curveOf(mint);
    const accounts = [
      [mint, "ws"],
      [await derived(LAUNCHPAD, "mint-authority"), "r"],
      [curve, "w"],
      [await holderOf(curve, mint, TOKENS), "w"],
      [this.fixed.global, "r"],
      [METADATA, "r"],
      [await derived(METADATA, "metadata", bytesOf(METADATA), bytesOf(mint)), "w"],
      [user, "ws"],
      [SYSTEM, "r"],
      [TOKENS, "r"],
      [ASSOCIATED, "r"],
      [RENT, "r"],
      [this.fixed.event, "r"],
      [LAUNCHPAD, "r"],
    ];
    const data = Buffer.concat([instructionOf("create"), text("Name"), text("SYM"), text("uri"), bytesOf(creator)]);
    return this.send(user, [instruction(LAUNCHPAD, accounts, data)]);
  }

  /** Creates a token of the newer token program, without any of the modes that it offers. */
  async createNewer(mint, user, creator) {
    const [curve, vault] = [await curveOf(mint), await derived(MAYHEM, "sol-vault")];
    const accounts = [
      [mint, "ws"],
      [await derived(LAUNCHPAD, "mint-authority"), "r"],
      [curve, "w"],
      [await holderOf(curve, mint, NEWER_TOKENS), "w"],
      [this.fixed.global, "r"],
      [user, "ws"],
      [SYSTEM, "r"],
      [NEWER_TOKENS, "r"],
      [ASSOCIATED, "r"],
      [MAYHEM, "w"],
      [await derived(MAYHEM, "global-params"), "r"],
      [vault, "w"],
      [await derived(MAYHEM, "mayhem-state", bytesOf(mint)), "w"],
      [await holderOf(vault, mint, NEWER_TOKENS), "w"],
      [this.fixed.event, "r"],
      [LAUNCHPAD, "r"],
    ];
    // No mayhem, no cashback, no fee of the creator's own, and no reward for holders.
    const modes = Buffer.alloc(1 + 1 + 8 + 1);
    const named = [text("Name"), text("SYM"), text("uri")];
    const data = Buffer.concat([instructionOf("create_v2"), ...named, bytesOf(creator), modes]);
    return this.send(user, [instruction(LAUNCHPAD, accounts, data)]);
  }

  /** The accounts in which a trade's fees arrive. */
  async feeAccounts(creator) {
    return [this.fixed.recipient, this.fixed.buyback, await derived(LAUNCHPAD, "creator-vault", bytesOf(creator))];
  }

  /** Where the program adds up what a wallet trades. */
  volumeAccountOf(user) {
    return derived(LAUNCHPAD, "user_volume_accumulator", bytesOf(user));
  }

  /** Opens that account, which the first buy of a wallet would open at the wallet's cost. */
  async openVolumeAccount(user, payer) {
    const accounts = [
      [payer, "ws"],
      [user, "r"],
      [await this.volumeAccountOf(user), "w"],
      [SYSTEM, "r"],
      [this.fixed.event, "r"],
      [LAUNCHPAD, "r"],
    ];
    return this.send(payer, [instruction(LAUNCHPAD, accounts, instructionOf("init_user_volume_accumulator"))]);
  }

  async #trade(mint, creator, user) {
    const curve = await curveOf(mint);
    return {
      tokens: [this.programOf(mint), "r"],
      head: [
        [this.fixed.global, "r"],
        [this.fixed.recipient, "w"],
        [mint, "r"],
        [curve, "w"],
        [await this.tokenAccountOf(curve, mint), "w"],
        [await this.tokenAccountOf(user, mint), "w"],
        [user, "ws"],
        [SYSTEM, "r"],
      ],
      vault: [await derived(LAUNCHPAD, "creator-vault", bytesOf(creator)), "w"],
      tail: [
        [await derived(LAUNCHPAD, "bonding-curve-v2", bytesOf(mint)), "r"],
        [this.fixed.buyback, "w"],
      ],
      rates: [
        [this.fixed.rates, "r"],
        [FEES, "r"],
      ],
    };
  }

  /** Buys for these lamports, fees included; if in part, what is left on the curve. */
  async buy(mint, creator, user, lamports, minTokens, isPartial = false) {
    const { tokens, head, vault, tail, rates } = await this.#trade(mint, creator, user);
    const own = [
      [this.fixed.volume, "r"],
      [await this.volumeAccountOf(user), "w"],
    ];
    const accounts = [...head, tokens, vault, [this.fixed.event, "r"], [LAUNCHPAD, "r"], ...own, ...rates, ...tail];
    // Not counted as volume.
    const data = Buffer.concat([
      instructionOf("buy_exact_sol_in"),
      u64(lamports),
      u64(minTokens),
      Buffer.from([0, Number(isPartial)]),
    ]);
    return instruction(LAUNCHPAD, accounts, data);
  }

  /** Sells base units. */
  async sell(mint, creator, user, amount, minLamports) {
    const { tokens, head, vault, tail, rates } = await this.#trade(mint, creator, user);
    const accounts = [...head, vault, tokens, [this.fixed.event, "r"], [LAUNCHPAD, "r"], ...rates, ...tail];
    return instruction(LAUNCHPAD, accounts, Buffer.concat([instructionOf("sell"), u64(amount), u64(minLamports)]));
  }

  /** Opens a wallet's account of a token, at the wallet's cost, unless it is open. */
  async open(mint, user) {
    const account = await this.tokenAccountOf(user, mint);
    return instruction(
      ASSOCIATED,
      [
        [user, "ws"],
        [account, "w"],
        [user, "r"],
        [mint, "r"],
        [SYSTEM, "r"],
        [this.programOf(mint), "r"],
      ],
      Buffer.from([1]),
    );
  }

  /** Closes a wallet's account of a token. */
  async close(mint, user) {
    return instruction(
      this.programOf(mint),
      [
        [await this.tokenAccountOf(user, mint), "w"],
        [user, "w"],
        [user, "s"],
      ],
      Buffer.from([9]),
    );
  }

  /** Bounds a transaction's units, and offers a price for each. */
  priority(unitLimit, microLamports) {
    return [
      instruction(BUDGET, [], Buffer.concat([Buffer.from([2]), u32(unitLimit)])),
      instruction(BUDGET, [], Buffer.concat([Buffer.from([3]), u64(microLamports)])),
    ];
  }

  /** A token's curve, from its bytes. */
  async curve(mint) {
    const { data, lamports } = this.account(await curveOf(mint));
    const at = (place) => data.readBigUInt64LE(place);
    return {
      virtualTokenReserves: at(8),
      virtualSolReserves: at(16),
      realTokenReserves: at(24),
      realSolReserves: at(32),
      complete: data[48] === 1,
      waitingFees: at(125) + at(133),
      lamports,
      bytes: data.length,
    };
  }
}
