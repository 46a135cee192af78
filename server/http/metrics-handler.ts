import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type ErrorCode, errorTable, toProblem } from "#lib/base/errors.ts";
import type { MetricsFormat } from "#lib/metrics/write-metrics.ts";
import { isForeignPage } from "./known-host.ts";

type MetricsSource = {
  /** Undefined: no token is needed, because the port is only for this. Null: there is no page. */
  readonly token: string | null | undefined;
  /** Null: they can't be read now. */
  readonly read: (format: MetricsFormat) => Promise<string | null>;
};

const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  text: "text/plain; version=0.0.4; charset=utf-8",
};

/** Responds to `GET /metrics`. `otherwise` handles everything else. */
export function createMetricsHandler(
  source: MetricsSource,
  otherwise: RequestListener,
): RequestListener {
  return (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    if (path === "/metrics") void respond(source, request, response);
    else otherwise(request, response);
  };
}

async function respond(
  { token, read }: MetricsSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  if (token === null) return reject(response, "not_found", "There is nothing at this path.");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return reject(response, "method_not_allowed", "Read metrics with GET.");
  }
  if (token !== undefined && !isBearer(request.headers.authorization, token)) {
    response.setHeader("www-authenticate", "Bearer");
    const detail = "Send CATCHMENT_METRICS_TOKEN: Authorization: Bearer <token>.";
    return reject(response, "unauthenticated", detail);
  }
  if (token === undefined && isForeignPage(request))
    return reject(response, "misdirected_request", foreignPage);
  const wanted = request.headers.accept?.includes("application/openmetrics-text");
  const format = wanted === true ? "openmetrics" : "text";
  const text = await read(format).catch(() => null);
  if (text === null) return reject(response, "unavailable", "The metrics can't be read now.");
  response.writeHead(200, {
    "content-type": contentTypes[format],
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

const foreignPage =
  "A browser reads metrics on this port only by the machine's address, by localhost, or by a name without " +
  "a dot. Programs can use any name if they send no Accept-Language.";

function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  // Hashes have equal lengths, so the comparison takes the same time for every given token.
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function reject(response: ServerResponse, code: ErrorCode, detail: string): void {
  const body = JSON.stringify(toProblem(code, detail));
  response.writeHead(errorTable[code].status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(body);
}
