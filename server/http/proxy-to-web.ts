import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { isInNetworks } from "#lib/core/sending/address/allow-list.ts";
import { isLoopback, toClientNetwork } from "#lib/core/sending/address/client-network.ts";
import { type ClientOptions, describeClient } from "./describe-client.ts";
import { type KeptResponse, PublicPages, readWhole, writeKept } from "./public-pages.ts";
import { findPublicPath } from "./public-paths.ts";
import { WebBodies, type WebBodyLimits } from "./web-bodies.ts";
import { describeRequest, type Exchange, keepHeaders, send } from "./web-exchange.ts";
import {
  busy,
  respondTooMany,
  respondUnavailable,
  respondUnread,
  respondWithProblem,
  restarting,
} from "./web-responses.ts";
import { type SlotKind, type WebSlotLimits, WebSlots } from "./web-slots.ts";

export type WebProxyOptions = ClientOptions &
  WebBodyLimits &
  WebSlotLimits & {
    /** The Unix socket of the web process. */
    readonly socketPath: string;
    /** Starts the web process if it is asleep. */
    readonly wake?: () => void;
    /**
     * The time for which a request waits for the web process: usually about a second, a few on a
     * busy machine. Default 20,000.
     */
    readonly maxWakeMs?: number;
    /** Checks that a request has a session. Default: none has. */
    readonly isPerson?: (request: IncomingMessage) => boolean;
    /** Checks that there is something at a path. The web process isn't asked for the others. */
    readonly isRoute?: (path: string) => boolean;
    /** The number of processes that own the port. Default: 1. */
    readonly processes?: number;
  };

/**
 * Forwards everything but deliveries to the web process. They are separate processes because a busy
 * page would otherwise delay deliveries: measured 26 ms p99 in one process against 9 ms in two.
 *
 * A request takes one of the web process's slots only once its body is here, and a stream (a live
 * list, or an export, of which each account has few) gives it back when it starts: neither slow
 * clients nor open lists can shut out the others.
 */
export function createWebProxy(options: WebProxyOptions) {
  const { socketPath, wake, maxWakeMs = 20_000, trustedProxies, processes = 1 } = options;
  const { isPerson = () => false, isRoute = () => true } = options;
  const bodies = new WebBodies(options);
  const slots = new WebSlots(options);
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  const pages = new PublicPages(ask);
  const rates = new RateLimiter({ ...visitorRate, processes, now: Date.now });

  /** @returns false if the web process is away */
  async function forward(
    exchange: Exchange,
    use: (response: IncomingMessage) => void,
  ): Promise<boolean> {
    const arrivedAt = performance.now();
    while (true) {
      const error = await send(exchange, { agent, socketPath }, use);
      if (error === null) return true;
      const isAsleep = error.syscall === "connect" && wake !== undefined;
      if (!isAsleep || performance.now() - arrivedAt > maxWakeMs) return false;
      // The signal is sent every time, because a process that was just falling asleep misses it.
      wake();
      await delay(wakePauseMs);
      if (exchange.signal.aborted) return true;
    }
  }

  /** Asks for a public page, with nothing of the request that it is asked for. */
  async function ask(url: string, headers: readonly string[]): Promise<KeptResponse | null> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(maxPageMs)]);
    const release = await slots.take({ address: "own", isMany: true, kind: "visitor" }, signal);
    if (release === null) return null;
    let kept: KeptResponse | null = null;
    const exchange = { method: "GET", url, headers, body: Buffer.alloc(0), signal };
    await forward(exchange, async (response) => {
      kept = await readWhole(response);
      over.abort();
    }).finally(release);
    return kept;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = describeClient(request, options);
    const address = client["x-forwarded-for"];
    const isMany = isLoopback(address) || isInNetworks(address, trustedProxies);
    const kind = kindOf(request, isPerson);
    const slotClient = { address: toClientNetwork(address), isMany, kind };
    const isUnknown = kind === "visitor" || kind === "signIn";
    if (isUnknown && !isMany) {
      const waitSeconds = rates.take(slotClient.address);
      if (waitSeconds > 0) return await respondTooMany(request, response, waitSeconds);
    }
    const page = findPublicPath(request, isRoute);
    const isSame = page !== undefined && !(page.isForVisitors && !isUnknown);
    const kept = isSame ? await pages.find(page, request, client) : undefined;
    if (kept !== undefined) return writeKept(request, response, kept);
    await bodies.withBody(request, slotClient, async (read) => {
      if (!read.ok) return respondUnread(request, response, read.reason);
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      if (response.destroyed) return;
      const release = await slots.take(slotClient, gone.signal);
      if (release === null) return respondUnavailable(request, response, busy);
      const { method = "GET", url = "/" } = request;
      const headers = describeRequest(request, client, read.body);
      const exchange = { method, url, headers, body: read.body, signal: gone.signal };
      const isHere = await forward(exchange, (upstream) => {
        const isStream = upstream.headers["x-accel-buffering"] === "no";
        if (isStream) release();
        response.writeHead(upstream.statusCode ?? 502, keepHeaders(upstream.rawHeaders));
        upstream.on("error", () => response.destroy());
        if (isStream || !isUnknown) upstream.pipe(response);
        else passOnAtOnce(upstream, response, release);
      }).finally(release);
      if (!isHere) respondUnavailable(request, response, restarting);
    });
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error) => {
      logCounted("warn", "request.not_forwarded", { error: toError(error).name });
      const detail = "This request can't be forwarded.";
      respondWithProblem(request, response, "invalid_request", detail);
      if (!response.writableEnded) response.destroy();
    });
  };
}

/**
 * Takes a page from the web process as fast as it comes, so that visitors who read slowly don't hold
 * the few slots of all.
 */
function passOnAtOnce(
  upstream: IncomingMessage,
  response: ServerResponse,
  release: () => void,
): void {
  upstream.on("data", (part: Buffer) => response.write(part));
  upstream.once("end", () => {
    release();
    response.end();
    response.setTimeout(maxReadMs, () => response.destroy());
  });
}

/** The time for which the connection of a visitor may take nothing of a page. */
const maxReadMs = 30_000;
const wakePauseMs = 100;
/** The longest time for a page that is kept. */
const maxPageMs = 30_000;
/** A page takes up to 40 files. */
const visitorRate = { ratePerSecond: 10, burst: 100 };

/** A token that isn't valid is rejected without a page. */
function kindOf(
  request: IncomingMessage,
  isPerson: (request: IncomingMessage) => boolean,
): SlotKind {
  const { method, url = "", headers } = request;
  const isForTokens = url.startsWith("/api/v1/") || url === "/mcp";
  if (isForTokens && headers.authorization !== undefined) return "api";
  if (isPerson(request)) return "person";
  const isSignIn =
    url.startsWith("/api/auth/") ||
    url.startsWith("/oauth/") ||
    (url.startsWith("/sign-in") && method === "POST");
  return isSignIn ? "signIn" : "visitor";
}
