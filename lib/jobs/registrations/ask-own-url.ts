import type { HttpClient } from "#lib/net/http-client.ts";

const timeoutMs = 10_000;

/**
 * Asks our own catch URL what a browser asks before it sends something, which is no delivery. Null: it responds, or
 * this machine may not call it, which says nothing about the provider's way to it. Otherwise why it doesn't, in a
 * sentence.
 */
export async function askOwnUrl(
  client: HttpClient,
  url: string,
  signal: AbortSignal,
): Promise<string | null> {
  const request = {
    method: "OPTIONS",
    url,
    headers: [
      ["Origin", "https://catchment.invalid"],
      ["Access-Control-Request-Method", "POST"],
    ] as const,
    body: null,
  };
  const result = await client.call(request, { timeoutMs, signal });
  if (!result.ok) {
    const { code, message } = result.error;
    return code === "blocked" || code === "self_call"
      ? null
      : `This hook's URL can't be reached from here: ${message}`;
  }
  const { status } = result.response;
  if (status >= 500 || status === 404 || status === 410)
    return `This hook's own URL responds with ${status}.`;
  return null;
}
