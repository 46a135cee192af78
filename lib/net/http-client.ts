import type { Socket } from "node:net";
import { Agent } from "undici";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import { canonicalHost, checkUrl, effectivePort } from "#lib/core/address/check-url.ts";
import type { OutgoingRequest } from "#lib/core/http/http-types.ts";
import { CallFailure } from "./call-failure.ts";
import type { CallResult } from "./call-result.ts";
import { DispatchGate } from "./dispatch-gate.ts";
import { Exchange } from "./exchange.ts";
import { createGuardedConnector, type GuardedConnectorOptions } from "./guarded-connector.ts";
import { toHeaderList } from "./request-headers.ts";
import { createSystemResolver, type Resolve } from "./resolve.ts";
import { createTrackedPool } from "./tracked-client.ts";

export type HttpClientOptions = {
  /** Private networks that may be called: `CATCHMENT_EGRESS_ALLOW`. */
  readonly allow: AllowList;
  /** Origins of this server, such as `https://hooks.example.com`. Calls to them are `self_call`. */
  readonly ownOrigins?: readonly string[];
  /** Ports this server listens on. Calls to them at any address of this machine are `self_call`. */
  readonly ownPorts?: readonly number[];
  /** Replaces the system's list of this machine's addresses. */
  readonly own?: GuardedConnectorOptions["own"];
  /** Concurrent sockets per origin. Further calls wait for one within their deadline. */
  readonly maxSocketsPerOrigin?: number;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
  /** Extra certificate authorities in PEM. */
  readonly extraCa?: readonly string[];
};

export type CallOptions = {
  /**
   * Deadline for everything: name lookup, connection, request, and the response to its last byte.
   */
  readonly timeoutMs: number;
  /** Ends the call early as `cancelled`. */
  readonly signal?: AbortSignal;
  /** Maximum bytes of the response body. Beyond it, the connection is closed. */
  readonly maxResponseBytes?: number;
};

export type HttpClient = {
  /** Makes one call. Never rejects: every failure is a value. */
  call(request: OutgoingRequest, options: CallOptions): Promise<CallResult>;
  /** Open sockets, including idle ones. */
  openSockets(): number;
  /** Cancels calls in flight and closes every socket. */
  close(): Promise<void>;
};

const defaultMaxResponseBytes = 64 * 1024;
/**
 * As many as a worker has runs: the claim decides how many calls an action and an account may make
 * at a time. With fewer, the slow calls of one account would use up the deadlines of all others to
 * the same host.
 */
const defaultMaxSocketsPerOrigin = 2_048;
/**
 * Per origin: the number of connections opened at a time, and of bodies of ended calls that may be
 * kept.
 */
const maxUnstarted = 128;
/**
 * With more sockets than this, none is kept alive: many receivers must not use up file descriptors.
 */
const maxKeptSockets = 2_000;

/** CONNECT turns the receiver into a proxy. TRACE returns the credentials. */
const tunnelMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE"]);
const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * The only way out of this server. It follows no redirects, decompresses nothing, ignores proxy
 * variables, keeps no cookies, and only connects where `createGuardedConnector` allows it.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const ownOrigins = new Set((options.ownOrigins ?? []).map((origin) => toOrigin(new URL(origin))));
  const sockets = new Set<Socket>();
  const gate = new DispatchGate(maxUnstarted);
  const count = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const agent = createAgent(options, count);
  // Keeps no connections: each call that is sent again gets a new one.
  const freshAgent = createAgent(options, count);

  function call(request: OutgoingRequest, callOptions: CallOptions): Promise<CallResult> {
    const { timeoutMs, signal, maxResponseBytes = defaultMaxResponseBytes } = callOptions;
    const checked = checkUrl(request.url, options.allow);
    if (!checked.ok) {
      return failWith(
        checked.code === "blocked" ? new CallFailure("blocked") : invalid(checked.message),
      );
    }
    if (ownOrigins.size > 0 && ownOrigins.has(toOrigin(checked.url)))
      return failWith(new CallFailure("self_call"));
    if (tunnelMethods.has(request.method.toUpperCase()))
      return failWith(invalid("This method can't be called."));
    const headers = toHeaderList(request.headers);
    if (typeof headers === "string") return failWith(invalid(headers));

    const { origin } = checked.url;
    const path = checked.url.pathname + checked.url.search;
    const { method, body } = request;
    const isIdempotent = idempotentMethods.has(method.toUpperCase());
    const onStarted = () => gate.started(origin);
    const send = (by: Agent, reset: boolean) =>
      by.dispatch({ origin, path, method, headers, body, reset }, exchange);
    const sendAgain = () => send(freshAgent, true);
    const exchange = new Exchange({
      timeoutMs,
      maxResponseBytes,
      signal,
      onStarted,
      isIdempotent,
      sendAgain,
    });
    const dispatch = () => send(agent, sockets.size > maxKeptSockets);
    if (gate.enter(origin, dispatch)) return exchange.result;
    return exchange.result.finally(() => gate.leave(origin, dispatch));
  }

  return {
    call,
    openSockets: () => sockets.size,
    async close() {
      const reason = new CallFailure("cancelled");
      await Promise.all([agent.destroy(reason), freshAgent.destroy(reason)]);
    },
  };
}

function createAgent(options: HttpClientOptions, onSocket: (socket: Socket) => void): Agent {
  return new Agent({
    factory: createTrackedPool,
    connect: createGuardedConnector({
      allow: options.allow,
      resolve: options.resolve ?? createSystemResolver(),
      ownPorts: options.ownPorts ?? [],
      onSocket,
      ...(options.own === undefined ? {} : { own: options.own }),
      ...(options.extraCa === undefined ? {} : { extraCa: options.extraCa }),
    }),
    allowH2: false,
    pipelining: 1,
    connections: options.maxSocketsPerOrigin ?? defaultMaxSocketsPerOrigin,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 15_000,
    // A busy socket is released too, so that calls follow DNS changes.
    clientTtl: 30_000,
    // The exchange's own deadline covers both. These count idle time only.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  });
}

/**
 * Scheme, host, and port in canonical form: without the host's trailing dot and the scheme's
 * default port.
 */
function toOrigin(url: URL): string {
  return `${url.protocol}//${canonicalHost(url)}:${effectivePort(url)}`;
}

function invalid(message: string): CallFailure {
  return new CallFailure("invalid_request", message);
}

function failWith({ code, message }: CallFailure): Promise<CallResult> {
  return Promise.resolve({ ok: false, error: { code, message }, response: null, durationMs: 0 });
}
