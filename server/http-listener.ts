import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isCatchPath } from "#lib/catch/catch-target.ts";
import { type ErrorCode, errorTable, toProblem } from "#lib/errors.ts";
import { findRequestProblem } from "./request-shape.ts";

export type ListenerOptions = {
  readonly onCatch: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onOther: (request: IncomingMessage, response: ServerResponse) => void;
  /** A body that announces more is refused before the sender is told to go on. */
  readonly maxBodyBytes: number;
};

/**
 * The server that owns the port. Node's parser lets through what a proxy in front may read in another way (HTTP/0.9,
 * two Host headers, `Transfer-Encoding: gzip, chunked`); here all of that ends with a 4xx and a closed connection.
 */
export function createListener({ onCatch, onOther, maxBodyBytes }: ListenerOptions): Server {
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const problem = findRequestProblem(request);
    if (problem !== null) {
      answerAndClose(response, problem.code, problem.detail);
      return;
    }
    if (isCatchPath(request.url ?? "")) onCatch(request, response);
    else onOther(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      // Above this, node drops headers silently; the shape check refuses far fewer.
      requireHostHeader: true,
      insecureHTTPParser: false,
      headersTimeout: 10_000,
      // The body's pace is watched by the body reader: a large one may take long.
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      noDelay: true,
    },
    handle,
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const isTooLarge = Number(request.headers["content-length"] ?? 0) > maxBodyBytes;
    if (!isTooLarge && findRequestProblem(request) === null) response.writeContinue();
    handle(request, response);
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    answerAndClose(response, "expectation_failed", "The only expectation that is met is 100-continue.");
  });
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    writeRawProblem(socket, "method_not_allowed", "This is not a proxy.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket),
  );
  return server;
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      writeRawProblem(socket, "headers_too_large", "The request line and headers are larger than 16 KiB.");
      return;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      writeRawProblem(socket, "body_too_large", "The chunk extensions are larger than 16 KiB.");
      return;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      writeRawProblem(socket, "request_timeout", "The headers did not arrive within 10 seconds.");
      return;
    default:
      writeRawProblem(socket, "invalid_request", "This is not a well-formed HTTP/1.1 request.");
  }
}

function answerAndClose(response: ServerResponse, code: ErrorCode, detail: string): void {
  const body = JSON.stringify(toProblem(code, detail));
  response.writeHead(errorTable[code].status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(body, () => response.socket?.destroySoon());
}

/** For a connection on which no request was understood, so that there is no response object. */
function writeRawProblem(socket: Socket, code: ErrorCode, detail: string): void {
  const body = JSON.stringify(toProblem(code, detail));
  const head = [
    `HTTP/1.1 ${errorTable[code].status} ${errorTable[code].title}`,
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
