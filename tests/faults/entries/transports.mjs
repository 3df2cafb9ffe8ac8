// The ways in which a process may send: client options for each.

export const transports = {
  /** A client's default: on Node the package's own over node:http, elsewhere the runtime's fetch. */
  default: () => ({}),

  /** The runtime's own fetch, or its replacement. */
  fetch: () => ({ options: { fetch: globalThis.fetch } }),

  /** The package's own over node:http. */
  "node:http": async () => {
    const { nodeFetch } = await import("launchpad-desk/node");
    return { options: { fetch: nodeFetch() } };
  },

  /** The same, but it keeps its connections. */
  "node:http, kept": async () => {
    const { nodeFetch } = await import("launchpad-desk/node");
    return { options: { fetch: nodeFetch({ connectionPerTrade: false }) } };
  },

  /** Deno, with a body that it can read, and so send, a second time. The client itself gives its fetch a blob. */
  "text body": () => ({ options: { fetch: (url, init) => fetch(url, init) } }),

  /** Deno, told to keep no connection. */
  "no pool": () => {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    return { options: { fetch: (url, init) => fetch(url, { ...init, client }) } };
  },
};
