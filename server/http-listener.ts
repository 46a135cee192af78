import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isCatchPath } from "#lib/catch/catch-target.ts";
import { closeAfterAnswer } from "#lib/catch/close-after-answer.ts";
import { type ErrorCode, errorTable, toProblem } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { largestApiBody } from "#lib/schema/largest-api-body.ts";
import { ConnectionLimit } from "./connection-limit.ts";
import { answerClientError, httpMethods, writeRawProblem } from "./raw-answer.ts";
import { findRequestProblem } from "./request-shape.ts";

export type ListenerOptions = {
  readonly onCatch: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onOther: (request: IncomingMessage, response: ServerResponse) => void;
  /** Of a delivery: one that announces more is refused before its sender is told to go on. */
  readonly maxBodyBytes: number;
  /** Open at once, in all; one address may have half of it. Default: 10,000. */
  readonly maxConnections?: number;
  /** Peers that speak for many, such as a reverse proxy: only the limit in all applies. */
  readonly isTrustedPeer?: (address: string) => boolean;
};

/**
 * The server that owns the port. Node's parser lets through what a proxy in front may read in another way (HTTP/0.9,
 * two Host headers, `Transfer-Encoding: gzip, chunked`); here all of that ends with a 4xx and a closed connection.
 */
export function createListener(options: ListenerOptions): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    requireHostHeader: true,
    insecureHTTPParser: false,
    // 10 s with the interval in which it is looked at.
    headersTimeout: 9_500,
    connectionsCheckingInterval: 250,
    // The body's pace is watched by who reads it: a large one may take long.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    noDelay: true,
  });
  const handle = createHandler(options);
  const connections = new ConnectionLimit(options.maxConnections ?? 10_000, options.isTrustedPeer);
  server.on("connection", (socket: Socket) => connections.admit(socket));
  server.on("request", handle);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const limit = isCatchPath(request.url ?? "") ? options.maxBodyBytes : largestApiBody;
    if (announcedBytes(request) <= limit && findRequestProblem(request) === null) response.writeContinue();
    handle(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const detail = "The only expectation that is met is 100-continue.";
    answerAndClose(request, response, "expectation_failed", detail);
  });
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    writeRawProblem(socket, "method_not_allowed", "This is not a proxy.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    answerClientError(error, socket),
  );
  return server;
}

const knownMethods = new Set(httpMethods.split(", "));

function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

function createHandler({ onCatch, onOther }: ListenerOptions) {
  // Whose framing can't be trusted: what the parser finds behind such a request may be the inside of its body.
  const givenUp = new WeakSet<Socket>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (givenUp.has(request.socket)) return;
    const problem = findRequestProblem(request);
    if (problem !== null) {
      givenUp.add(request.socket);
      answerAndClose(request, response, problem.code, problem.detail);
      return;
    }
    if (isCatchPath(request.url ?? "")) {
      onCatch(request, response);
      return;
    }
    if (!knownMethods.has(request.method ?? "")) {
      response.setHeader("allow", httpMethods);
      answerAndClose(request, response, "method_not_allowed", "This method is not spoken here.");
      return;
    }
    if (announcedBytes(request) > largestApiBody) {
      answerAndClose(request, response, "body_too_large", `The body is larger than ${largestApiBody} bytes.`);
      return;
    }
    if (!hasReadablePath(request.url ?? "")) {
      answerAndClose(
        request,
        response,
        "invalid_request",
        "The path holds an escape that is not valid UTF-8.",
      );
      return;
    }
    handOver(onOther, request, response);
  };
}

/** Next answers 500 to a path that it can't decode, without a word of why. */
function hasReadablePath(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** A request that can't even be handed over is the sender's doing, and must not end the process. */
function handOver(
  onOther: ListenerOptions["onOther"],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  try {
    onOther(request, response);
  } catch (error) {
    log.warn("request.not_handed_over", { error: error instanceof Error ? error.name : "unknown" });
    if (response.headersSent) response.destroy();
    else answerAndClose(request, response, "invalid_request", "This request can't be handed on.");
  }
}

function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
): void {
  const body = JSON.stringify(toProblem(code, detail));
  response.writeHead(errorTable[code].status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  closeAfterAnswer(request, response, body);
}
