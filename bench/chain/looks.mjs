// A look at a token and three wallets, and the HTTP request behind it with JSON.parse alone, by the CPU time of this process.

import { fork } from "node:child_process";

/** A node in its own process, what it has, and the clock. */
async function onLoopback() {
  const node = fork(new URL("node.mjs", import.meta.url));
  const { port, mint, wallets } = await new Promise((resolve) => node.once("message", resolve));
  node.unref();
  node.channel.unref();
  const clock = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  return { url: `http://127.0.0.1:${port}`, mint, wallets: wallets.slice(0, 3), clock };
}

export async function ours() {
  const { Market } = await import("launchpad-desk/market");
  const { url, mint, wallets, clock } = await onLoopback();
  const market = new Market({ rpc: url, commitment: "processed" });
  const run = () => market.look(mint, wallets);
  const answer = async () => (await run()).wallets.map(({ lamports }) => String(lamports));
  return { run, answer, clock };
}

export async function request() {
  const { Market } = await import("launchpad-desk/market");
  const { url, mint, wallets, clock } = await onLoopback();
  // The body of a look, from the look itself.
  const post = async (body) =>
    (
      await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body, redirect: "error" })
    ).text();
  let body;
  await new Market({ rpc: (asked) => post((body = asked)), commitment: "processed" }).look(mint, wallets);
  const run = async () => JSON.parse(await post(body));
  const answer = async () => {
    const { value } = (await run()).result;
    return [0, 1, 2].map((wallet) => String(value[4 + 4 * wallet].lamports));
  };
  return { run, answer, clock };
}
