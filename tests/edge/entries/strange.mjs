// The gateway behind a runtime that passes on any URL: the one in the request's header `x-url`.

import gateway from "../../../edge/worker.js";
export { Desk } from "../../../edge/worker.js";

export default {
  fetch: ({ method, headers }, env) => gateway.fetch({ method, headers, body: null, url: headers.get("x-url") }, env),
};
