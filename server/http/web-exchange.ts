import {
  type Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
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

export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Frees the slot. */
  readonly release: () => void;
};

/**
 * Tries once. @returns null once the response has ended or its client has left, or the reason why
 * it failed
 */
export function send(
  { request, response, headers, body, release }: Exchange,
  to: { readonly agent: Agent; readonly socketPath: string },
): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const { method = "GET", url = "/" } = request;
    const upstream = httpRequest({ ...to, method, path: url, headers });
    const end = () => {
      upstream.destroy();
      resolve(null);
    };
    response.once("close", end);
    upstream.on("response", (upstreamResponse) => {
      if (upstreamResponse.headers["x-accel-buffering"] === "no") release();
      response.writeHead(
        upstreamResponse.statusCode ?? 502,
        keepHeaders(upstreamResponse.rawHeaders),
      );
      upstreamResponse.pipe(response);
      upstreamResponse.on("error", () => response.destroy());
    });
    upstream.on("error", (error) => {
      response.off("close", end);
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
function keepHeaders(rawHeaders: readonly string[]): string[] {
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
