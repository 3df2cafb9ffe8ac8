// Every text of the panel, in one table: another language is another table. Each part has its own section.

export const messages = {
  panel: {
    opening: "The desk is opening…",
    broken: (reason: string) => `The desk cannot open: ${reason}`,
    simulated: "Simulated: no real money",
    live: "Live: real money",
  },
  ticket: {
    title: "Trade",
    side: "Side",
    buy: "Buy",
    sell: "Sell",
    token: "Token",
    wallet: "Wallet",
    spend: "Amount to spend",
    sellAmount: "Amount to sell",
    slippage: "Slippage",
    amountMissing: "Enter an amount",
    holds: (amount: string) => `Holds ${amount}`,
  },
  quote: {
    none: "Enter an amount for a quote.",
    problem: "No quote: a field needs another look.",
    about: (amount: string) => `≈ ${amount}`,
    minimum: (amount: string) => `at least ${amount}`,
    fails: "Would fail",
  },
  send: {
    prefix: (simulated: boolean) => (simulated ? "Simulate: " : ""),
    buy: (amount: string) => `buy for ${amount}`,
    sell: (amount: string) => `sell ${amount}`,
    sending: "Sending…",
    again: "Again",
  },
  outcome: {
    title: "Trades sent from here",
    none: "Nothing sent yet.",
    sending: "Sending",
    landed: "Landed",
    unconfirmed: "Accepted, not confirmed",
    failed: "Failed",
    rejected: "Rejected",
    not_sent: "Not sent",
    unknown: "Outcome unknown",
  },
} as const;
