import type { Terminal } from "../frame/command.ts";

export type Fetch = (request: Request) => Promise<Response>;

/** Fetches through the proxy that `HTTP_PROXY`, `HTTPS_PROXY`, and `NO_PROXY` name, or directly. */
export function makeFetch(env: Terminal["env"]): Fetch {
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy } = env;
  if (!(HTTP_PROXY || http_proxy || HTTPS_PROXY || https_proxy)) return (request) => fetch(request);
  // Loaded only here: it is most of the program, and needs a newer Node than the rest.
  const loading = import("undici").then(({ EnvHttpProxyAgent, fetch }) => ({
    // Streams last for hours.
    dispatcher: new EnvHttpProxyAgent({ bodyTimeout: 0 }),
    fetch,
  }));
  return async (request) => {
    const { dispatcher, fetch } = await loading;
    const { url, method, headers, signal } = request;
    const body = method === "GET" ? null : new Uint8Array(await request.arrayBuffer());
    // It is another version of Node's own, with requests and responses of its own.
    const options = { method, headers: Object.fromEntries(headers), body, signal, dispatcher };
    const response = await fetch(url, { ...options, redirect: "error" });
    return response as unknown as Response;
  };
}
