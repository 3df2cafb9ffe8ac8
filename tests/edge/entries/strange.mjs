// The gateway behind a runtime that passes on whatever URL a request has: the one in its header `x-url`.

import gateway from "../../../edge/worker.js";
export { Desk } from "../../../edge/worker.js";

export default {
  fetch: ({ method, headers }, env) => gateway.fetch({ method, headers, body: null, url: headers.get("x-url") }, env),
};
