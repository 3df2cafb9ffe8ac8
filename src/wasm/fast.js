// The fast ways. Of a single trade: its texts go into the module's memory, one call judges its values, and its body is
// put together here. Of a bundle: its fields are packed flat into that memory, checked and written there by one call, and
// the body is read back once. Of a reply: one call finds where each field stands, and the trade is cut from the text that
// is there. What is not plainly good is for none of them; the plain way then says why.
//
// Each field is read once, and what was read is what is checked and written: a getter cannot say one thing to the check
// and another to the service. Whether a value is good is not decided here.

const encoder = new TextEncoder();
/** Keeps a byte order mark, for the plain way to read past: a reply is kept as it came. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const { keys, prototype } = Object;

/** A browser takes longer to start its encoder than to hand over so many characters one by one; Node, Bun and Deno do not. */
const FEW = 256;
const isAtHome = typeof process === "object";

/** Stands for what is neither text nor number; the module takes it for neither. */
const ODD = -Infinity;

// The bits of the rules: whether addresses are base58, and whether the service counts slippage in bps.
const BASE58 = 1;
const BPS = 2;

/** Operation → its number, its path, the names of its amount and of its list of elements, if it has one; its labels, if not. */
const operations = new Map();

/** The places of a reply's fields, as `Place` of api/spans.rs has them. */
const MINT = 0;
const WALLET = 1;
const AMOUNT = 2;
const PRE_TOKEN_BALANCE = 3;
const POST_TOKEN_BALANCE = 4;
const SIGNATURE = 5;
const SUCCESS = 6;
const TRANSACTION_SIGNATURE = 7;
const RESULTS = 8;
const TOKEN_ACCOUNT = 9;
const TOKEN_ACCOUNT_CLOSED = 10;
const EXPLORER_MINT = 11;
const EXPLORER_WALLET = 12;
const EXPLORER_TX = 13;
const EXPLORER_TOKEN_ACCOUNT = 14;
const LAUNCHPAD_MINT = 15;

/** The ends of a flag's span. */
const TRUE = 1;

/** What `judge` finds: a body that is good. */
const GOOD = 1;

/** The longest names of the branded fields, together. */
const MAX_NAMES = 256;

const usualNames = { explorer: "explorer", launchpad: "launchpad" };

/** The rules of those who set none. */
export let usualRules;

/** The operation that was asked for last. */
let latest;

let module;
let texts;
let values;
let body;
let spans;
/** The same memory, in which each span has a number of its own. */
let numbers;
/** The names of the branded fields that the module knows. */
let named;

// A single trade's body, or a bundle's texts so far; a bundle's values, and how many; and whether a request is being read.
// They lie here until all is read: a getter may have the memory grow, and other calls write to it.
let text;
let staged;
let count;
let busy = false;

/**
 * Told once, by the module.
 *
 * @param {WebAssembly.Memory} memory
 * @param {WebAssembly.Table} table the module's functions
 * @param {object} given which of them write a body, judge a single trade, scan a reply and take names; where in memory
 *   texts, values, a body and spans have room; the operations; the usual rules
 */
export function connect(memory, table, { functions, places, operations: all, rules }) {
  usualRules = rules;
  const [write, judge, scan, name] = functions.map((index) => table.get(index));
  module = { memory, places, write, judge, scan, name };
  all.forEach((row, number) => operations.set(row.operation, { ...row, number, labels: row.fields.map(labelOf) }));
}

/** A field's name as it stands in a body; with the quotes of the addresses, of which the first two are never missing. */
const labelOf = (name, index) => `${["{", '",', '",'][index] ?? ","}"${name}":${index < 2 ? '"' : ""}`;

/** Looks at the memory, unless the views of it are there. They end when it grows, and have the length 0 then. */
function look() {
  if (body?.length) return;
  const { memory, places } = module;
  texts = new Uint8Array(memory.buffer, places[0], places[1]);
  values = new Float64Array(memory.buffer, places[2], places[3]);
  body = new Uint8Array(memory.buffer, places[4], places[5]);
  spans = new Uint32Array(memory.buffer, places[6], 4 * places[7]);
  numbers = new Float64Array(memory.buffer, places[6], 2 * places[7]);
}

