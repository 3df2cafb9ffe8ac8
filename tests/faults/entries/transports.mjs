// The ways in which a process may send: client options for each.

export const transports = {
  /** The runtime's own fetch. */
  own: () => ({}),

  /** The package's own over node:http. */
  "node:http": async () => {
    const { nodeFetch } = await import("launchpad-desk/node");
    return { options: { fetch: nodeFetch() } };
  },

  /** Deno, with a body that it can read, and so send, a second time. The client itself gives its fetch a blob. */
  "text body": () => ({ options: { fetch: (url, init) => fetch(url, init) } }),

  /** Deno, told to keep no connection. */
  "no pool": () => {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    return { options: { fetch: (url, init) => fetch(url, { ...init, client }) } };
  },
};
