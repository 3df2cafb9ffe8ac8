// Who trades how much: one wallet, or the rows of a bundle.

import { el } from "./el.js";
import { field } from "./field.js";
import { decimal } from "./money.js";
import { held } from "./world.js";

/** The field for one of the wallets. */
export const walletField = (name, label, wallets, before = []) =>
  field({ name, label, reads: "text", options: [...before, ...wallets.map((row) => [row.wallet, row.label])] });

function amountField(name, { operation: { amount }, token }) {
  const made = field({ name, label: amount.label, reads: amount.reads, unit: amount.unit(token) });
  made.classList.add("amount");
  return made;
}

const button = (className, label, click) => el("button", { type: "button", class: className, click }, label);

/** The fields of a single trade. */
export function singleLeg(ticket) {
  const { amount } = ticket.operation;
  const wallet = walletField("fromWallet", "Wallet", ticket.world.wallets);
  const spent = amountField(amount.name, ticket);
  const preset = (label, text) =>
    button("quiet", label, () => {
      spent.querySelector("input").value = text();
      ticket.edited();
    });
  const holdings = () => decimal(held(ticket.world.wallet(wallet.querySelector("select").value), ticket.token.mint), ticket.token.decimals);
  const presets =
    amount.reads === "tokens"
      ? [preset("All it holds", holdings)]
      : amount.presets.map((text) => preset(`${text} ${amount.unit(ticket.token)}`, () => text));
  return [wallet, spent, el("div", { class: "presets" }, ...presets)];
}

/** The rows of a bundle, a button that adds one, and who pays. */
export function bundleLegs(ticket) {
  const rows = el("ol", { class: "rows" });
  const add = button("quiet add", "Add a wallet", () => {
    addRow(rows, ticket).querySelector("input").focus();
    ticket.edited();
  });
  for (const _ of ticket.world.wallets.slice(0, 2)) addRow(rows, ticket);
  return [rows, add, walletField("feePayer", "Fee payer", ticket.world.wallets)];
}

/** Adds a row for the first wallet that is in none yet. */
function addRow(rows, ticket) {
  const { wallets } = ticket.world;
  const taken = [...rows.querySelectorAll("select")].map(({ value }) => value);
  const wallet = walletField("fromWallet", "Wallet", wallets);
  const free = wallets.find((row) => !taken.includes(row.wallet)) ?? wallets[0];
  wallet.querySelector("select").value = free.wallet;
  const row = el(
    "li",
    { class: "row" },
    wallet,
    amountField(ticket.operation.amount.name, ticket),
    field({ name: "slippage", label: "Own slippage", reads: "slippage", unit: "%", placeholder: "as below" }),
    button("quiet remove", "Remove", () => {
      const neighbour = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      number(rows, ticket.operation.list);
      neighbour.querySelector("select").focus();
      ticket.edited();
    }),
  );
  rows.append(row);
  number(rows, ticket.operation.list);
  return row;
}

/** Names each control by its path in the request, which has the row's number in it. */
function number(rows, list) {
  for (const [index, row] of [...rows.children].entries()) {
    for (const control of row.querySelectorAll("[data-reads]")) {
      control.name = `${list}[${index}].${control.name.replace(/^.*\./, "")}`;
    }
    const remove = row.querySelector(".remove");
    remove.hidden = rows.children.length === 1;
    remove.setAttribute("aria-label", `Remove wallet ${index + 1}`);
  }
}
