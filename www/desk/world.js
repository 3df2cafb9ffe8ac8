// The sandbox as the views want it.

/** The sandbox's state now, with what is looked up in it. */
export function readWorld(sandbox) {
  const { tokens, wallets, account, trades } = sandbox;
  return {
    tokens,
    wallets,
    account,
    trades,
    token: (mint) => tokens.find((token) => token.mint === mint),
    wallet: (id) => wallets.find(({ wallet }) => wallet === id),
    label: (id) => wallets.find(({ wallet }) => wallet === id)?.label ?? id,
  };
}

/** Base units of a token that a wallet holds. */
export const held = (wallet, mint) => wallet.tokenAccounts.find((account) => account.mint === mint)?.tokens ?? 0n;