/** Whether an object has fields of its own alone. Engines know this getter for what it is; `Object.getPrototypeOf` is a call. */
const isPlain = (object) => object.__proto__ === prototype;

const absent = (value) => (value === undefined || value === null ? NaN : ODD);

const number = (value) => (typeof value === "number" && value === value ? value : absent(value));

/** A slippage in the service's unit, where that is exact. */
function slippage(value, rules) {
  if (typeof value !== "object" || value === null) return number(value);
  const names = keys(value);
  if (names.length !== 1 || !isPlain(value)) return ODD;
  const [name] = names;
  const given = value[name];
  const unit = rules & BPS ? "bps" : "percent";
  if (typeof given !== "number" || given !== given) return ODD;
  if (name === unit) return given;
  if (!Number.isInteger(given)) return ODD;
  return name === "bps" ? given / 100 : name === "percent" ? given * 100 : ODD;
}

/** Puts all texts into the module's memory; whether they fit, and are ASCII. */
function putTexts(joined) {
  look();
  const { length } = joined;
  if (length > texts.length) return false;
  // Text that is not ASCII is longer in bytes.
  if (length > FEW || isAtHome) return encoder.encodeInto(joined, texts).written === length;
  let all = 0;
  for (let index = 0; index < length; index++) all |= texts[index] = joined.charCodeAt(index);
  return all < 128;
}

/** Judges a single trade: 1 where it is good, whose body is put together then, 2 where it is bad, 0 where the plain way has to tell. */
function judge(operation, rules, mint, wallet, size, payer, limit, unitLimit, unitPrice) {
  if (typeof mint !== "string" || typeof wallet !== "string") return 0;
  let joined = mint + wallet;
  let amount = number(size);
  if (typeof size === "string") {
    joined += size;
    amount = -size.length;
    size = `"${size}"`;
  } else if (amount < 0) return 0;
  let length = absent(payer);
  if (typeof payer === "string") {
    joined += payer;
    length = payer.length;
    payer = `"${payer}"`;
  } else payer = null;
  if (!putTexts(joined)) return 0;
  const found = module.judge(operation.number, joined.length, rules, mint.length, wallet.length, amount, length, limit, unitLimit, unitPrice);
  if (found === GOOD) {
    const { labels } = operation;
    text = labels[0] + mint + labels[1] + wallet + labels[2] + size + labels[3] + payer + labels[4] + orNull(limit) + labels[5] + orNull(unitLimit) + labels[6] + orNull(unitPrice) + "}";
  }
  return found;
}

const orNull = (number) => (number === number ? number : null);

/** Packs a bundle's elements; whether they could be. */
function packElements(elements, amountName, rules) {
  // Names of this function's own are quicker to write to.
  const room = (staged ??= new Float64Array(module.places[3]));
  if (!Array.isArray(elements) || elements.length === 0 || 3 * elements.length + 8 > room.length) return false;
  let joined = "";
  let at = 0;
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    if (!isPlain(element)) return false;
    let wallet, size, limit;
    for (const name in element) {
      if (name === "fromWallet") wallet = element.fromWallet;
      else if (name === amountName) size = element[amountName];
      else if (name === "slippage") limit = element.slippage;
      else return false;
    }
    if (typeof wallet !== "string") return false;
    joined += wallet;
    room[at++] = wallet.length;
    if (typeof size === "string") {
      joined += size;
      room[at++] = -size.length;
    } else {
      room[at++] = number(size);
    }
    room[at++] = slippage(limit, rules);
  }
  text = joined;
  count = at;
  return true;
}

function put(value) {
  if (typeof value === "string") text += value;
  staged[count++] = typeof value === "string" ? value.length : number(value);
}

/** Packs a bundle and writes its body: its length, or 0 where the plain way has to tell. */
function write(operation, rules, elements, mint, payer, limit, unitLimit, unitPrice) {
  if (!packElements(elements, operation.amount, rules)) return 0;
  put(mint);
  put(payer);
  staged[count++] = limit;
  staged[count++] = unitLimit;
  staged[count++] = unitPrice;
  if (count > staged.length || !putTexts(text)) return 0;
  values.set(staged.subarray(0, count));
  return module.write(operation.number, (count - 5) / 3, text.length, count, rules);
}

