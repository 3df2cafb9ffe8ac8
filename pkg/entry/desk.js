// The hand-written face of the main module: what goes the fast way anyway starts on it, without a stop in the module
// that takes as long as the work.

import { TradeClient, readReply as readReplyPlainly, validate as validatePlainly } from "build:glue";
import { fastCall, fastTrade, isGood, usualRules } from "build:fast";

export function validate(operation, request, options) {
  if (options === undefined && isGood(operation, request, usualRules)) return { errors: [], warnings: [] };
  return validatePlainly(operation, request, options);
}

export function readReply(operation, status, body, options) {
  const isPlain = options === undefined && typeof body === "string" && typeof status === "number" && status >= 200 && status < 300;
  return (isPlain && fastTrade(operation, body)) || readReplyPlainly(operation, status, body, options);
}

const { prototype } = TradeClient;
const { build, writing } = prototype;
// For this file alone.
delete prototype.writing;

/** Where a client keeps the rules it writes by and its base URL. */
const BY = Symbol("writes by");

prototype.build = function (operation, request) {
  // To ask a client that was freed for its pointer is an error.
  if (this.__wbg_ptr && !this[BY]) Object.defineProperty(this, BY, { value: writing.call(this) });
  const { rules, baseURL } = this[BY];
  return fastCall(operation, request, rules, baseURL) ?? build.call(this, operation, request);
};

export { TradeClient };
