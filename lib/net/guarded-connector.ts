import type { Socket } from "node:net";
import { getCACertificates } from "node:tls";
import { buildConnector } from "undici";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { type EgressProxy, isExcepted, type ProxyRoute } from "#lib/core/env/egress-proxy.ts";
import {
  type AllowList,
  type IsOrdinary,
  isAllowed,
  isAllowedHere,
} from "#lib/core/sending/address/allow-list.ts";
import { parseAddress } from "#lib/core/sending/address/classify-address.ts";
import { OwnAddresses } from "./addresses/own-addresses.ts";
import type { Resolve } from "./addresses/resolve.ts";
import { CallFailure, toCallFailure } from "./call-failure.ts";
import type { ClientIdentity } from "./identity-connections.ts";
import { openTunnel } from "./proxy-tunnel.ts";

export type GuardedConnectorOptions = AddressOptions & {
  /**
   * Extra certificate authorities in PEM, in addition to Node's. Verification can't be turned off.
   */
  readonly extraCa?: readonly string[];
  readonly identity?: ClientIdentity;
  /** Called with each opened socket, for counting. */
  readonly onSocket: (socket: Socket) => void;
};

/** Which addresses may be connected to, and how. */
export type AddressOptions = {
  readonly allow: AllowList;
  readonly resolve: Resolve;
  /** Replaces the ports that public addresses may be called at. */
  readonly isOrdinary?: IsOrdinary;
  /** Ports that this server listens on, blocked at every address of this machine. */
  readonly ownPorts: readonly number[];
  /** Replaces the system's list of addresses. */
  readonly own?: Pick<OwnAddresses, "has">;
  /** Omitted: every connection is direct. */
  readonly proxy?: ProxyRoute;
};

/**
 * The only place that opens outgoing sockets. The check is here, not in `connect.lookup`, which is
 * never called for IP literals. A name is resolved once, every address in the answer is checked
 * (one forbidden address blocks them all), and the socket is opened to a checked address, so that a
 * name server that answers differently the next time gains nothing.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connectFirst = buildConnector({ ...tlsOptions(options), timeout: firstAttemptMs });
  const connectLast = buildConnector({ ...tlsOptions(options), timeout: lastAttemptMs });

  async function open(target: buildConnector.Options): Promise<Socket> {
    const port = Number(target.port === "" ? defaultPort(target.protocol) : target.port);
    const addresses = await resolveAllowed(target.hostname, port, options);
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      const connect = isLast ? connectLast : connectFirst;
      const via = findProxy(target.hostname, address, options);
      const outcome =
        via === null
          ? await connectTo(connect, target, address)
          : await connectThrough(via, connect, target, {
              ...{ address, port, timeoutMs: isLast ? lastAttemptMs : firstAttemptMs },
            });
      if (!(outcome instanceof Error)) return outcome;
      const failure = toCallFailure(outcome);
      if (isLast || failure.code !== "connect") throw failure;
    }
    throw new CallFailure("dns");
  }

  return (target, callback) => {
    open(target).then(
      (socket) => {
        options.onSocket(socket);
        callback(null, socket);
      },
      (error: unknown) => callback(toCallFailure(error), null),
    );
  };
}

const ownAddresses = new OwnAddresses();

/** True if this server listens there. */
export function isOwnListener(
  address: string,
  port: number,
  ownPorts: readonly number[],
  own: Pick<OwnAddresses, "has"> = ownAddresses,
): boolean {
  return ownPorts.includes(port) && own.has(address);
}

/** The time for the first of several addresses. A dead one must not use up the whole deadline. */
export const firstAttemptMs = 2_500;
export const lastAttemptMs = 10_000;
const maxAddressesTried = 4;
const lookupMs = 20_000;

/** The addresses of a host, once all of them are checked. Throws a `CallFailure`. */
export async function resolveAllowed(
  host: string,
  port: number,
  { allow, resolve, ownPorts, own = ownAddresses, isOrdinary }: AddressOptions,
): Promise<readonly string[]> {
  const addresses = parseAddress(host) === null ? await resolveInTime(host, resolve) : [host];
  if (addresses.length === 0) throw new CallFailure("dns");
  for (const address of addresses) {
    const isOwn = own.has(address);
    const mayCall = isOwn
      ? isAllowedHere(address, port, allow, isOrdinary)
      : isAllowed(address, port, allow, isOrdinary);
    if (!mayCall) throw new CallFailure("blocked");
    if (isOwnListener(address, port, ownPorts, own)) throw new CallFailure("self_call");
  }
  return addresses.slice(0, maxAddressesTried);
}

/**
 * The call's own deadline ends much earlier. This releases everything that still waits for the
 * name.
 */
function resolveInTime(host: string, resolve: Resolve): Promise<readonly string[]> {
  return withTimeLimit(resolve(host), lookupMs, () => {
    throw new CallFailure("dns");
  });
}

function connectTo(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  address: string,
): Promise<Socket | Error> {
  const isTls = target.protocol === "https:";
  const options: buildConnector.Options = {
    hostname: address,
    protocol: target.protocol,
    port: target.port,
    ...(target.httpSocket !== undefined && { httpSocket: target.httpSocket }),
  };
  if (isTls && parseAddress(target.hostname) === null) {
    // The certificate is checked against the host name of the URL, without the trailing dot of a
    // fully qualified name.
    options.servername = target.hostname.replace(/\.$/, "");
  }
  return new Promise((done) => connect(options, (error, socket) => done(error ?? socket)));
}

/** The proxy that leads to a checked address. Null: it is reached directly, as this machine itself always is. */
export function findProxy(
  host: string,
  address: string,
  { proxy, own = ownAddresses }: AddressOptions,
): EgressProxy | null {
  if (proxy === undefined || own.has(address)) return null;
  return isExcepted(host, address, proxy.except) ? null : proxy.server;
}

async function connectThrough(
  proxy: EgressProxy,
  connect: buildConnector.connector,
  target: buildConnector.Options,
  to: Parameters<typeof openTunnel>[1],
): Promise<Socket | Error> {
  try {
    const httpSocket = await openTunnel(proxy, to);
    if (target.protocol !== "https:") return httpSocket;
    return await connectTo(connect, { ...target, httpSocket }, to.address);
  } catch (error) {
    return toCallFailure(error);
  }
}

function tlsOptions({
  extraCa = [],
  identity,
}: Pick<GuardedConnectorOptions, "extraCa" | "identity">): buildConnector.BuildOptions {
  // HTTP/1.1 only: one exchange per socket at a time, so that aborting one never harms another.
  const options = { allowH2: false, keepAlive: true, keepAliveInitialDelay: 15_000 };
  const own = identity?.ca ? [...extraCa, identity.ca] : extraCa;
  return {
    ...options,
    ...(own.length === 0 ? {} : { ca: [...getCACertificates("default"), ...own] }),
    ...(identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey }),
  };
}

function defaultPort(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}
