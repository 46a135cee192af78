import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "#lib/base/errors.ts";

type RequestProblem = { readonly code: ErrorCode; readonly detail: string };

const maxUrlLength = 8 * 1024;
const maxHeaderFields = 200;

/**
 * Rejects requests that no honest client sends and that two programs in a row could interpret
 * differently (RFC 9112 §3.2, §6.1). They end the connection. Applies to everything that arrives on
 * the port.
 */
export function findRequestProblem(request: IncomingMessage): RequestProblem | null {
  const url = request.url ?? "";
  if (request.httpVersionMajor !== 1) return invalid("Only HTTP/1.1 and HTTP/1.0 are supported.");
  if (url.length > maxUrlLength)
    return { code: "uri_too_long", detail: "The URL is longer than 8 KiB." };
  if (!url.startsWith("/"))
    return invalid("The request target must be a path: no absolute URL and no asterisk.");
  if (url.startsWith("//") || url.includes("\\")) return notFound;
  if (request.rawHeaders.length > maxHeaderFields * 2) {
    return { code: "headers_too_large", detail: "The request has more than 200 header fields." };
  }
  return findFramingProblem(request);
}

/** Reads the raw headers: this runs for every request, and parsing all of them would cost more. */
function findFramingProblem({
  rawHeaders,
  httpVersionMinor,
}: IncomingMessage): RequestProblem | null {
  let hosts = 0;
  let lengths = 0;
  let transferEncoding: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    // Compares the length first: only these three names need to be compared.
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
    if (name.length === 14 && name.toLowerCase() === "content-length") {
      lengths += 1;
      if (!/^\d{1,15}$/.test(value)) return invalid("Content-Length must be one whole number.");
    }
    if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      transferEncoding = transferEncoding === null ? value : `${transferEncoding}, ${value}`;
    }
  }
  if (hosts > 1) return invalid("The request has more than one Host header.");
  if (lengths > 1) return invalid("The request has more than one Content-Length.");
  if (transferEncoding === null) return null;
  if (httpVersionMinor === 0) return invalid("Transfer-Encoding does not exist in HTTP/1.0.");
  if (transferEncoding.toLowerCase() !== "chunked")
    return invalid("The only transfer encoding is chunked.");
  if (lengths > 0)
    return invalid("A request has a Content-Length or a Transfer-Encoding, not both.");
  return null;
}

const notFound: RequestProblem = { code: "not_found", detail: "There is nothing at this path." };

function invalid(detail: string): RequestProblem {
  return { code: "invalid_request", detail };
}
