import type { HttpClient } from "../http-client.ts";

/**
 * Calls a confirmation URL of a provider once. The caller has checked who owns the URL. Never
 * rejects.
 *
 * @returns whether the response was successful
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
