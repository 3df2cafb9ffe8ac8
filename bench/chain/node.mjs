// A node in its own process: the chain around a sandbox. Each body is answered once, and then the same again, so that only the reader's
// work is measured. It ends with the process that forked it.

import { createServer } from "node:http";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const chain = new LocalChain(sandbox);
const answers = new Map();

async function answerOf(body) {
  const reply = await chain.fetch("https://sandbox.example/rpc", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return Buffer.from(await reply.arrayBuffer());
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const answer = answers.get(body) ?? (await answerOf(body));
  answers.set(body, answer);
  response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () =>
  process.send({
    port: server.address().port,
    mint: sandbox.tokens[0].mint,
    wallets: sandbox.wallets.map(({ wallet }) => wallet),
  }),
);
process.on("disconnect", () => process.exit());
