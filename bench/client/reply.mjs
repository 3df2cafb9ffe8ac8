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

const parts = text.split(signature);
let replies = 0;

/** The reply to the next trade: each transaction has a signature of its own. */
export const reply = () => parts.join(signature.slice(0, -8) + `${11_111_111 + ++replies}`.replaceAll("0", "A"));
