import type { HttpClient } from "./http-client.ts";

/**
 * Calls a URL that a sender waits for, once. The caller has checked whose URL it is. Never rejects.
 *
 * @returns whether it was answered with success
 */
export async function confirmUrl(
  client: Pick<HttpClient, "call">,
  url: string,
  timeoutMs: number,
): Promise<boolean> {
  const request = { method: "GET", url, headers: [], body: null };
  const result = await client.call(request, { timeoutMs, maxResponseBytes: 16 * 1024 });
  return result.ok && result.response.status >= 200 && result.response.status < 300;
}
