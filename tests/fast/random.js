// Requests and replies to try both ways on: plain ones, and the same with one or several things changed, from a seed.

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export const OPERATIONS = ["buy", "sell", "sellByPercentage", "bundleBuy", "bundleSell", "bundleSellByPercentage"];

/** Draws from a seed (the generator mulberry32). */
export function drawer(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(next() * bound);
  const of = (list) => list[below(list.length)];
  return { next, below, of, chance: (share) => next() < share };
}

const address = (draw) => draw.of("23456789ABCDEFGH") + Array.from({ length: 42 + draw.below(2) }, () => draw.of(BASE58)).join("");

const identifier = (draw) => (draw.chance(0.8) ? address(draw) : `wallet-${draw.below(100)}`);

const decimal = (draw) => Number((draw.next() * 10 ** draw.below(10)).toFixed(draw.below(7)));

function amount(draw, operation) {
  if (/buy/i.test(operation)) return 1 + draw.below(10 ** (1 + draw.below(15)));
  if (/percentage/i.test(operation)) return draw.chance(0.5) ? 1 + draw.below(100) : (1 + draw.below(10_000)) / 100;
  if (draw.chance(0.3)) return String(1 + draw.below(1e6)) + (draw.chance(0.5) ? `.${draw.below(1e4)}${1 + draw.below(9)}` : "");
  return draw.chance(0.5) ? decimal(draw) : 1 + draw.below(1e9);
}

const AMOUNTS = { Lamports: "amountInLamports", Token: "amountInToken", Percentage: "percentage" };

const amountName = (operation) =>
  /buy/i.test(operation) ? AMOUNTS.Lamports : /percentage/i.test(operation) ? AMOUNTS.Percentage : AMOUNTS.Token;

function slippage(draw) {
  const kind = draw.below(6);
  if (kind === 0) return { percent: draw.chance(0.5) ? draw.below(100) : draw.below(10_000) / 100 };
  if (kind === 1) return { bps: draw.chance(0.8) ? draw.below(10_000) : draw.below(1000) / 10 };
  if (kind === 2) return null;
  return draw.chance(0.5) ? draw.below(100) : decimal(draw) % 100;
}

/** A request that is plainly good in most of its fields. */
function goodRequest(draw, operation) {
  const leg = () => {
    const element = { fromWallet: identifier(draw), [amountName(operation)]: amount(draw, operation) };
    if (draw.chance(0.5)) element.slippage = slippage(draw);
    return element;
  };
  const request = { mint: identifier(draw) };
  if (operation.startsWith("bundle")) {
    request[operation === "bundleBuy" ? "buys" : "sells"] = Array.from({ length: 1 + draw.below(4) }, leg);
    request.feePayer = identifier(draw);
  } else {
    Object.assign(request, leg());
    if (draw.chance(0.5)) request.feePayer = draw.chance(0.2) ? null : identifier(draw);
  }
  if (draw.chance(0.5)) request.slippage = slippage(draw);
  if (draw.chance(0.5)) request.priorityUnitLimit = draw.chance(0.2) ? null : draw.below(1_400_000);
  if (draw.chance(0.5)) request.priorityUnitPrice = draw.below(10 ** draw.below(12));
  return request;
}

const ODD_TEXTS = [
  "", " ", "a b", "a\n", "\u007f", "\u0000", 'a"b', "a\\b", "é", "日本", "😀", "\ud800", "\ufffd", "a\u00a0", "x".repeat(128), "x".repeat(129), "é".repeat(128),
  "11111111111111111111111111111111", "1".repeat(33), "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
  "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM", "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofL", "So11111111111111111111111111111111111111112", "0".repeat(44), "l".repeat(44),
  'W","amountInLamports":1,"slippage":null},{"fromWallet":"V', "null", "1", "01", "1.5", "1.50", "1.", ".5", "1e3", "-1", "+1", " 1", "0", "0.0", "0.5", "00.5", "99999999999999999999",
];

const ODD_NUMBERS = [
  0, -0, -1, 0.1 + 0.2, 0.29, 1e-6, 1e-7, 9.999999e-7, 1.0000001, 0.000001, 123456789.123456, 1e9 + 0.1, 999999999.999999, 1e15, 1e15 + 0.5, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 1e20, 1e21,
  1.7976931348623157e308, 5e-324, NaN, Infinity, -Infinity, 100, 100.000001, 99.9999999, 101, 500, 4294967295, 4294967296, 99999999, 100000000, 100000001, 10, 0.5, 0.05, 0.000005,
];

