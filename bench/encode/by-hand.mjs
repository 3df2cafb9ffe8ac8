// The same rules in plain JS; throws at the first that is broken.

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const NUMERIC = /^\d+(\.\d+)?$/;

const refuse = (field) => {
  throw Object.assign(new TypeError(`${field} cannot be sent`), { field });
};

const id = (value, field) => {
  if (typeof value !== "string" || !BASE58.test(value)) refuse(field);
};
const units = (value, field) => {
  if (value != null && (!Number.isSafeInteger(value) || value < 0)) refuse(field);
};
const slippage = (value, field) => {
  if (value != null && !(value >= 0 && value < Infinity)) refuse(field);
};
const known = (object, names) => {
  for (const name in object) if (!names.has(name)) refuse(name);
};

const amounts = {
  amountInLamports: (value) => Number.isSafeInteger(value) && value > 0,
  amountInToken: (value) => (typeof value === "string" ? NUMERIC.test(value) : value > 0 && value < Infinity),
  percentage: (value) => value > 0 && value <= 100,
};

const SHARED = ["mint", "feePayer", "slippage", "priorityUnitLimit", "priorityUnitPrice"];

function shared(request) {
  id(request.mint, "mint");
  id(request.feePayer, "feePayer");
  slippage(request.slippage, "slippage");
  units(request.priorityUnitLimit, "priorityUnitLimit");
  units(request.priorityUnitPrice, "priorityUnitPrice");
  return request;
}

const single = (amount) => {
  const names = new Set([...SHARED, "fromWallet", amount]);
  return (request) => {
    known(request, names);
    id(request.fromWallet, "fromWallet");
    if (!amounts[amount](request[amount])) refuse(amount);
    return shared(request);
  };
};

const bundle = (list, amount) => {
  const names = new Set([...SHARED, list]);
  const elementNames = new Set(["fromWallet", amount, "slippage"]);
  return (request) => {
    known(request, names);
    if (!Array.isArray(request[list]) || !request[list].length) refuse(list);
    for (const element of request[list]) {
      known(element, elementNames);
      id(element.fromWallet, `${list}.fromWallet`);
      if (!amounts[amount](element[amount])) refuse(`${list}.${amount}`);
      slippage(element.slippage, `${list}.slippage`);
    }
    return shared(request);
  };
};

export const checks = {
  buy: single("amountInLamports"),
  bundleBuy: bundle("buys", "amountInLamports"),
  bundleSell: bundle("sells", "amountInToken"),
  bundleSellByPercentage: bundle("sells", "percentage"),
};
