// The quote's warnings in words.

const WORDS = {
  high_impact: "The average price of this trade is far from the price before it.",
  slippage_over_bounds: "The slippage is wide: the price may move far against you.",
  no_bound_left: "At this slippage no bound is left: any price is accepted.",
  unit_suspicion: "This is worth less than a signature costs: was another unit meant?",
  dust_left: "What is left in the token account is worth less than a signature.",
  account_cannot_close: "What is left is worth less than the rent it keeps locked in the token account.",
  no_proceeds: "This sell brings no lamports.",
  partial_fill: "The curve has less than was ordered; the buy takes what is left.",
  completes_curve: "This takes the curve's last token; after it, trading stops.",
  insufficient_lamports: "At worst the wallet has too few lamports for this.",
  below_rent_minimum: "This may leave the wallet with less than its rent, but not with zero: then it fails.",
  wallet_unknown: "The wallet is unknown: its holdings are not checked.",
};

/** A warning as a sentence; an unlisted one is shown by its code. */
export const warningText = (code) => WORDS[code] ?? code;
