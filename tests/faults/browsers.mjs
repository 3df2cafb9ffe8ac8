// The browsers of the matrix. A page, or a worker of it, trades with a server of another origin (which a browser asks before it
// sends a key), with a server of the page's own origin, or through the edge gateway.

import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { serveFolder } from "../../scripts/serve.mjs";
import { startWorkers } from "../../scripts/worker.mjs";
import { settingsOf, tokenOf } from "../edge/gateway.mjs";
import { KEPT, reply } from "./replies.mjs";
import { differs } from "./rows.mjs";
import { openServer } from "./server.mjs";

/** A runtime that has not ended by then never will: each call has its deadline, and a busy machine takes five minutes for the rows. */
export const LONGEST_RUN = 1_500_000;

/** Opens pages, and notes what they log. */
export class Pages {
  #turn = Promise.resolve();

  static async in(name, options) {
    const pages = new Pages();
    pages.log = "";
    pages.browser = await launchBrowser(name, options);
    return pages;
  }

  /**
   * One page is opened or closed at a time: Firefox waits for the previous page to be hidden, and fails with "no such
   * frame" if that is closed meanwhile.
   */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  closePage(page) {
    return this.#inTurn(() => page.close());
  }

  async open(url) {
    const page = await this.#inTurn(() => openPage(this.browser));
    page.on("console", (message) => (this.log += `${message.text()}\n`));
    page.on("pageerror", (error) => (this.log += `${error.message}\n`));
    await page.goto(url);
    return page;
  }

  /** Has the page's driver run a job on a host, one of entries/browser.mjs, and resolves to its reports. */
  async run(page, host, job) {
    await page.evaluate(
      (host, job) => {
        delete globalThis.outcome;
        globalThis.runOn(host, job).then(
          (reports) => (globalThis.outcome = JSON.stringify({ reports })),
          (error) => (globalThis.outcome = JSON.stringify({ failure: String(error) })),
        );
      },
      host,
      job,
    );
    await page
      .waitForFunction(() => globalThis.outcome, { timeout: LONGEST_RUN, polling: 50 })
      .catch((error) => {
        throw new Error(`${error.message}\n${this.log.slice(-4_000)}`);
      });
    const { reports, failure } = JSON.parse(await page.evaluate(() => globalThis.outcome));
    if (failure) throw new Error(`${failure}\n${this.log.slice(-4_000)}`);
    return reports;
  }

  close = () => this.browser.close();
}

const withServersElsewhere = (name, host, options) => ({
  name: `${name}, ${host}`,
  families: ["browser", name, host],
  async start({ site }) {
    const server = await serveFolder(site);
    const pages = await Pages.in(name, options);
    return {
      run: async (job) => ({ reports: await pages.run(await pages.open(server.url), host, job), log: pages.log }),
      async close() {
        await pages.close();
        await server.close();
      },
    };
  },
});

/** Over TLS, which a browser trusts here only if it trusts everything: a separate browser, for HTTP/2. */
const overHttp2 = (name) => ({
  ...withServersElsewhere(name, "page", { acceptInsecureCerts: true }),
  name: `${name}, HTTP/2`,
  families: ["http2", name],
  takes: (row) => row.http2,
});

/** Each row's server serves the page too, so each row takes a page: only rows for which the origin matters. */
const withItsOwnServer = (name) => ({
  name: `${name}, its own origin`,
  families: ["browser", name, "its own origin", `${name}, its own origin`],
  takes: (row) => row.ownOrigin,
  async start() {
    const pages = await Pages.in(name);
    return {
      async run({ rows, parallel }) {
        const reports = [];
        const waiting = [...rows];
        const work = async () => {
          for (let row; (row = waiting.shift());) {
            const page = await pages.open(`${row.url}/`);
            reports.push(...(await pages.run(page, "page", { rows: [row], parallel: 1 })));
            await pages.closePage(page);
          }
        };
        await Promise.all(Array.from({ length: parallel }, work));
        return { reports, log: pages.log };
      },
      close: pages.close,
    };
  },
});

/** Passes a request on to where a gateway serves, and resolves to the bytes of its answer, after which the connection stays open. */
async function passOn({ method, target, headers: { host, connection, ...headers }, body }, gateway) {
  const response = await fetch(new URL(target, gateway), { method, headers, body });
  const own = Object.fromEntries(
    [...response.headers].filter(([name]) => !["content-length", "transfer-encoding", "connection"].includes(name)),
  );
  return reply(response.status, Buffer.from(await response.arrayBuffer()), { ...own, ...KEPT });
}

/** Each row's server is the upstream of a gateway of its own, which has the key; the page has a token. A row may break the connection between the two. */
const throughTheEdge = (name) => ({
  name: `${name}, through the edge gateway`,
  families: ["through the edge gateway", name],
  takes: (row) => row.only?.includes("through the edge gateway"),
  async start({ site }) {
    const server = await serveFolder(site);
    const pages = await Pages.in(name);
    const wires = [];
    let gateways;
    return {
      async run({ rows, parallel }) {
        const origins = [new URL(server.url).origin];
        gateways = await startWorkers(
          rows.map(({ url, key }) => ({ SETTINGS: settingsOf({ upstream: url, origins }), API_KEY: key })),
        );
        const routed = [];
        for (const [at, { wire, ...row }] of rows.entries()) {
          const gateway = gateways.urls[at];
          wires[at] =
            wire &&
            (await openServer({
              preflightConnection: "keep-alive",
              script: (exchange) => wire(exchange, () => passOn(exchange.request, gateway)),
            }));
          routed.push({
            ...row,
            key: tokenOf("ada"),
            options: { ...row.options, authorization: "bearer" },
            url: wires[at]?.url ?? gateway,
          });
        }
        const reports = await pages.run(await pages.open(server.url), "page", { rows: routed, parallel });
        for (const [at, wire] of wires.entries()) {
          if (wire?.mishaps.length) throw new Error(`the wire of ${rows[at].name}: ${wire.mishaps}`);
          if (wire && wire.posts.at(-1) < 2) throw new Error(`${rows[at].name}: nobody sent again`);
        }
        return { reports, log: pages.log + gateways.log() };
      },
      async close() {
        await pages.close();
        await gateways?.close();
        for (const wire of wires) await wire?.close();
        await server.close();
      },
    };
  },
});

/** A browser has one fetch for all of them. A page and a service worker, furthest apart, take all rows. */
const HOSTS = { page: undefined, "dedicated worker": differs, "shared worker": differs, "service worker": undefined };

export const BROWSERS = ["chromium", "firefox"].flatMap((name) => [
  ...Object.entries(HOSTS).map(([host, takes]) => ({ ...withServersElsewhere(name, host), takes })),
  withItsOwnServer(name),
  throughTheEdge(name),
  overHttp2(name),
]);
