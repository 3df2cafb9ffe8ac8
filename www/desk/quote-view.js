// What the trade on the ticket would do if it were sent now.

import { el, facts } from "./el.js";
import { grouped, percent, sol, solChange, tokens } from "./money.js";
import { warningText } from "./warnings.js";

/** The headline, which is read out as it changes, and the facts below it. */
export class QuoteView {
  #headline = el("p", { class: "headline", role: "status" });
  #body = el("div");
  element = el("section", { class: "quote", "aria-label": "Quote" }, this.#headline, this.#body);

  /**
   * @param {{ problems: object[], warnings: object[], quote?: object }} checked what `check` found
   * @param {object} world
   * @param {object} token
   */
  show({ problems, warnings, quote }, world, token) {
    this.element.dataset.state = quote ? (quote.refused ? "refused" : "open") : "none";
    if (!quote) {
      const unfinished = problems.every(({ code }) => code === "required");
      const text = unfinished ? "Enter an amount for a quote." : "No quote: a field needs another look.";
      this.#headline.replaceChildren(el("span", { class: "empty" }, text));
      this.#body.replaceChildren();
      return;
    }
    const { legs, wallets, refused } = quote;
    this.#headline.replaceChildren(...(refused ? refusal(refused) : received(legs, token)));
    this.#body.replaceChildren(
      ...(legs.length > 1 ? legs.map((leg) => bundledLeg(leg, world, token)) : legs.map((leg) => facts(legFacts(leg, token)))),
      facts(totals(quote, world)),
      ...notes([...legs, ...wallets], warnings),
    );
  }
}

const refusal = ({ message, field }) => [el("span", {}, "Would fail"), el("strong", {}, field ? `${message} (${field})` : message)];

/** What the trader gets, all wallets together. */
function received(legs, token) {
  const buys = legs.every(({ side }) => side === "buy");
  const sum = legs.reduce((all, leg) => all + (buys ? leg.tokens : leg.walletLamports), 0n);
  return [el("span", {}, "You receive"), el("strong", {}, buys ? tokens(sum, token) : sol(sum))];
}

const paid = (leg, token) => (leg.side === "buy" ? sol(leg.walletLamports) : tokens(leg.tokens, token));
const got = (leg, token) => (leg.side === "buy" ? tokens(leg.tokens, token) : sol(leg.walletLamports));
const least = (leg, token) => (leg.side === "buy" ? tokens(leg.worstTokens, token) : sol(leg.worstWalletLamports));

const ACCOUNT = {
  opens: (rent) => `opens, ${sol(rent)} rent`,
  closes: (rent) => `closes, ${sol(rent)} back`,
  stays: () => "stays open",
  unknown: () => "unknown",
};

const legFacts = (leg, token) => [
  [leg.side === "buy" ? "You pay" : "You sell", paid(leg, token)],
  [`Minimum, at ${leg.slippagePercent} % slippage`, least(leg, token)],
  ["Price impact, on average", percent(leg.priceImpactBps)],
  ["Move of the price", percent(leg.spotMoveBps)],
  ["Average price", leg.averagePrice === null ? "?" : `${grouped(leg.averagePrice)} lamports`],
  ["Trading fees, included", sol(leg.protocolFeeLamports + leg.creatorFeeLamports)],
  ["Token account", ACCOUNT[leg.tokenAccount](leg.rentLamports)],
];

const bundledLeg = (leg, world, token) =>
  el("section", { class: "leg" }, el("h3", {}, `${world.label(leg.wallet)}: ${got(leg, token)}`), facts(legFacts(leg, token)));

const totals = ({ wallets, networkFeeLamports, refused }, world) => [
  [refused ? "Network fee, charged anyway" : "Network fee", sol(networkFeeLamports)],
  ...(refused ? [] : wallets.map(({ wallet, netLamports }) => [`Net for ${world.label(wallet)}`, solChange(netLamports)])),
];

function notes(parts, warnings) {
  const texts = new Set([...warnings.map(({ message }) => message), ...parts.flatMap((part) => part.warnings.map(warningText))]);
  return texts.size ? [el("ul", { class: "notes" }, ...[...texts].map((text) => el("li", {}, text)))] : [];
}