/** Reads a request, each field once, and judges or writes it: 0 where the plain way has to tell. */
function checkOf(request, operation, rules) {
  if (!isPlain(request)) return 0;
  // What was put there is a field of every object to some, and of none to others.
  for (const _ in prototype) return 0;
  let limit = NaN;
  let unitLimit = NaN;
  let unitPrice = NaN;
  let elements, mint, wallet, size, payer;
  for (const name in request) {
    switch (name) {
      case "mint":
        mint = request.mint;
        break;
      case "feePayer":
        payer = request.feePayer;
        break;
      case "slippage":
        limit = slippage(request.slippage, rules);
        break;
      case "priorityUnitLimit":
        unitLimit = number(request.priorityUnitLimit);
        break;
      case "priorityUnitPrice":
        unitPrice = number(request.priorityUnitPrice);
        break;
      default:
        if (name === operation.list) elements = request[name];
        else if (operation.list) return 0;
        else if (name === "fromWallet") wallet = request.fromWallet;
        else if (name === operation.amount) size = request[name];
        else return 0;
    }
  }
  return operation.list
    ? write(operation, rules, elements, mint, payer, limit, unitLimit, unitPrice)
    : judge(operation, rules, mint, wallet, size, payer, limit, unitLimit, unitPrice);
}

/** The operation of a name; mostly it is the one that was asked for last. */
const operationOf = (name) => (latest?.operation === name ? latest : (latest = operations.get(name)));

/** Judges or writes a request, of whichever kind: 0 where the plain way has to tell. */
function check(request, operation, rules) {
  // A getter of a request may bring another one while the first is read.
  if (busy || !operation) return 0;
  busy = true;
  try {
    return checkOf(request, operation, rules);
  } catch {
    return 0; // a getter or a proxy
  } finally {
    busy = false;
  }
}

/** Whether a request is good, with nothing to say about it, or cannot be sent; `undefined` where the plain way has to tell. */
export function verdict(name, request, rules) {
  const operation = operationOf(name);
  const found = check(request, operation, rules);
  return found === 0 ? undefined : found === GOOD || operation.list !== null;
}

/**
 * The body of a request, as the plain way writes it; `undefined` where there is anything to say about the request.
 *
 * @param {string} name of the operation
 * @param {unknown} request
 * @param {number} rules `bits` of fast.rs
 * @returns {string | undefined}
 */
export function fastBody(name, request, rules) {
  const operation = operationOf(name);
  const found = check(request, operation, rules);
  if (operation?.list) return found === 0 ? undefined : decoder.decode(body.subarray(0, found));
  return found === GOOD ? text : undefined;
}

/** The same as a call that was built and not sent; `baseURL` is undefined for a sandbox of the client's own. */
export function fastCall(operation, request, rules, baseURL) {
  const body = fastBody(operation, request, rules);
  if (body === undefined) return undefined;
  const { path } = operations.get(operation);
  return { operation, method: "POST", url: baseURL ? baseURL + path : null, path, body, warnings: [] };
}

/** The rules of options that have nothing but the identifiers in them; `undefined` for others. */
export function rulesOf(options) {
  if (options === undefined) return usualRules;
  let identifiers;
  try {
    if (!isPlain(options)) return undefined;
    for (const name in options) {
      if (name !== "identifiers") return undefined;
      identifiers = options.identifiers;
    }
  } catch {
    return undefined; // none, a getter or a proxy
  }
  return identifiers === "base58" ? usualRules | BASE58 : identifiers === "any" ? usualRules & ~BASE58 : undefined;
}

/** The path of an operation. */
export const pathOf = (operation) => operations.get(operation).path;

/** The text of a reply's bytes. */
export const textOf = (bytes) => decoder.decode(bytes);

/** A field's text; the one before it is cut from the text it was found in. */
function cut(from, place) {
  const end = spans[4 * place + 1];
  return end === 0 ? null : from.substring(spans[4 * place], end);
}

function flag(place) {
  const end = spans[4 * place + 1];
  return end === 0 ? null : end === TRUE;
}

/** The number that an amount's digits name. */
function numberOf(place, digits) {
  if (digits === null) return null;
  const number = numbers[2 * place + 1];
  return number === number ? number : +digits;
}

