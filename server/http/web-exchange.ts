import { type Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { isClientHeader } from "./describe-client.ts";

// These headers only concern one connection (RFC 9110 §7.6.1).
const hopByHop = new Set([
  "connection",
  // The listener has already handled this header.
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// Headers that are meant for every recipient (RFC 9110 §7.6.1), so naming them in `Connection` has
// no effect. Without its length, node sends a body unframed, and the web process takes it for the
// next request, whose response then goes to the wrong client.
const endToEnd = new Set(["content-length", "host"]);

/** A request for the web process. */
export type Exchange = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Aborted once no one waits for the response. */
  readonly signal: AbortSignal;
};

/**
 * Tries once.
 *
 * @param use gets the response, and aborts the signal once it is done with it
 * @returns null once the signal is aborted, or the reason why there is no response
 */
export function send(
  { method, url, headers, body, signal }: Exchange,
  to: { readonly agent: Agent; readonly socketPath: string },
  use: (response: IncomingMessage) => void,
): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const upstream = httpRequest({ ...to, method, path: url, headers });
    const end = () => {
      upstream.destroy();
      resolve(null);
    };
    signal.addEventListener("abort", end, { once: true });
    upstream.on("response", use);
    upstream.on("error", (error) => {
      signal.removeEventListener("abort", end);
      resolve(error);
    });
    upstream.end(body);
  });
}

/** Headers for the web process. The body is complete, so its length is known. */
export function describeRequest(
  { rawHeaders, headers }: IncomingMessage,
  client: Readonly<Record<string, string>>,
  body: Buffer,
): string[] {
  const isChunked = headers["transfer-encoding"] !== undefined;
  const framing = isChunked ? ["content-length", String(body.length)] : [];
  return [...keepHeaders(rawHeaders), ...framing, ...Object.entries(client).flat()];
}

/** Removes hop-by-hop headers, including those that `Connection` names. */
export function keepHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  const named = new Set<string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "connection") continue;
    for (const part of rawHeaders[index + 1]?.split(",") ?? []) {
      const name = part.trim().toLowerCase();
      if (!endToEnd.has(name)) named.add(name);
    }
  }
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const lowerName = name.toLowerCase();
    if (hopByHop.has(lowerName) || isClientHeader(lowerName) || named.has(lowerName)) continue;
    kept.push(name, rawHeaders[index + 1] ?? "");
  }
  return kept;
}
