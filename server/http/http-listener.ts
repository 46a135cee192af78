import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorTable, toError, toProblem } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { isCatchPath } from "#lib/catch/catch-target.ts";
import { closeAfterResponse, cutOffAfterResponse } from "#lib/ingress/close-after-response.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import { ConnectionLimit } from "./connection-limit.ts";
import { httpMethods, respondToClientError, writeRawProblem } from "./raw-problem.ts";
import { findRequestProblem } from "./request-shape.ts";

export type ListenerOptions = {
  readonly onCatch: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onOther: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called before `onOther`. False: the request is for `onOther`. */
  readonly onPublish?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /**
   * The limit for a delivery. A larger declared body is rejected before the client is told to
   * continue.
   */
  readonly maxBodyBytes: number;
  /**
   * The maximum number of open connections in total. One address may have half. Default: 10,000.
   */
  readonly maxConnections?: number;
  /** Peers that represent many clients, such as a reverse proxy: only the total limit applies. */
  readonly isTrustedPeer?: (address: string) => boolean;
  /** Checks the host of everything but deliveries: other hosts get 421. Default: all are known. */
  readonly isKnownHost?: (request: IncomingMessage) => boolean;
  /** Checks that a change comes from our own pages: others get 403. Default: all do. */
  readonly isFromOwnPage?: (request: IncomingMessage) => boolean;
  /** True if browsers reach us by https. Then they are told to use nothing else. */
  readonly isHttps?: boolean;
};

/**
 * The server that owns the port. Node's parser accepts requests that a proxy in front may interpret
 * differently (HTTP/0.9, two Host headers, `Transfer-Encoding: gzip, chunked`). Here all of these
 * end with a 4xx and a closed connection.
 */
export function createListener(options: ListenerOptions): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    requireHostHeader: true,
    insecureHTTPParser: false,
    // The parser rejects headers after 10 s plus the interval of its check.
    headersTimeout: 9_500,
    connectionsCheckingInterval: 250,
    // The reader of the body checks its speed, because a large one may take long.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    noDelay: true,
  });
  const handle = createHandler(options);
  const connections = new ConnectionLimit(options.maxConnections ?? 10_000, options.isTrustedPeer);
  server.on("connection", (socket: Socket) => connections.admit(socket));
  server.on("request", handle);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const limit = isCatchPath(request.url ?? "") ? options.maxBodyBytes : maxApiBodyBytes;
    if (announcedBytes(request) <= limit && findRequestProblem(request) === null)
      response.writeContinue();
    handle(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const detail = "The only supported expectation is 100-continue.";
    respondAndClose(request, response, "expectation_failed", detail);
  });
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    writeRawProblem(socket, "method_not_allowed", "This is not a proxy.");
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
    respondToClientError(error, socket),
  );
  return server;
}

const knownMethods = new Set(httpMethods.split(", "));

function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

// The header is valid for a year. It doesn't cover subdomains, which may belong to other programs.
const transportSecurity = "max-age=31536000";

function createHandler({
  onCatch,
  onOther,
  onPublish = () => false,
  isKnownHost = () => true,
  isFromOwnPage = () => true,
  isHttps = false,
}: ListenerOptions) {
  // Sockets of requests whose framing can't be trusted: bytes that the parser finds after such a
  // request may be part of its body.
  const givenUp = new WeakSet<Socket>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (givenUp.has(request.socket)) return;
    cutOffAfterResponse(request, response);
    const problem = findRequestProblem(request);
    if (problem !== null) {
      givenUp.add(request.socket);
      respondAndClose(request, response, problem.code, problem.detail);
      return;
    }
    if (isCatchPath(request.url ?? "")) {
      onCatch(request, response);
      return;
    }
    if (isHttps) response.setHeader("strict-transport-security", transportSecurity);
    if (!isKnownHost(request)) {
      respondAndClose(request, response, "misdirected_request", unknownHost);
      return;
    }
    if (!knownMethods.has(request.method ?? "")) {
      response.setHeader("allow", httpMethods);
      respondAndClose(request, response, "method_not_allowed", "This method is not supported.");
      return;
    }
    if (announcedBytes(request) > maxApiBodyBytes) {
      respondAndClose(
        request,
        response,
        "body_too_large",
        `The body is larger than ${maxApiBodyBytes} bytes.`,
      );
      return;
    }
    if (imageOptimizer.test(request.url ?? "")) {
      respondAndClose(request, response, "not_found", "There is nothing at this path.");
      return;
    }
    if (!hasReadablePath(request.url ?? "")) {
      respondAndClose(
        request,
        response,
        "invalid_request",
        "The path contains an escape that is not valid UTF-8.",
      );
      return;
    }
    if (!isFromOwnPage(request)) {
      respondAndClose(request, response, "forbidden", foreignPage);
      return;
    }
    if (!onPublish(request, response)) handOver(onOther, request, response);
  };
}

/**
 * The path of Next's image optimizer, which isn't used: anyone could make it fetch, resize, and
 * store.
 */
const imageOptimizer = /^\/_next\/image\/?(\?|$)/;

const unknownHost =
  "This server doesn't serve this Host. Use the address in " +
  "CATCHMENT_PUBLIC_URL. A reverse proxy has to pass Host through.";

const foreignPage =
  "Only this server's own pages can make changes here. Send API calls to /api/v1, and deliveries to " +
  "the catch URL of a hook.";

/** Next responds with an unexplained 500 to a path that it can't decode. */
function hasReadablePath(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** A request that can't be forwarded is the client's fault and must not end the process. */
function handOver(
  onOther: ListenerOptions["onOther"],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  try {
    onOther(request, response);
  } catch (error) {
    logCounted("warn", "request.not_handed_over", { error: toError(error).name });
    if (response.headersSent) response.destroy();
    else respondAndClose(request, response, "invalid_request", "This request can't be forwarded.");
  }
}

function respondAndClose(
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
  closeAfterResponse(request, response, body);
}
