// The worker: finds the caller's desk, reads the request, and hands it to that desk's object, or asks the node. It keeps nothing and
// decides nothing.
//
//   SETTINGS  who may trade what, and where the service is: README.md; without an upstream, trades go to a sandbox
//   API_KEY   the service's key, as a secret
//   RPC_URL   the URL of your node, as a secret, if pages and operators are to see prices

import { GatewayFront } from "launchpad-desk/gateway";
import { ask } from "./post.js";
import { read } from "./read.js";
export { Desk } from "./desk.js";

let front;

/** Made once: settings change only with a deployment, which starts new workers. */
function open({ SETTINGS, API_KEY, RPC_URL }) {
  const front = GatewayFront.of(JSON.stringify(SETTINGS), API_KEY, RPC_URL);
  for (const problem of front.problems) console.error(`SETTINGS: ${problem}`);
  return front;
}

/** Path and query, unchanged. The runtime's URL need not be one: a caller chooses the header `host`. */
const pathOf = (url) => url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");

const responseOf = ({ body, ...head }) => new Response(body, head);

/** Asks the node, if the core lets this request pass. */
async function readChain(asked) {
  const { call, reply } = front.chainCall(asked);
  return reply ?? front.chainAnswer(asked, await ask(call));
}

const isStream = ({ headers }) => headers.some(([name, value]) => name === "content-type" && value === "text/event-stream");
const withLast = (headers, last) => [...headers.filter(([name]) => name !== "last-event-id"), ["last-event-id", last]];

/** How often a stream of events asks the desk again, in milliseconds, and how many times: a runtime limits what one request may ask. */
const EVERY_MS = 1_000;
const MOST_TIMES = 900;

/** The events of a market: what the desk says first, and later whatever is new. */
function followed(text, ask) {
  const utf8 = new TextEncoder();
  let [said, times, last] = [text, 0, "0"];
  const next = () => {
    last = [...said.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? last;
    return utf8.encode(said);
  };
  return new ReadableStream({
    start: (stream) => stream.enqueue(next()),
    async pull(stream) {
      for (const before = said; said === before; ) {
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
        const { status, body } = ++times > MOST_TIMES ? {} : await ask(last);
        if (status !== 200) return stream.close();
        said = body;
      }
      stream.enqueue(next());
    },
  });
}

export default {
  async fetch(request, env) {
    front ??= open(env);
    const asked = { method: request.method, path: pathOf(request.url), headers: [...request.headers] };
    const { desk, chain, reply } = front.route(asked);
    // Always read to the end: closing a connection with a part unread may lose the answer.
    const body = await read(request, desk || chain ? front.maxBodyBytes : 0).catch(() => undefined);
    if (reply) return responseOf(reply);
    if (body === undefined) return responseOf(front.incomplete(asked));
    if (chain) return responseOf(await readChain({ ...asked, body }));
    const askDesk = (more) => env.DESKS.get(env.DESKS.idFromName(desk)).ask(desk, { ...asked, ...more, body });
    try {
      const answered = await askDesk();
      return isStream(answered) ? new Response(followed(answered.body, (last) => askDesk({ headers: withLast(asked.headers, last) })), answered) : responseOf(answered);
    } catch {
      return responseOf(front.interrupted(asked));
    }
  },
};
