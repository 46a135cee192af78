import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type ErrorCode, errorTable, toProblem } from "#lib/errors.ts";
import { type ClientOptions, describeClient, isClientHeader } from "./describe-client.ts";

export type WebProxyOptions = ClientOptions & {
  /** Unix socket of the web process. */
  readonly socketPath: string;
  /** Has the web process started if it sleeps. */
  readonly wake?: () => void;
  /** How long a request waits for it: about a second is usual, a busy machine may take a few. Default 20,000. */
  readonly longestWakeMs?: number;
  /** After so long a body has to come at `minBytesPerSecond`, in milliseconds. Default 10,000. */
  readonly stallMs?: number;
  /** Requests under way at a time, live streams with them. Default 256. */
  readonly maxUnderWay?: number;
  /** How long one more waits for its turn, in milliseconds. Default 10,000. */
  readonly longestQueueMs?: number;
};

// RFC 9110 §7.6.1: they speak of one connection only.
const hopByHop = new Set([
  "connection",
  // Has been met already.
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

// RFC 9110 §7.6.1: meant for every recipient, so naming them in `Connection` is void. Without its length node sends a body unframed, and
// the web process takes it for the next request, whose answer then goes to whoever asks next.
const endToEnd = new Set(["content-length", "host"]);

/**
 * Hands everything that is not a delivery to the web process. The two are processes of their own, because a busy page
 * would otherwise hold up deliveries: measured 26 ms p99 in one process against 9 ms in two.
 */
export function createWebProxy(options: WebProxyOptions) {
  const { socketPath, wake, longestWakeMs = 20_000, stallMs = 10_000, ...others } = options;
  const { maxUnderWay = 256, longestQueueMs = 10_000, ...client } = others;
  const agent = new Agent({ keepAlive: true, maxSockets: maxUnderWay, maxFreeSockets: 16 });

  function forward(request: IncomingMessage, response: ServerResponse, arrivedAt: number): void {
    const forwarded = Object.entries(describeClient(request, client)).flat();
    // Without it node sends the chunks of a GET unframed, and the web process takes them for the next request.
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
      // It hears that it was given up only when its turn comes, so the answer can't wait for that.
      upstream.destroy();
      answerUnavailable(request, response, busy);
    }, longestQueueMs).unref();
    response.on("close", abandon);
    request.on("error", abandon);
    upstream.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(queue);
      const isAsleep = error.syscall === "connect" && wake !== undefined && !response.destroyed;
      if (!isAsleep || performance.now() - arrivedAt > longestWakeMs) {
        answerUnavailable(request, response, restarting);
        return;
      }
      response.off("close", abandon);
      request.off("error", abandon);
      // Each time anew: a process that was just going to sleep hears nothing.
      wake();
      setTimeout(() => {
        if (!response.destroyed) forward(request, response, arrivedAt);
      }, wakePauseMs);
    });
    // Nothing of the body is taken before somebody is there to get it.
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

/** A body from which nothing comes, or next to nothing, would hold one of few sockets to the web process for ever. */
function cutOffWhenStalled(request: IncomingMessage, response: ServerResponse, stallMs: number): void {
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
    answerProblem(request, response, "request_timeout", "The body did not arrive in time.");
  }, stallMs).unref();
  const end = () => clearInterval(watch);
  request.once("end", end);
  response.once("close", end);
}

/** As where deliveries are read. */
const minBytesPerSecond = 1_024;

/** Without the headers that speak of one connection only, also those that `Connection` names. */
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

function answerUnavailable(request: IncomingMessage, response: ServerResponse, detail: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.setHeader("retry-after", "2");
  answerProblem(request, response, "unavailable", detail);
}

const busy =
  "The dashboard answers as many requests as it can. Deliveries are caught meanwhile; close tabs that show live lists, or try again in a moment.";
const restarting =
  "The dashboard is starting or restarting. Deliveries are caught meanwhile; try again in a moment.";

/** For a process that catches only: the dashboard and the API run on another machine. */
export function answerNoDashboard(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only catches deliveries: it runs without the role web.";
  answerProblem(request, response, "not_found", detail);
}

/** The other way round. */
export function answerNoCatch(request: IncomingMessage, response: ServerResponse): void {
  const detail = "This process only serves the dashboard: it runs without the role catch.";
  answerProblem(request, response, "not_found", detail);
}

function answerProblem(
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
