import type { Socket } from "node:net";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import type { ProxyRoute } from "#lib/core/env/egress-proxy.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { createSystemResolver, type Resolve } from "./addresses/resolve.ts";
import { CallFailure, maxResponseHeaderBytes } from "./call-failure.ts";
import type { CallResult } from "./call-result.ts";
import { CallTargets, toOwnOrigin } from "./call-targets.ts";
import { Connections } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import { createGuardedConnector, type GuardedConnectorOptions } from "./guarded-connector.ts";
import { type ClientIdentity, IdentityConnections } from "./identity-connections.ts";
import { isToken, toHeaderList } from "./request-headers.ts";

export type HttpClientOptions = {
  /** Private networks that may be called: `CATCHMENT_EGRESS_ALLOW`. */
  readonly allow: AllowList;
  /** Origins of this server, such as `https://hooks.example.com`. Calls to them are `self_call`. */
  readonly ownOrigins?: readonly string[];
  /** Ports this server listens on. Calls to them at any address of this machine are `self_call`. */
  readonly ownPorts?: readonly number[];
  /** Replaces the system's list of this machine's addresses. */
  readonly own?: GuardedConnectorOptions["own"];
  /** The maximum number of sockets per origin. Further calls wait for one within their deadline. */
  readonly maxSocketsPerOrigin?: number;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
  /** Extra certificate authorities in PEM. */
  readonly extraCa?: readonly string[];
  /** Omitted: every connection is direct. */
  readonly proxy?: ProxyRoute | undefined;
};

type CallOptions = {
  /**
   * The deadline for everything: name lookup, connection, request, and the response to its last
   * byte.
   */
  readonly timeoutMs: number;
  /** Ends the call early as `cancelled`. */
  readonly signal?: AbortSignal;
  /** The maximum size of the response body in bytes. After that, the connection is closed. */
  readonly maxResponseBytes?: number;
  /** A client certificate for the TLS handshake. */
  readonly identity?: ClientIdentity;
  /** Sends it over a connection of its own, so that it never has to be sent a second time. */
  readonly isOnce?: boolean;
};

export type HttpClient = {
  /** Makes one call. Never rejects: every failure is a value. */
  call(request: OutgoingRequest, options: CallOptions): Promise<CallResult>;
  /** The number of open sockets, including idle ones. */
  openSockets(): number;
  /** Cancels calls in flight and closes every socket. */
  close(): Promise<void>;
};

const defaultMaxResponseBytes = 64 * 1024;
/**
 * The limit equals the number of runs of a worker: the claim decides how many calls an action and an
 * account may make at a time. With fewer, the slow calls of one account would use up the deadlines
 * of all others to the same host.
 */
const defaultMaxSocketsPerOrigin = 2_048;
/**
 * A call that ends while its connection opens can't be taken back from undici, so this also limits
 * the number of kept bodies of ended calls.
 */
const maxConnectingPerOrigin = 128;
/**
 * With more sockets than this, none is kept alive: many receivers must not use up file descriptors.
 */
const maxKeptSockets = 2_000;

/** CONNECT turns the receiver into a proxy. TRACE returns the credentials. */
const tunnelMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE"]);
const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * The only way out of this server. It follows no redirects, decompresses nothing, goes by no proxy
 * variable but ours, keeps no cookies, and only connects where `createGuardedConnector` allows it.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const ownOrigins = new Set(
    (options.ownOrigins ?? []).map((origin) => toOwnOrigin(new URL(origin))),
  );
  const targets = new CallTargets(options.allow);
  const sockets = new Set<Socket>();
  const onSocket = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const anonymous = openConnections(options, onSocket);
  const identities = new IdentityConnections((identity) =>
    openConnections(options, onSocket, identity),
  );

  function call(request: OutgoingRequest, callOptions: CallOptions): Promise<CallResult> {
    const { timeoutMs, signal, identity } = callOptions;
    const { maxResponseBytes = defaultMaxResponseBytes, isOnce = false } = callOptions;
    const target = targets.read(request.url);
    if (target instanceof CallFailure) return failWith(target);
    if (ownOrigins.has(target.ownOrigin)) return failWith(new CallFailure("self_call"));
    const { method, body } = request;
    const upperMethod = method.toUpperCase();
    if (!isToken.test(method) || tunnelMethods.has(upperMethod))
      return failWith(invalid("This method can't be called."));
    const headers = toHeaderList(request.headers);
    if (typeof headers === "string") return failWith(invalid(headers));

    const { origin, path } = target;
    const connections = identity === undefined ? anonymous : identities.of(identity);
    const reset = sockets.size > maxKeptSockets;
    const sent = { path, method, headers, body, reset, blocking: false };
    const exchange = new Exchange({
      timeoutMs,
      maxResponseBytes,
      signal,
      isIdempotent: idempotentMethods.has(upperMethod),
      sendAgain: () => connections.sendAlone(origin, sent, exchange),
    });
    if (exchange.isSettled) return exchange.result;
    if (isOnce) connections.sendAlone(origin, sent, exchange);
    else connections.send(origin, sent, exchange);
    return exchange.result;
  }

  return {
    call,
    openSockets: () => sockets.size,
    async close() {
      const reason = new CallFailure("cancelled");
      await Promise.all([anonymous.close(reason), identities.close(reason)]);
    },
  };
}

function openConnections(
  options: HttpClientOptions,
  onSocket: (socket: Socket) => void,
  identity?: ClientIdentity,
): Connections {
  const client = {
    connect: createGuardedConnector({
      allow: options.allow,
      resolve: options.resolve ?? createSystemResolver(),
      ownPorts: options.ownPorts ?? [],
      onSocket,
      ...(options.own === undefined ? {} : { own: options.own }),
      ...(options.extraCa === undefined ? {} : { extraCa: options.extraCa }),
      ...(identity === undefined ? {} : { identity }),
      ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
    }),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 15_000,
    // The exchange's own deadline covers both of these timeouts, which count idle time only.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxResponseHeaderBytes,
  };
  const maxPerOrigin = options.maxSocketsPerOrigin ?? defaultMaxSocketsPerOrigin;
  return new Connections({ client, maxPerOrigin, maxConnectingPerOrigin });
}

function invalid(message: string): CallFailure {
  return new CallFailure("invalid_request", message);
}

function failWith({ code, message }: CallFailure): Promise<CallResult> {
  return Promise.resolve({ ok: false, error: { code, message }, response: null, durationMs: 0 });
}
