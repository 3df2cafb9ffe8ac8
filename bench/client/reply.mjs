// The service's replies and the request.

const [mint, wallet] = ["So11111111111111111111111111111111111111112", "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"];
const signature = mint + wallet;

export const REQUEST = {
  mint,
  fromWallet: wallet,
  amountInLamports: 1_000_000_000,
  feePayer: wallet,
  slippage: 5,
  priorityUnitLimit: 200_000,
  priorityUnitPrice: 1_000_000,
};

const text = JSON.stringify({
  result: {
    mint,
    wallet,
    buyAmount: 34199203.120618,
    preTokenBalance: 0,
    postTokenBalance: 34199203.120618,
    signature,
    transactionResult: { success: true, signature, results: "ok" },
    tokenAccount: wallet,
  },
  explorer: {
    mint: `https://explorer.example/token/${mint}`,
    wallet: `https://explorer.example/account/${wallet}`,
    tx: `https://explorer.example/tx/${signature}`,
  },
  launchpad: { mint: `https://launchpad.example/coin/${mint}` },
});

/** A reply, again and again: each but the first with a signature of its own, as each transaction has. */
export function repeated(text, signature) {
  const parts = text.split(signature);
  let replies = 0;
  const next = () => signature.slice(0, -8) + `${11_111_110 + replies}`.replaceAll("0", "A");
  return () => parts.join(replies++ ? next() : signature);
}

/** The reply to the next trade. */
export const reply = repeated(text, signature);
