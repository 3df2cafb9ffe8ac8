// Generated from the tables in `src/` and `crates/`: `UPDATE=1 cargo test --locked --test rust generated::` writes it.

/** What a reason or a state says of a trade of unknown outcome. */
export const MEANINGS: Readonly<Record<string, string>> = {
  no_before: "The balances before the send were not read, or not those of every wallet.",
  behind: "The node lags: its newest block, a list or a balance is older than what it is compared with.",
  history_incomplete: "A list of transactions is missing, or does not reach back to the send.",
  not_final: "A transaction can still be taken back by a fork.",
  transaction_unread: "A transaction that is listed was not read.",
  contradiction: "Two readings contradict each other: an outcome, a slot, or a transaction that one list has and another lacks.",
  no_balances: "The present balances were not read, or not those of every wallet.",
  books_differ: "The transactions do not add up to the balances.",
  alive: "The trade may still land.",
  no_expiry: "It is not known by when the service took its blockhash, so it may send the trade at any time. It can still be seen to land; that it failed or did not land is proven only with the market's serviceHoldsMs.",
  several_fit: "More than one transaction fits.",
  misfit: "A transaction may be the trade, but did not do what was asked.",
  rival: "The transaction that fits may be another trade of the client.",
  shared_wallets: "The transaction that fits may be another program's.",
  unanswered: "The node did not answer: it allows no more calls for now, cannot be reached, or refused.",
  no_address: "The id of a wallet is no address, and the market's walletAddresses has none for it. problem names the wallet.",
  planned: "It is a plan that has not been sent.",
  awaiting_approval: "A person must approve it; nothing was sent yet.",
  in_flight: "It was forwarded and has no answer yet.",
  in_doubt: "It was forwarded, and its outcome is unknown. An operator must settle it, unless the chain proves it.",
  ended: "It has its final answer: the service's, or the gateway's own refusal with status 403.",
  not_recorded: "The gateway has no such intent. The request that it answered with this moves nothing; an earlier one may still be on its way.",
};
