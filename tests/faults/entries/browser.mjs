// The driver in a browser, one script for a page and for each kind of worker. A page runs a job itself, or has a worker
// run it; a worker gets it as a message with a port to answer on.

import { drive } from "./driver.mjs";

async function run(job) {
  const reports = [];
  await drive(job, (report) => reports.push(report), { options: { dangerouslyAllowBrowser: true } });
  return reports;
}

const answer = ({ data, ports: [port] }) => run(data).then((reports) => port.postMessage(reports));

const ask = (target, job) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    target.postMessage(job, [port2]);
  });

const SCRIPT = "driver.js";
const hosts = {
  page: run,
  "dedicated worker": (job) => ask(new Worker(SCRIPT), job),
  "shared worker": (job) => ask(new SharedWorker(SCRIPT).port, job),
  async "service worker"(job) {
    await navigator.serviceWorker.register(SCRIPT);
    return ask((await navigator.serviceWorker.ready).active, job);
  },
};

if (globalThis.document) globalThis.runOn = (host, job) => hosts[host](job);
else if (globalThis.SharedWorkerGlobalScope) globalThis.onconnect = ({ ports: [port] }) => (port.onmessage = answer);
else if (globalThis.ServiceWorkerGlobalScope) globalThis.onmessage = (event) => event.waitUntil(answer(event));
else globalThis.onmessage = answer;
