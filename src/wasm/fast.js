// The fast ways. Of a request: its fields are packed flat into the module's memory, checked and written there by one
// call, and the body is read back once. Of a reply: one call finds where each field stands, and the trade is cut from the
// text that is there. What is not plainly good is for neither; the plain way then says why.
//
// Each field is read once, and what was read is what is checked and written: a getter cannot say one thing to the check
// and another to the service. Whether a value is good is not decided here.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const { keys, prototype } = Object;

/** Stands for what is neither text nor number; the module takes it for neither. */
const ODD = -Infinity;

/** The bit of the rules that says that the service counts slippage in bps. */
const BPS = 2;

/** Operation → its number, its path, the names of its amount and of its list of elements, if it has one. */
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

/** The longest names of the branded fields, together. */
const MAX_NAMES = 256;

const usualNames = { explorer: "explorer", launchpad: "launchpad" };

/** The rules of those who set none. */
export let usualRules;

let latest;

let module;
let texts;
let values;
let body;
let spans;
/** The body's first bytes, by how many. */
let starts;
/** The names of the branded fields that the module knows. */
let named;

// What is packed: the texts so far, and how many values; and whether it is being packed.
let text;
let count;
let busy = false;

/**
 * Told once, by the module.
 *
 * @param {WebAssembly.Memory} memory
 * @param {WebAssembly.Table} table the module's functions
 * @param {object} given which of them write a body, scan a reply and take names; where in memory texts, values, a body
 *   and spans have room; the operations; the usual rules
 */
export function connect(memory, table, { functions, places, operations: all, rules }) {
  usualRules = rules;
  const [write, scan, name] = functions.map((index) => table.get(index));
  module = { memory, places, write, scan, name };
  all.forEach((row, number) => operations.set(row.operation, { ...row, number }));
}

/** Looks at the memory. A view of it ends when it grows. */
function look() {
  const { memory, places } = module;
  texts = new Uint8Array(memory.buffer, places[0], places[1]);
  values = new Float64Array(memory.buffer, places[2], places[3]);
  body = new Uint8Array(memory.buffer, places[4], places[5]);
  spans = new Uint32Array(memory.buffer, places[6], places[7]);
  starts = [];
}

const put = (value) => {
  values[count++] = value;
};

/** Whether an object has fields of its own alone. Engines know this getter for what it is; `Object.getPrototypeOf` is a call. */
const isPlain = (object) => object.__proto__ === prototype;

const absent = (value) => (value === undefined || value === null ? NaN : ODD);

const number = (value) => (typeof value === "number" && value === value ? value : absent(value));

function identifier(value) {
  if (typeof value !== "string") return absent(value);
  text += value;
  return value.length;
}

function amount(value) {
  if (typeof value !== "string") return number(value);
  text += value;
  return -value.length;
}

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

/** Packs a bundle's elements; how many, or 0 where one is odd. */
function packElements(elements, amountName, rules) {
  if (!Array.isArray(elements) || 3 * elements.length + 8 > values.length) return 0;
  // Names of this function's own are quicker to write to.
  const room = values;
  let joined = "";
  let at = 0;
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    if (!isPlain(element)) return 0;
    let wallet, size, limit;
    for (const name in element) {
      if (name === "fromWallet") wallet = element.fromWallet;
      else if (name === amountName) size = element[amountName];
      else if (name === "slippage") limit = element.slippage;
      else return 0;
    }
    if (typeof wallet !== "string") return 0;
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
  return elements.length;
}

/** Packs a request; how many elements it has, 1 for a single trade, or 0 where it is odd. */
function pack(request, operation, rules) {
  if (!isPlain(request)) return 0;
  // What was put there is a field of every object to some, and of none to others.
  for (const _ in prototype) return 0;
  let elements, mint, wallet, size, payer, limit, unitLimit, unitPrice;
  for (const name in request) {
    switch (name) {
      case "mint":
        mint = request.mint;
        break;
      case "feePayer":
        payer = request.feePayer;
        break;
      case "slippage":
        limit = request.slippage;
        break;
      case "priorityUnitLimit":
        unitLimit = request.priorityUnitLimit;
        break;
      case "priorityUnitPrice":
        unitPrice = request.priorityUnitPrice;
        break;
      default:
        if (name === operation.list) elements = request[name];
        else if (operation.list) return 0;
        else if (name === "fromWallet") wallet = request.fromWallet;
        else if (name === operation.amount) size = request[name];
        else return 0;
    }
  }
  let packed = 1;
  if (operation.list) {
    packed = packElements(elements, operation.amount, rules);
    put(identifier(mint));
  } else {
    put(identifier(mint));
    put(identifier(wallet));
    put(amount(size));
  }
  put(identifier(payer));
  put(slippage(limit, rules));
  put(number(unitLimit));
  put(number(unitPrice));
  return packed;
}