/** `results` as JSON. */
function jsonOf(from) {
  if (spans[4 * RESULTS] === 0) return String(flag(RESULTS));
  return cut(from, RESULTS);
}

/** The value of a JSON text without nesting or escapes. */
function valueOf(json) {
  if (json.charCodeAt(0) === 34) return json.slice(1, -1);
  return json === "null" ? null : json === "true" ? true : json === "false" ? false : +json;
}

function tradeOf(operation, isBundle, from) {
  const results = jsonOf(from);
  const signature = cut(from, SIGNATURE);
  const mint = cut(from, MINT);
  const transactionResult = { success: flag(SUCCESS), signature: cut(from, TRANSACTION_SIGNATURE), results: valueOf(results) };
  const status = transactionResult.success ? "landed" : "unconfirmed";
  const links = { mint: cut(from, EXPLORER_MINT), tx: cut(from, EXPLORER_TX) };
  const launchpad = { mint: cut(from, LAUNCHPAD_MINT) };
  if (isBundle) {
    const result = { mint, signature, transactionResult };
    return { operation, status, result, explorer: links, launchpad, exact: { results }, warnings: [], raw: from };
  }
  const wallet = cut(from, WALLET);
  const amount = cut(from, AMOUNT);
  const preTokenBalance = cut(from, PRE_TOKEN_BALANCE);
  const postTokenBalance = cut(from, POST_TOKEN_BALANCE);
  const tokenAccount = cut(from, TOKEN_ACCOUNT);
  const size = numberOf(AMOUNT, amount);
  const had = numberOf(PRE_TOKEN_BALANCE, preTokenBalance);
  const has = numberOf(POST_TOKEN_BALANCE, postTokenBalance);
  const explorer = { mint: links.mint, wallet: cut(from, EXPLORER_WALLET), tx: links.tx };
  const tokenAccountLink = cut(from, EXPLORER_TOKEN_ACCOUNT);
  if (tokenAccountLink !== null) explorer.tokenAccount = tokenAccountLink;
  let result, exact;
  if (operation === "buy") {
    result = { mint, wallet, buyAmount: size, preTokenBalance: had, postTokenBalance: has, signature, transactionResult, tokenAccount };
    exact = { results, buyAmount: amount, preTokenBalance, postTokenBalance };
  } else {
    const tokenAccountClosed = flag(TOKEN_ACCOUNT_CLOSED);
    result = { mint, wallet, sellAmount: size, preTokenBalance: had, postTokenBalance: has, signature, transactionResult, tokenAccount, tokenAccountClosed };
    exact = { results, sellAmount: amount, preTokenBalance, postTokenBalance };
  }
  return { operation, status, result, explorer, launchpad, exact, warnings: [], raw: from };
}

/**
 * The trade of a reply that says plainly that it landed, or does not say; `undefined` where the plain way has to read it.
 *
 * @param {string} operation
 * @param {string} reply the body of a reply with a status of success
 * @param {{ explorer: string, launchpad: string }} [names] of the branded fields; an object is read once, so another
 *   client hands in another one
 * @param {Uint8Array} [bytes] the same, where they are at hand
 * @returns {object | undefined}
 */
export function fastTrade(operation, reply, names = usualNames, bytes) {
  const known = operationOf(operation);
  const { length } = reply;
  if (!known || length === 0) return undefined;
  look();
  if (names !== named && !name(names)) return undefined;
  // To take names may have had the memory grow.
  look();
  if (length > body.length) return undefined;
  // Text that is not ASCII is longer in bytes.
  if (bytes && bytes.length === length) body.set(bytes);
  else if (encoder.encodeInto(reply, body).written !== length) return undefined;
  if (module.scan(known.number, length) === 0 || flag(SUCCESS) === false) return undefined;
  return tradeOf(operation, known.list !== null, reply);
}

/** Tells the module other names; whether they have room. */
function name(names) {
  const { explorer, launchpad } = names;
  if (explorer.length + launchpad.length > MAX_NAMES) return false;
  const first = encoder.encodeInto(explorer, texts).written;
  module.name(first, encoder.encodeInto(launchpad, texts.subarray(first)).written);
  named = names;
  return true;
}