function oddValue(draw) {
  switch (draw.below(14)) {
    case 0:
    case 1:
    case 2:
      return draw.of(ODD_TEXTS);
    case 3:
    case 4:
    case 5:
      return draw.of(ODD_NUMBERS);
    case 6:
      return draw.next() * 10 ** (draw.below(40) - 20);
    case 7:
      return draw.of([0n, 1n, -1n, 5n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 64n, 10n ** 40n]);
    case 8:
      return draw.of([null, undefined, true, false]);
    case 9:
      return draw.of([[], {}, [1], ["a"], { toString: () => "5" }, new Date(0), new String("W"), new Number(5), () => 5, Symbol("s")]);
    case 10:
      return draw.of([{ percent: 5 }, { bps: 50 }, { percent: NaN }, { bps: 0.5 }, { bps: 12345 }, { percent: 0.29 }, { percent: 29 }, { percent: null }, { percent: "5" }, { percent: 5, bps: 500 }, { pct: 5 }, { percent: -0 }, { bps: 2 ** 53 }]);
    case 11:
      return draw.of([String(draw.below(1e6)), String(decimal(draw)), String(draw.next())]);
    case 12:
      return address(draw) + draw.of([" ", "", "é", "0"]);
    default:
      return decimal(draw);
  }
}

const NAMES = ["mint", "fromWallet", "amountInLamports", "amountInToken", "percentage", "feePayer", "slippage", "priorityUnitLimit", "priorityUnitPrice", "buys", "sells"];

/** Gives an object a field, even where a getter or the prototype has that name. */
const set = (object, name, value) => Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

/** Changes one thing of an object, unless what was changed before does not let it. */
function changed(draw, object) {
  try {
    return change(draw, object);
  } catch {
    return object;
  }
}

/** Changes one thing of an object, in place, or gives another one in its stead. */
function change(draw, object) {
  const names = Object.keys(object);
  const name = draw.of(names.length ? names : NAMES);
  switch (draw.below(13)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return set(object, name, oddValue(draw));
    case 4:
      delete object[name];
      return object;
    case 5:
      return set(object, draw.of([...NAMES, "slipage", "__proto__", "constructor", "toString", "0", ""]), draw.chance(0.3) ? undefined : oddValue(draw));
    case 6:
      return set(object, name, undefined);
    case 7: {
      // A getter that says another thing the second time it is asked.
      const value = object[name];
      const other = oddValue(draw);
      let reads = 0;
      Object.defineProperty(object, name, { enumerable: draw.chance(0.8), configurable: true, get: () => (reads++ ? other : value) });
      return object;
    }
    case 8:
      Object.defineProperty(object, name, { value: object[name], enumerable: false, configurable: true, writable: true });
      return object;
    case 9: {
      const reversed = {};
      for (const each of names.reverse()) reversed[each] = object[each];
      return reversed;
    }
    case 10:
      return draw.of([() => Object.assign(Object.create(null), object), () => Object.assign(Object.create({ slippage: 5 }), object), () => new Proxy(object, {}), () => Object.assign([], object)])();
    case 11:
      Object.defineProperty(object, name, {
        enumerable: true,
        configurable: true,
        get() {
          throw new Error("no");
        },
      });
      return object;
    default:
      return set(object, Symbol("s"), 5);
  }
}

/** A request from a seed: a third are plainly good. */
export function requestOf(seed) {
  const draw = drawer(seed);
  const operation = draw.of(OPERATIONS);
  let request = goodRequest(draw, operation);
  for (let changes = draw.below(3); changes > 0; changes--) {
    const list = Object.keys(request).find((name) => Array.isArray(Object.getOwnPropertyDescriptor(request, name)?.value));
    if (!list || draw.chance(0.5)) {
      request = changed(draw, request);
      continue;
    }
    const elements = request[list];
    const index = draw.below(elements.length);
    if (draw.chance(0.1)) elements.length = draw.of([0, elements.length + 1, 400]);
    else if (elements[index] && typeof elements[index] === "object" && !Array.isArray(elements[index])) elements[index] = changed(draw, elements[index]);
  }
  return { operation, request: draw.chance(0.01) ? oddValue(draw) : request, rules: { slippageUnit: draw.of(["percent", "bps"]), identifiers: draw.of(["any", "any", "base58"]), ...(draw.chance(0.2) && { maxBundleSize: 1 + draw.below(3) }) } };
}

