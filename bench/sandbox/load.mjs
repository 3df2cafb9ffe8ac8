// Calls a server on loopback over eight open connections, with a buy and a sell in turns on each. Given a number of requests, it
// returns how many were answered with 200. It ends with the process that forked it.

import { once } from "node:events";
import { connect } from "node:net";

const mint = "SimMoonRabbit111111111111111111111111111111";

function request(path, fields) {
  const body = JSON.stringify({
    mint,
    ...fields,
    feePayer: null,
    slippage: null,
    priorityUnitLimit: null,
    priorityUnitPrice: null,
  });
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

async function connection(number) {
  const socket = connect(Number(process.argv[2]), "127.0.0.1").setNoDelay().setEncoding("latin1");
  await once(socket, "connect");
  const fromWallet = `wallet-${number}`;
  const requests = [
    request("/v1/trade/buy", { fromWallet, amountInLamports: 10_000_000 }),
    request("/v1/trade/sell-by-percentage", { fromWallet, percentage: 100 }),
  ];
  let [text, sent, take] = ["", 0, (status) => status];
  socket.on("data", (piece) => {
    text += piece;
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const end = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)[1]);
    if (text.length < end) return;
    const status = text.slice(9, 12);
    text = text.slice(end);
    take(status);
  });
  return () =>
    new Promise((resolve) => {
      take = resolve;
      socket.write(requests[sent++ % 2]);
    });
}

const connections = await Promise.all(Array.from({ length: 8 }, (_, number) => connection(number)));
process.on("message", async (requests) => {
  let [left, landed] = [requests, 0];
  const keepAsking = async (ask) => {
    while (left-- > 0) {
      const status = await ask();
      if (status === "200") landed++;
    }
  };
  await Promise.all(connections.map(keepAsking));
  process.send(landed);
});
process.on("disconnect", () => process.exit());
process.send("ready");
