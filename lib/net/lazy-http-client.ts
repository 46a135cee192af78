import type { HttpClient, HttpClientOptions } from "./http-client.ts";

/**
 * The guarded client for a process that rarely makes calls. It is loaded with the first call,
 * because undici alone takes about 30 MB. `call` and `close` are those of `createHttpClient`.
 */
export function createLazyHttpClient(
  options: HttpClientOptions,
): Pick<HttpClient, "call" | "close"> {
  let opening: Promise<HttpClient> | undefined;

  async function open(): Promise<HttpClient> {
    const { createHttpClient } = await import("./http-client.ts");
    return createHttpClient(options);
  }

  return {
    async call(...args) {
      opening ??= open();
      return await (await opening).call(...args);
    },
    async close() {
      await (await opening)?.close();
    },
  };
}
