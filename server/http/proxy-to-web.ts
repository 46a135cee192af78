import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type ErrorCode, errorTable, toProblem } from "#lib/errors.ts";
import { type ClientOptions, describeClient, isClientHeader } from "./describe-client.ts";

export type WebProxyOptions = ClientOptions & {
  /** Unix socket of the web process. */
  readonly socketPath: string;
  /** Starts the web process if it is asleep. */
  readonly wake?: () => void;
  /**
   * How long a request waits for it: usually about a second, a few on a busy machine. Default
   * 20,000.
   */
  readonly maxWakeMs?: number;
  /**
   * After this time a body has to arrive at `minBytesPerSecond` or faster. Milliseconds, default
   * 10,000.
   */
  readonly stallMs?: number;
  /** Requests in flight at a time, including live streams. Default 256. */
  readonly maxInFlight?: number;
  /** How long another request waits for its turn. Milliseconds, default 10,000. */
  readonly maxQueueMs?: number;
};

// RFC 9110 §7.6.1: these only concern one connection.
const hopByHop = new Set([
  "connection",
  // Already handled.
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

// RFC 9110 §7.6.1: meant for every recipient, so naming them in `Connection` has no effect. Without
// its length, node sends a body unframed, and the web process takes it for the next request, whose
// response then goes to the wrong client.
const endToEnd = new Set(["content-length", "host"]);

/**
 * Forwards everything but deliveries to the web process. They are separate processes because a busy
 * page would otherwise delay deliveries: measured 26 ms p99 in one process against 9 ms in two.
 */
export function createWebProxy(options: WebProxyOptions) {
  const { socketPath, wake, maxWakeMs = 20_000, stallMs = 10_000, ...others } = options;
  const { maxInFlight = 256, maxQueueMs = 10_000, ...client } = others;
  const agent = new Agent({ keepAlive: true, maxSockets: maxInFlight, maxFreeSockets: 16 });

  function forward(request: IncomingMessage, response: ServerResponse, arrivedAt: number): void {
    const forwarded = Object.entries(describeClient(request, client)).flat();
    // Without it, node sends the chunks of a GET unframed, and the web process takes them for the
    // next request.
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    const framing = isChunked ? ["transfer-encoding", "chunked"] : [];
    const upstream = httpRequest({
      socketPath,
      agent,
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: [...keepHeaders(request.rawHeaders), ...framing, ...forwarded],
    });
    upstream.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, keepHeaders(answer.rawHeaders));
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    const abandon = () => {
      clearTimeout(queue);
      upstream.destroy();
    };
    const queue = setTimeout(() => {
      // It only learns of the abort when its turn comes, so the response can't wait for that.
      upstream.destroy();
      respondUnavailable(request, response, busy);
    }, maxQueueMs).unref();
    response.on("close", abandon);
    request.on("error", abandon);
    upstream.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(queue);
      const isAsleep = error.syscall === "connect" && wake !== undefined && !response.destroyed;
      if (!isAsleep || performance.now() - arrivedAt > maxWakeMs) {
        respondUnavailable(request, response, restarting);
        return;
      }
      response.off("close", abandon);
      request.off("error", abandon);
      // Every time: a process that was just falling asleep misses the signal.
      wake();
      setTimeout(() => {
        if (!response.destroyed) forward(request, response, arrivedAt);
      }, wakePauseMs);
    });
    // The body is not read before a recipient is available.
    upstream.once("socket", (socket) => {
      clearTimeout(queue);
      const pass = () => {
        cutOffWhenStalled(request, response, stallMs);
        request.pipe(upstream);
      };
      if (socket.connecting) socket.once("connect", pass);
      else pass();
    });
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    forward(request, response, performance.now());
  };
}

const wakePauseMs = 100;

/** A body that stalls or drips would hold one of few sockets to the web process forever. */
function cutOffWhenStalled(
  request: IncomingMessage,
  response: ServerResponse,
  stallMs: number,
): void {
  if (request.complete) return;
  const startedAt = performance.now();
  let bytes = 0;
  let bytesBefore = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const watch = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    const isStalled = bytes === bytesBefore || bytes < (elapsedMs / 1000) * minBytesPerSecond;
    bytesBefore = bytes;
    if (!isStalled || request.complete) return;
    end();
    if (response.headersSent) response.destroy();
    else response.setHeader("connection", "close");
    respondWithProblem(request, response, "request_timeout", "The body did not arrive in time.");
  }, stallMs).unref();
  const end = () => clearInterval(watch);
  request.once("end", end);
  response.once("close", end);
}

/** Same as for deliveries. */
const minBytesPerSecond = 1_024;

/** Without hop-by-hop headers, including those that `Connection` names. */
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

function respondUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  detail: string,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader("retry-after", "2");
  respondWithProblem(request, response, "unavailable", detail);
}

const busy =
  "The dashboard is at capacity. Deliveries are still being caught. Close tabs with live lists, or try again in a moment.";
const restarting =
  "The dashboard is starting or restarting. Deliveries are still being caught. Try again in a moment.";

/** For a process that only catches: the dashboard and the API run elsewhere. */
export function respondNoDashboard(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only catches deliveries: it runs without the role web.";
  respondWithProblem(request, response, "not_found", detail);
}

/** For a process that only makes calls. */
export function respondOnlyWorker(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only makes calls: it runs without the roles catch and web.";
  respondWithProblem(request, response, "not_found", detail);
}

/** For a process that only serves the dashboard. */
export function respondNoCatch(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only serves the dashboard: it runs without the role catch.";
  respondWithProblem(request, response, "not_found", detail);
}

function respondWithProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(toProblem(code, detail));
  response.writeHead(errorTable[code].status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
  request.resume();
}
