import type { HttpClient } from "../http-client.ts";

const timeoutMs = 5_000;
/** The draft's own limit is 5 KiB. */
const maxResponseBytes = 16 * 1024;

type Document =
  | { readonly ok: true; readonly value: unknown }
  /** What went wrong, as the rest of a sentence about it. */
  | { readonly ok: false; readonly what: string };

/**
 * Gets the document that a client has at its id (OAuth Client ID Metadata Document). Redirects aren't followed: what
 * is elsewhere isn't the client's. Never throws.
 */
export async function getClientDocument(
  client: Pick<HttpClient, "call">,
  url: string,
): Promise<Document> {
  const headers: [string, string][] = [["accept", "application/json"]];
  const request = { method: "GET", url, headers, body: null };
  const result = await client.call(request, { timeoutMs, maxResponseBytes });
  if (!result.ok) return { ok: false, what: "can't be reached" };
  const { status, body } = result.response;
  if (status !== 200) return { ok: false, what: `responds with ${status}` };
  try {
    return { ok: true, value: JSON.parse(Buffer.from(body).toString("utf8")) };
  } catch {
    return { ok: false, what: "isn't JSON" };
  }
}
