// What a trade did to its wallets by its quote alone: of a bundle, whose reply says nothing about them, and of a trade that was found to
// have landed later.

import type { LegQuote, Side, TradeReceipt } from "./generated.js";

/** What the figures of a price are, as text or as bigints. */
type Figure = string | bigint;

/** The parts of a price that tell what each wallet gets. */
export interface Estimable {
  readonly networkFeeLamports: Figure;
  readonly legs: readonly (Pick<LegQuote, "wallet" | "side" | "tokenAccount"> & {
    readonly [F in "tokens" | "walletLamports" | "protocolFeeLamports" | "creatorFeeLamports" | "rentLamports"]: Figure;
  } & {
    /** A plan that was stored before prices had it lacks it. */
    readonly volumeRentLamports?: Figure;
  })[];
}

/** A receipt for each trade of a price, all of whose figures are estimates. `feePayer` pays the network fee; of a failed trade nothing else moved. */
export function estimatedReceipts(
  price: Estimable,
  { feePayer, side }: { feePayer?: string | null; side: Side },
  status: TradeReceipt["status"],
): [wallet: string, receipt: TradeReceipt][] {
  let networkFee = BigInt(price.networkFeeLamports);
  if (status === "failed") return feePayer ? [[feePayer, estimate(feePayer, status, side, { networkFee })]] : [];
  return price.legs.map((leg) => {
    // The fee payer pays once, whatever it trades.
    const fee = leg.wallet === feePayer ? networkFee : 0n;
    if (fee) networkFee = 0n;
    const figures = {
      tokens: BigInt(leg.tokens),
      lamports: BigInt(leg.walletLamports),
      protocolFee: BigInt(leg.protocolFeeLamports),
      creatorFee: BigInt(leg.creatorFeeLamports),
      tokenAccount: leg.tokenAccount,
      rent: BigInt(leg.rentLamports),
      volumeRent: BigInt(leg.volumeRentLamports ?? 0),
      networkFee: fee,
    };
    return [leg.wallet, estimate(leg.wallet, status, leg.side, figures)];
  });
}

interface Figures {
  tokens?: bigint;
  lamports?: bigint;
  protocolFee?: bigint;
  creatorFee?: bigint;
  tokenAccount?: TradeReceipt["tokenAccount"];
  rent?: bigint;
  volumeRent?: bigint;
  networkFee: bigint;
}

function estimate(
  wallet: string,
  status: TradeReceipt["status"],
  side: Side,
  {
    tokens = 0n,
    lamports = 0n,
    protocolFee = 0n,
    creatorFee = 0n,
    tokenAccount = "stays",
    rent = 0n,
    volumeRent = 0n,
    networkFee,
  }: Figures,
): TradeReceipt {
  const moved = side === "buy" ? -lamports : lamports;
  const rentBack = tokenAccount === "closes" ? rent : 0n;
  const rentMoved = tokenAccount === "opens" ? -rent : rentBack;
  return {
    wallet,
    status,
    side,
    tokens,
    lamports,
    price: null,
    slippageUsedPpm: 0n,
    protocolFeeLamports: protocolFee,
    creatorFeeLamports: creatorFee,
    tokenAccount,
    rentLamports: rent,
    volumeRentLamports: volumeRent,
    networkFeeLamports: networkFee,
    netLamports: moved + rentMoved - volumeRent - networkFee,
    estimated: [
      "tokens",
      "lamports",
      "price",
      "slippageUsedPpm",
      "fees",
      "tokenAccount",
      "volumeRentLamports",
      "networkFeeLamports",
      "netLamports",
    ],
    findings: [],
  };
}
