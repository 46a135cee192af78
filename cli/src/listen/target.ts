import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Frame } from "../../../clients/typescript/src/index.ts";
import { Exit } from "../frame/exit.ts";

/** The response of a target. */
export type TargetResponse = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** At most 64 KiB of it. */
  readonly body: Buffer;
  /** The size of all of it. */
  readonly bodyBytes: number;
  readonly ms: number;
};

const maxKeptBytes = 64 * 1024;
/** Webhooks of most providers time out before. */
const timeoutMs = 30_000;
/** They belong to one connection (RFC 9110 §7.6.1), or are written again for this one. */
const ofConnection = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "expect", "host", "content-length", "proxy-authorization"],
]);

/** Reads `--to`. Throws an `Exit`: a target outside of this machine has to be asked for. */
export function readTarget(text: string, allowsAny: boolean): URL {
  const withScheme = /^\d+$/.test(text) ? `http://localhost:${text}` : text;
  const target = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) {
    const example = "such as --to http://localhost:3000/webhooks";
    throw new Exit("usage", `${text} isn't a URL with http:// or https://, ${example}.`);
  }
  if (allowsAny || isLoopback(target.hostname)) return target;
  const way = "Add --any-target to send your webhooks there.";
  throw new Exit("usage", `${target.hostname} isn't this machine. ${way}`);
}

const loopbackAddress = /^(127(\.\d+){3}|\[::1\])$/;

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || loopbackAddress.test(host);
}

/** The target with what followed the catch URL: its path and query. */
export function addPath(target: URL, path: string): URL {
  const [extra = "", query = ""] = path.split(/\?(.*)/s);
  const url = new URL(target);
  if (extra !== "" && extra !== "/")
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${extra.replace(/^\//, "")}`;
  if (query !== "") url.search = url.search === "" ? query : `${url.search}&${query}`;
  return url;
}

/**
 * Sends a delivery as it arrived: its bytes, and its headers in their order, letter case, and number,
 * so that the provider's own package verifies it. Throws if there is no response.
 */
export async function callTarget(
  target: URL,
  frame: Pick<Frame, "method" | "path" | "headers" | "deliveryId">,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<TargetResponse> {
  const url = addPath(target, frame.path);
  const startedAt = performance.now();
  const options = {
    method: frame.method,
    headers: writeHeaders(url, frame, body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    agent: false as const,
  };
  return await new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, options, async (response) => {
      try {
        const kept: Buffer[] = [];
        let bytes = 0;
        for await (const chunk of response as AsyncIterable<Buffer>) {
          if (bytes < maxKeptBytes) kept.push(chunk.subarray(0, maxKeptBytes - bytes));
          bytes += chunk.length;
        }
        const { statusCode: status = 0, rawHeaders } = response;
        const ms = Math.round(performance.now() - startedAt);
        const body = Buffer.concat(kept);
        resolve({ status, headers: toPairs(rawHeaders), body, bodyBytes: bytes, ms });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Names and values in turn, which Node writes as they are. */
function writeHeaders(
  url: URL,
  { method, headers, deliveryId }: Pick<Frame, "method" | "headers" | "deliveryId">,
  body: Uint8Array,
): string[] {
  const sent = headers.filter(([name]) => !ofConnection.has(name.toLowerCase()));
  const hasBody = body.length > 0 || !/^(GET|HEAD|DELETE)$/.test(method);
  return [
    ...["Host", url.host],
    ...sent.flat(),
    ...["Catchment-Delivery-Id", deliveryId],
    ...(hasBody ? ["Content-Length", String(body.length)] : []),
    ...["Connection", "close"],
  ];
}

function toPairs(raw: readonly string[]): (readonly [string, string])[] {
  const names = raw.filter((_, index) => index % 2 === 0);
  return names.map((name, index) => [name, raw[index * 2 + 1] ?? ""] as const);
}
