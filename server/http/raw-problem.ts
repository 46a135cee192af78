import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorTable, toProblem } from "#lib/base/errors.ts";

/** The methods allowed on every path but the catch endpoint, where the hook decides. */
export const httpMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/**
 * Responds on a connection without a parsed request, where there is no response object, and closes
 * it.
 */
export function writeRawProblem(socket: Socket, code: ErrorCode, detail: string): void {
  const body = JSON.stringify(toProblem(code, detail));
  const head = [
    `HTTP/1.1 ${errorTable[code].status} ${errorTable[code].title}`,
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...(code === "method_not_allowed" ? [`allow: ${httpMethods}`] : []),
    "connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Server sockets stay half open: one whose peer never closes its side would stay forever.
  const timer = setTimeout(() => socket.destroy(), 500);
  socket.once("close", () => clearTimeout(timer));
}

/** Responds to requests that node's parser rejected. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || isResponding(socket)) {
    socket.destroy();
    return;
  }
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      writeRawProblem(
        socket,
        "headers_too_large",
        "The request line and headers are larger than 16 KiB.",
      );
      return;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      writeRawProblem(socket, "body_too_large", "The chunk extensions are larger than 16 KiB.");
      return;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      writeRawProblem(socket, "request_timeout", "The request did not arrive in time.");
      return;
    default:
      writeRawProblem(socket, "invalid_request", "This is not a well-formed HTTP/1.1 request.");
  }
}

/**
 * True if something was already written, or an earlier request on this connection still awaits its
 * response: anything written now would be taken for it. Node keeps the current response on the
 * socket.
 */
function isResponding(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket.bytesWritten > 0 || socket._httpMessage?.req.complete === true;
}
