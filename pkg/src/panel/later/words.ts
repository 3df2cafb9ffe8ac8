// The sentences of what comes later, so that no page waits for them; like `messages`.

import { say, spoken } from "./kit.js";

export const words = spoken({
  tokens: {
    title: "Tokens of the market",
    order: "Which tokens, and in which order",
    orders: { newest: "New", completing: "Completing", traded: "Most traded", all: "All", watched: "Watched" },
    search: "Symbol, name or mint",
    columns: {
      watch: "Watch",
      token: "Token",
      age: "Age",
      price: "Price, SOL",
      curve: "Curve sold",
      cap: "Market cap",
      traded: "Traded, 5m",
      creator: "Creator holds",
      own: "Yours",
    },
    watch: (symbol: string) => say`Watch ${symbol}`,
    shown: (shown: number, all: number) => (shown < all ? say`${shown} of ${all} tokens` : ""),
    none: {
      newest: "No launch was seen yet.",
      completing: "No curve is under way.",
      traded: "Nothing was traded in the last five minutes.",
      all: "There are no tokens here.",
      watched: "You watch no token yet: the star in front of a token does that.",
    },
    noneFound: (text: string) => say`No token here has “${text}” in its symbol, name or mint.`,
    held: "The order waits while you are at the list.",
    complete: "complete",
    unknown: "–",
    noStream:
      "This gateway passes on no stream of the market: here are only the tokens that this page offers, each as it was looked at last. No launches, no volumes.",
    missed: "The market's trades could not be read: ages and volumes are old.",
  },
  history: {
    csvOf: (all: number) => say`Save all ${all} as CSV`,
    jsonOf: (all: number) => say`Save all ${all} as JSON`,
    dropped: (count: number) =>
      count === 1
        ? say`1 older trade is no longer kept here, nor in these files; what it has cost is still counted.`
        : say`${count} older trades are no longer kept here, nor in these files; what they have cost is still counted.`,
  },
  wallets: {
    title: "Wallets",
    columns: { pick: "In the group", wallet: "Wallet", id: "Address", sol: "SOL", holds: (symbol: string) => symbol },
    pick: (wallet: string) => say`${wallet} in the group`,
    copy: (wallet: string) => say`copy the address of ${wallet}`,
    copied: "The address was copied.",
    explorer: "Explorer",
    explorerOf: (wallet: string) => say`${wallet} in the explorer`,
    groups: "Groups",
    name: "Name of the group",
    counted: (offered: number, missing: number) => (missing ? say`${offered}, ${missing} missing` : String(offered)),
    save: "Save the group",
    replace: (name: string) => say`Replace ${name}`,
    remove: (name: string) => say`Delete ${name}`,
    use: (wallets: number, replaces: number) => {
      const use = wallets === 1 ? say`Bundle with this wallet` : say`Bundle with these ${wallets}`;
      if (!replaces) return use;
      return replaces === 1 ? say`${use}, replaces 1 row` : say`${use}, replaces ${replaces} rows`;
    },
    noneChosen: "Tick wallets to bundle with them, or to give them a name together.",
    nameless: "Give the group a name.",
    full: (most: number) => say`There is room for ${most} groups.`,
    unknown: "not known",
  },
  exits: {
    presets: { half: "Half at 2x", ladder: "In steps", trail: "Trailing stop" },
    presetsTitle: "Plans to begin with",
    hints: {
      takeProfit: "2x 50%, 4x 25%",
      stopLoss: "0.7x",
      trailing: "30% 1.5x",
      breakEvenAfter: "1.4x",
      timeMs: "30m",
      onGraduation: "95%",
      slippage: "10%",
    },
    notTime: "is not a time such as 90s, 30m or 2h",
    what: (slippage: number) =>
      say`2x is twice what the position cost, after all fees. The desk sells by itself, without asking, while this page is open, at up to ${slippage} % slippage.`,
    prices: "A price such as 0.00000005 SOL and a market cap such as mc 60 (SOL; 60k is 60,000) are read, too.",
    read: (plan: string) => say`Read as: ${plan}.`,
    ofCap: ", market cap,",
    offCurve: (least: string, most: string) =>
      say`is no price of this curve: while you hold these tokens it is from ${least} to ${most} SOL`,
    never: "never on this curve",
    start: "Start",
    startAnyway: "Start all the same",
    tryOut: "Try on the past",
    trying: "Trying…",
    report: "What this plan would have done",
    reportOf: (seen: string, sol: string) =>
      say`${seen}: bought for ${sol} at the start, and again 5 s after each end; orders take 0.5 s.`,
    seen: {
      sandbox: (trades: number, symbol: string) =>
        say`It proves nothing about a real market. On ${trades} trades of ${symbol} by others that the sandbox remembers`,
      gateway: (trades: number, symbol: string) =>
        trades === 1
          ? say`So short a past is no forecast. On 1 change of ${symbol} that this panel has seen since it was opened, of one trade or more, yours among them`
          : say`So short a past is no forecast. On ${trades} changes of ${symbol} that this panel has seen since it was opened, each of one trade or more, yours among them`,
    },
    saveReport: "Save the report",
    noPast: {
      sandbox: "The sandbox remembers too few trades of this token.",
      gateway: "This panel has seen no trade of this token since it was opened.",
    },
    cancel: "Cancel",
    line: {
      rung: (at: string) => at,
      stop: (at: string) => say`stop ${at}`,
      trailing: (by: string) => say`trail ${by}`,
      breakEven: "even 1x",
      draft: (line: string) => say`not started: ${line}`,
    },
  },
  alerts: {
    field: "Alert at",
    hint: "0.00000006 or mc 60",
    set: "Set",
    sound: "Sound",
    works: "It is told once, while this page is open: a price in SOL, or a market cap in SOL. Nothing is sent.",
    notRead: "Alert at takes a price such as 0.00000006 SOL, or a market cap such as mc 60.",
    remove: (price: string) => say`Remove the alert at ${price} SOL`,
  },
} as const);
