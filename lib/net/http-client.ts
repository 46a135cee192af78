import type { Socket } from "node:net";
import { Agent } from "undici";
import type { AllowList } from "#lib/core/address/allow-list.ts";
import { canonicalHost, checkUrl, effectivePort } from "#lib/core/address/check-url.ts";
import type { OutgoingRequest } from "#lib/core/http-types.ts";
import { CallFailure } from "./call-failure.ts";
import type { CallResult } from "./call-result.ts";
import { DispatchGate } from "./dispatch-gate.ts";
import { Exchange } from "./exchange.ts";
import { createGuardedConnector } from "./guarded-connector.ts";
import { toHeaderList } from "./request-headers.ts";
import { createSystemResolver, type Resolve } from "./resolve.ts";

export type HttpClientOptions = {
  /** Networks that may be called although they are not public: `CATCHMENT_EGRESS_ALLOW`. */
  readonly allow: AllowList;
  /** Origins of this server, such as `https://hooks.example.com`; calls to them are `self_call`. */
  readonly ownOrigins?: readonly string[];
  /** Ports this server listens on; calls to them at any address of this machine are `self_call`. */
  readonly ownPorts?: readonly number[];
  /** Sockets to one origin at a time; calls beyond wait for one within their deadline. */
  readonly maxSocketsPerOrigin?: number;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
  /** Extra certificate authorities in PEM. */
  readonly extraCa?: readonly string[];
};

export type CallOptions = {
  /** Deadline over everything: name look-up, connection, request, answer to its last byte. */
  readonly timeoutMs: number;
  /** Ends the call early as `cancelled`. */
  readonly signal?: AbortSignal;
  /** Bytes of the answer's body that are kept; beyond it the connection is closed. */
  readonly maxResponseBytes?: number;
};

export type HttpClient = {
  /** Makes one call. Never rejects: every failure is a value. */
  call(request: OutgoingRequest, options: CallOptions): Promise<CallResult>;
  /** Sockets open now, idle ones included. */
  openSockets(): number;
  /** Ends calls under way as `cancelled` and closes every socket. */
  close(): Promise<void>;
};

const defaultMaxResponseBytes = 64 * 1024;
/**
 * As many as a worker has runs: how many calls an action and an account may make at a time is decided by the claim. With fewer, the slow
 * calls of one account would use up the deadlines of all others to the same host.
 */
const defaultMaxSocketsPerOrigin = 2_048;
/** To one origin: as many connections are made at a time, and so many bodies of calls that have ended may be kept. */
const maxUnstarted = 128;
/** With more sockets than this, none is kept for later: many receivers must not use up file descriptors. */
const maxKeptSockets = 2_000;

/** CONNECT makes the receiver a proxy; TRACE hands the credentials back. */
const tunnelMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE"]);

/**
 * The only way out of this server. It follows no redirect, decompresses nothing, knows no proxy variable,
 * keeps no cookies, and connects only where `createGuardedConnector` lets it.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const ownOrigins = new Set((options.ownOrigins ?? []).map((origin) => toOrigin(new URL(origin))));
  const sockets = new Set<Socket>();
  const gate = new DispatchGate(maxUnstarted);
  const agent = createAgent(options, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  function call(request: OutgoingRequest, callOptions: CallOptions): Promise<CallResult> {
    const { timeoutMs, signal, maxResponseBytes = defaultMaxResponseBytes } = callOptions;
    const checked = checkUrl(request.url, options.allow);
    if (!checked.ok) {
      return refuse(checked.code === "blocked" ? new CallFailure("blocked") : invalid(checked.message));
    }
    if (ownOrigins.size > 0 && ownOrigins.has(toOrigin(checked.url)))
      return refuse(new CallFailure("self_call"));
    if (tunnelMethods.has(request.method.toUpperCase()))
      return refuse(invalid("This method can't be called."));
    const headers = toHeaderList(request.headers);
    if (typeof headers === "string") return refuse(invalid(headers));

    const { origin } = checked.url;
    const onStarted = () => gate.started(origin);
    const exchange = new Exchange({ timeoutMs, maxResponseBytes, signal, onStarted });
    const dispatch = () => {
      agent.dispatch(
        {
          origin,
          path: checked.url.pathname + checked.url.search,
          method: request.method,
          headers,
          body: request.body,
          reset: sockets.size > maxKeptSockets,
        },
        exchange,
      );
    };
    if (gate.enter(origin, dispatch)) return exchange.result;
    return exchange.result.finally(() => gate.leave(origin, dispatch));
  }

  return {
    call,
    openSockets: () => sockets.size,
    close: () => agent.destroy(new CallFailure("cancelled")),
  };
}

function createAgent(options: HttpClientOptions, onSocket: (socket: Socket) => void): Agent {
  return new Agent({
    connect: createGuardedConnector({
      allow: options.allow,
      resolve: options.resolve ?? createSystemResolver(),
      ownPorts: options.ownPorts ?? [],
      onSocket,
      ...(options.extraCa === undefined ? {} : { extraCa: options.extraCa }),
    }),
    allowH2: false,
    pipelining: 1,
    connections: options.maxSocketsPerOrigin ?? defaultMaxSocketsPerOrigin,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 15_000,
    // A busy socket is let go as well, so that calls follow a change in DNS.
    clientTtl: 30_000,
    // The exchange's own deadline covers both; these count idle time only.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  });
}

/** Scheme, host and port in one spelling: the host's trailing dot and the scheme's default port fall away. */
function toOrigin(url: URL): string {
  return `${url.protocol}//${canonicalHost(url)}:${effectivePort(url)}`;
}

function invalid(message: string): CallFailure {
  return new CallFailure("invalid_request", message);
}

function refuse({ code, message }: CallFailure): Promise<CallResult> {
  return Promise.resolve({ ok: false, error: { code, message }, response: null, durationMs: 0 });
}
