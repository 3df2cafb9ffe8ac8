// Whether Node goes through a proxy.

const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** The environment, if it names a proxy that Node was told to use (`NODE_USE_ENV_PROXY=1`), and can, as its own agent says. */
export function proxyEnv({ options }: { readonly options: object }): object | undefined {
  const { proxyEnv } = options as { proxyEnv?: Record<string, string | undefined> };
  return proxyEnv && PROXIES.some((name) => proxyEnv[name]) ? proxyEnv : undefined;
}
