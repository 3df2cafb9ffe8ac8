// The worker: finds the caller's desk, reads the request, and hands it to that desk's object, or asks the node. It keeps nothing and
// decides nothing.
//
//   SETTINGS  who may trade what, and where the service is: README.md; without an upstream, trades go to a sandbox
//   API_KEY   the service's key, as a secret
//   RPC_URL   the URL of your node, as a secret, if pages and operators are to see prices

import { GatewayFront } from "launchpad-desk/gateway";
import { operatorsPage } from "./page.js";
import { ask } from "./post.js";
import { read } from "./read.js";
import { isSimulated } from "./upstream.js";
export { Desk } from "./desk.js";

let opening;

/** Made once: settings change only with a deployment, which starts new workers. */
async function open({ SETTINGS, API_KEY, RPC_URL }) {
  const front = GatewayFront.of(JSON.stringify(SETTINGS), API_KEY, RPC_URL);
  let { problems } = front;
  if (!problems.length && isSimulated(SETTINGS))
    problems = [(await import("./sandbox.js")).problemOf(SETTINGS)].filter(Boolean);
  for (const problem of problems) console.error(`SETTINGS: ${problem}`);
  // Without settings, it serves nothing.
  return problems.length ? GatewayFront.of(undefined) : front;
}

/** Path and query, unchanged. The runtime's URL need not be one: a caller chooses the header `host`. */
const pathOf = (url) => url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");

const responseOf = ({ body, ...head }) => new Response(body, head);

/** Asks the node, if the core lets this request pass. */
async function readChain(front, asked) {
  const { call, reply } = front.chainCall(asked);
  return reply ?? front.chainAnswer(asked, await ask(call));
}

/** Reads the market of the sandbox behind a desk. The body is passed on as it comes: a stream of events goes on. */
async function readMarket(front, object, asked) {
  const { status, headers, body } = await object.market(
    asked.path,
    asked.headers.filter(([name]) => name === "last-event-id"),
  );
  return { ...front.marketAnswer(asked, status, headers.get("content-type")), body };
}

export default {
  async fetch(request, env) {
    const front = await (opening ??= open(env));
    const asked = { method: request.method, path: pathOf(request.url), headers: [...request.headers] };
    const { desk, chain, market, page, reply } = front.route(asked);
    // Always read to the end: closing a connection with a part unread may lose the answer.
    const body = await read(request, desk || chain ? front.maxBodyBytes : 0).catch(() => undefined);
    if (reply) return responseOf(reply);
    if (page) return operatorsPage();
    if (body === undefined) return responseOf(front.incomplete(asked));
    if (chain) return responseOf(await readChain(front, { ...asked, body }));
    const object = env.DESKS.get(env.DESKS.idFromName(desk ?? market));
    try {
      return responseOf(await (market ? readMarket(front, object, asked) : object.ask(desk, { ...asked, body })));
    } catch {
      return responseOf(front.interrupted(asked));
    }
  },
};