const ODD_JSON = [
  "null", "true", "false", "0", "-0", "1", "-1", "1.5", "1.50", "01", "1.", "1e3", "1E-7", "18446744073709551617", "123456789012345678901234567890.5", '"x"', '""', '"1.5"', '"1e3"', '"-1"', '"lots"',
  '"\\u0041"', '"\\n"', '"\\""', '"é"', '"😀"', '"\t"', '"\u007f"', '"\\ud800"', '"\u0000"', "[]", "{}", "[1,2]", '{"a":1}', '{"a":1,"a":2}', "[[[[]]]]", "nul", "tru", "NaN", "", "'x'", '"open',
];

const REPLY_NAMES = ["result", "explorer", "launchpad", "exact", "mint", "wallet", "buyAmount", "sellAmount", "preTokenBalance", "postTokenBalance", "signature", "transactionResult", "success", "results", "tokenAccount", "tokenAccountClosed", "tx", "extra", "__proto__", "scan"];

/** The text of a reply from a seed: JSON with here and there something that is none, or is not plain. */
export function replyOf(seed) {
  const draw = drawer(seed);
  const operation = draw.of(OPERATIONS);
  const text = () => (draw.chance(0.05) ? draw.of(ODD_JSON) : JSON.stringify(draw.chance(0.05) ? draw.of(ODD_TEXTS) : address(draw)));
  const number = () => {
    if (draw.chance(0.08)) return draw.of(ODD_JSON);
    const digits = draw.chance(0.5) ? String(draw.below(10 ** draw.below(16))) : String(decimal(draw));
    return draw.chance(0.2) ? `"${digits}"` : digits;
  };
  const flag = (usual) => (draw.chance(0.05) ? draw.of(ODD_JSON) : draw.chance(0.05) ? "null" : usual);
  const space = draw.chance(0.2) ? () => draw.of(["", " ", "\n", "\t", "\r\n  "]) : () => "";
  const objectOf = (fields) => {
    let list = fields.filter(() => !draw.chance(0.03));
    if (draw.chance(0.1)) list.push([draw.of(REPLY_NAMES), () => draw.of(ODD_JSON)]);
    if (draw.chance(0.05)) list.unshift([draw.of(REPLY_NAMES), () => draw.of(ODD_JSON)]);
    if (draw.chance(0.1)) list = list.reverse();
    const name = (each) => (draw.chance(0.01) ? `"\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}${each.slice(1)}"` : `"${each}"`);
    return `{${space()}${list.map(([each, value]) => `${name(each)}${space()}:${space()}${value()}${space()}`).join(`,${space()}`)}}`;
  };
  const isBundle = operation.startsWith("bundle");
  const transactionResult = () => objectOf([["success", () => flag(draw.chance(0.9) ? "true" : "false")], ["signature", text], ["results", () => (draw.chance(0.4) ? draw.of(ODD_JSON) : '"ok"')]]);
  const single = [["wallet", text], [/buy/i.test(operation) ? "buyAmount" : "sellAmount", number], ["preTokenBalance", number], ["postTokenBalance", number]];
  const result = () => objectOf([["mint", text], ...(isBundle ? [] : single), ["signature", text], ["transactionResult", transactionResult], ...(isBundle ? [] : [["tokenAccount", text], ["tokenAccountClosed", () => flag("false")]])]);
  const explorer = () => objectOf([["mint", text], ["tx", text], ...(isBundle ? [] : [["wallet", text], ["tokenAccount", text]])]);
  const names = draw.chance(0.1) ? { explorer: draw.of(["scan", "result", "exact", "launchpad", "x".repeat(30)]), launchpad: draw.of(["launchpad", "scan", "pad"]) } : { explorer: "explorer", launchpad: "launchpad" };
  let reply = space() + objectOf([["result", result], [draw.chance(0.97) ? names.explorer : "explorer", explorer], [names.launchpad, () => objectOf([["mint", text]])]]) + space();
  if (draw.chance(0.1)) {
    const at = draw.below(reply.length);
    reply = draw.of([() => reply.slice(0, at), () => reply.slice(0, at) + reply.slice(at + 1), () => reply.slice(0, at) + draw.of('{}[]",:x0 \\é') + reply.slice(at), () => reply + draw.of(["}", "x", ",", "{}"])])();
  }
  return { operation, reply, names };
}

/** A value as text, in which no two that differ are alike: in the order of names, in the sign of nought. */
export function show(value) {
  if (Array.isArray(value)) return `[${value.map(show).join()}]`;
  if (typeof value === "object" && value !== null) return `{${Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${show(field)}`).join()}}`;
  if (typeof value === "string") return JSON.stringify(value);
  return Object.is(value, -0) ? "-0" : `${typeof value} ${String(value)}`;
}
