// A buy and a sell in turns by the client, in a sandbox, or with a fetch that returns the sandbox's answers to them at once.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const [mint, fromWallet] = [
  "SimMoonRabbit111111111111111111111111111111",
  "SimTraderAda1111111111111111111111111111111",
];

function turns(client) {
  let calls = 0;
  const run = () =>
    calls++ % 2
      ? client.sellByPercentage({ mint, fromWallet, percentage: 100 })
      : client.buy({ mint, fromWallet, amountInLamports: 10_000_000 });
  return { run, answer: async () => [(await run()).result, (await run()).result] };
}

export const inSandbox = () => turns(new TradeClient({ fetch: new Sandbox().fetch }));

export async function stubbed() {
  const { fetch } = new Sandbox();
  const replies = [];
  const recorder = async (...request) => {
    const reply = await fetch(...request);
    const [status, headers, body] = [reply.status, [...reply.headers], await reply.arrayBuffer()];
    replies.push({ body, init: { status, headers } });
    return new Response(body, { status, headers });
  };
  await turns(new TradeClient({ baseURL: "https://service.example", fetch: recorder })).answer();
  let calls = 0;
  const stub = async () => {
    const { body, init } = replies[calls++ % 2];
    return new Response(body, init);
  };
  return turns(new TradeClient({ baseURL: "https://service.example", fetch: stub }));
}