/** The operation of a name; mostly it is the one that was asked for last. */
const operationOf = (name) => (latest?.operation === name ? latest : (latest = operations.get(name)));

/** Checks and writes the body of a request: its length, or 0 where it is not plainly good. */
function write(operation, request, rules) {
  const known = operationOf(operation);
  // A getter of a request may bring another one while the first is read.
  if (!known || busy) return 0;
  // The length of a view that has ended is 0.
  if (!body?.length) look();
  text = "";
  count = 0;
  busy = true;
  let elements;
  try {
    elements = pack(request, known, rules);
  } catch {
    return 0; // a getter or a proxy
  } finally {
    busy = false;
  }
  if (elements === 0 || text.length > texts.length) return 0;
  const { written } = encoder.encodeInto(text, texts);
  // Text that is not ASCII is longer in bytes.
  return written === text.length ? module.write(known.number, known.list ? elements : 0, written, count, rules) : 0;
}

/** Whether a request is good, with nothing to say about it. Where not, the plain way knows. */
export const isGood = (operation, request, rules) => write(operation, request, rules) > 0;

/**
 * The body of a request, as the plain way writes it; `undefined` where there is anything to say about the request.
 *
 * @param {string} operation
 * @param {unknown} request
 * @param {number} rules `bits` of fast.rs
 * @returns {string | undefined}
 */
export function fastBody(operation, request, rules) {
  const length = write(operation, request, rules);
  if (length === 0) return undefined;
  return decoder.decode(length < 1024 ? (starts[length] ??= body.subarray(0, length)) : body.subarray(0, length));
}

/** The same as a call that was built and not sent; `baseURL` is undefined for a sandbox of the client's own. */
export function fastCall(operation, request, rules, baseURL) {
  const body = fastBody(operation, request, rules);
  if (body === undefined) return undefined;
  const { path } = operations.get(operation);
  return { operation, method: "POST", url: baseURL ? baseURL + path : null, path, body, warnings: [] };
}

/** The path of an operation. */
export const pathOf = (operation) => operations.get(operation).path;

/** A field's text; the one before it is cut from the text it was found in. */
function cut(from, place) {
  const end = spans[2 * place + 1];
  return end === 0 ? null : from.substring(spans[2 * place], end);
}

function flag(place) {
  const end = spans[2 * place + 1];
  return end === 0 ? null : end === TRUE;
}

const numberOf = (digits) => (digits === null ? null : +digits);

/** `results` as JSON. */
function jsonOf(from) {
  if (spans[2 * RESULTS] === 0) return String(flag(RESULTS));
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
  const had = numberOf(preTokenBalance);
  const has = numberOf(postTokenBalance);
  const explorer = { mint: links.mint, wallet: cut(from, EXPLORER_WALLET), tx: links.tx };
  const tokenAccountLink = cut(from, EXPLORER_TOKEN_ACCOUNT);
  if (tokenAccountLink !== null) explorer.tokenAccount = tokenAccountLink;
  let result, exact;
  if (operation === "buy") {
    result = { mint, wallet, buyAmount: numberOf(amount), preTokenBalance: had, postTokenBalance: has, signature, transactionResult, tokenAccount };
    exact = { results, buyAmount: amount, preTokenBalance, postTokenBalance };
  } else {
    const tokenAccountClosed = flag(TOKEN_ACCOUNT_CLOSED);
    result = { mint, wallet, sellAmount: numberOf(amount), preTokenBalance: had, postTokenBalance: has, signature, transactionResult, tokenAccount, tokenAccountClosed };
    exact = { results, sellAmount: amount, preTokenBalance, postTokenBalance };
  }
  return { operation, status, result, explorer, launchpad, exact, warnings: [], raw: from };
}

/**
 * The trade of a reply that says plainly that it landed, or does not say; `undefined` where the plain way has to read it.
 *
 * @param {string} operation
 * @param {string | Uint8Array} reply the body of a reply with a status of success
 * @param {{ explorer: string, launchpad: string }} [names] of the branded fields; an object is read once, so another
 *   client hands in another one
 * @returns {object | undefined}
 */
export function fastTrade(operation, reply, names = usualNames) {
  const known = operations.get(operation);
  if (!known) return undefined;
  if (!body?.length) look();
  if (reply.length > body.length) return undefined;
  if (names !== named && !name(names)) return undefined;
  const length = reply.length;
  if (typeof reply !== "string") body.set(reply);
  else if (encoder.encodeInto(reply, body).written !== length) return undefined;
  if (module.scan(known.number, length) === 0 || flag(SUCCESS) === false) return undefined;
  return tradeOf(operation, known.list !== null, typeof reply === "string" ? reply : decoder.decode(reply));
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
