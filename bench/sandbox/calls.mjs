// A buy and a sell in turns by the client, in a sandbox, or with a fetch that returns the sandbox's answers to them at once.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { repeated } from "../client/reply.mjs";

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
    const [init, text] = [{ status: reply.status, headers: [...reply.headers] }, await reply.text()];
    replies.push({ init, again: repeated(text, JSON.parse(text).result.signature) });
    return new Response(text, init);
  };
  await turns(new TradeClient({ baseURL: "https://service.example", fetch: recorder })).answer();
  let calls = 0;
  const stub = async () => {
    const { init, again } = replies[calls++ % 2];
    return new Response(again(), init);
  };
  return turns(new TradeClient({ baseURL: "https://service.example", fetch: stub }));
}
