// The hand-written face of the main module: what goes the fast way anyway starts on it, without a stop in the module
// that takes as long as the work.

import { TradeClient, readReply as readReplyPlainly, validate as validatePlainly } from "build:glue";
import { fastCall, fastTrade, rulesOf, textOf, verdict } from "build:fast";

/** What the fast way says of a request. */
function quickVerdict(operation, request, options) {
  const rules = rulesOf(options);
  return rules === undefined ? undefined : verdict(operation, request, rules);
}

export function validate(operation, request, options) {
  return quickVerdict(operation, request, options) ? { errors: [], warnings: [] } : validatePlainly(operation, request, options);
}

export const isValid = (operation, request, options) => quickVerdict(operation, request, options) ?? validatePlainly(operation, request, options).errors.length === 0;

/** What the fast way makes of a reply: a text, or bytes. */
function quickTrade(operation, status, body) {
  if (typeof status !== "number" || !(status >= 200 && status < 300)) return undefined;
  if (typeof body === "string") return fastTrade(operation, body);
  // Asked so, a proxy is just no view; of the views, these are bytes.
  return ArrayBuffer.isView(body) && body.BYTES_PER_ELEMENT === 1 ? fastTrade(operation, textOf(body), undefined, body) : undefined;
}

export function readReply(operation, status, body, options) {
  return (options === undefined && quickTrade(operation, status, body)) || readReplyPlainly(operation, status, body, options);
}

const { prototype } = TradeClient;
const { build, writing } = prototype;
// For this file alone.
delete prototype.writing;

/** Where a client keeps what it writes by: the rules, and its base URL. */
const BY = Symbol("writes by");

/** The same, kept for the next time where a client can be added to. */
function writesBy(client) {
  const by = writing.call(client);
  if (Object.isExtensible(client)) Object.defineProperty(client, BY, { value: by });
  return by;
}

prototype.build = function (operation, request) {
  // To ask a client that was freed for its pointer is an error.
  const { rules, baseURL } = (this.__wbg_ptr && this[BY]) || writesBy(this);
  return fastCall(operation, request, rules, baseURL) ?? build.call(this, operation, request);
};

export { TradeClient };
