import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, getCACertificates } from "node:tls";
import type { IsOrdinary } from "#lib/core/sending/address/allow-list.ts";
import type { BrokerPlace } from "#lib/schema/act/broker-origin.ts";
import { CallFailure, toCallFailure } from "../call-failure.ts";
import {
  type AddressOptions,
  findProxy,
  firstAttemptMs,
  lastAttemptMs,
  resolveAllowed,
} from "../guarded-connector.ts";
import { openTunnel } from "../proxy-tunnel.ts";

export type SocketOptions = Omit<AddressOptions, "isOrdinary"> & {
  /** Extra certificate authorities in PEM. Verification can't be turned off. */
  readonly extraCa?: readonly string[];
};

type SocketPlace = BrokerPlace & { readonly isTls: boolean; readonly isOrdinary: IsOrdinary };

/**
 * Opens a socket for a protocol other than HTTP, as `createGuardedConnector` does for HTTP: a name is resolved once,
 * every address is checked, and the socket goes to a checked one, through the proxy if there is one. Throws a
 * `CallFailure`.
 *
 * @param signal ends the attempt at once
 */
export async function openSocket(
  { host, port, isTls, isOrdinary }: SocketPlace,
  options: SocketOptions,
  signal: AbortSignal,
): Promise<Socket> {
  return await atAllowedAddress(
    { host, port, isOrdinary },
    { options, signal, toFailure: toCallFailure },
    async (address, timeoutMs) => {
      const plain = await openPlain(host, { address, port, timeoutMs }, options, signal);
      return isTls ? await secure(plain, host, timeoutMs, options, signal) : plain;
    },
  );
}

type Attempts = {
  readonly options: Omit<AddressOptions, "isOrdinary">;
  readonly signal: AbortSignal;
  readonly toFailure: (error: unknown) => CallFailure;
};

/**
 * Resolves a name once, checks every address, and opens what is at the first one that takes connections. Throws a
 * `CallFailure`.
 */
export async function atAllowedAddress<Opened>(
  { host, port, isOrdinary }: BrokerPlace & { readonly isOrdinary: IsOrdinary },
  { options, signal, toFailure }: Attempts,
  open: (address: string, timeoutMs: number) => Promise<Opened>,
): Promise<Opened> {
  const addresses = await resolveAllowed(host, port, { ...options, isOrdinary });
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    try {
      return await open(address, isLast ? lastAttemptMs : firstAttemptMs);
    } catch (error) {
      const failure = toFailure(error);
      if (isLast || failure.code !== "connect" || signal.aborted) throw failure;
    }
  }
  throw new CallFailure("dns");
}

/** The certificate is checked for the host. */
export function toTlsChecks(host: string, extraCa: readonly string[] = []) {
  return {
    ...(isIP(host) === 0 && { servername: host }),
    ...(extraCa.length > 0 && { ca: [...getCACertificates("default"), ...extraCa] }),
  };
}

type To = Parameters<typeof openTunnel>[1];
const keepAliveMs = 15_000;

async function openPlain(
  host: string,
  to: To,
  options: SocketOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const via = findProxy(host, to.address, options);
  if (via !== null) return await openTunnel(via, to);
  const direct = { host: to.address, port: to.port, noDelay: true, keepAlive: true };
  const socket = connect({ ...direct, keepAliveInitialDelay: keepAliveMs });
  return await untilOpen(socket, "connect", to.timeoutMs, signal);
}

async function secure(
  socket: Socket,
  host: string,
  timeoutMs: number,
  { extraCa }: SocketOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({ socket, host, ...toTlsChecks(host, extraCa) });
  return await untilOpen(secured, "secureConnect", timeoutMs, signal);
}

async function untilOpen<Kind extends Socket>(
  socket: Kind,
  event: "connect" | "secureConnect",
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Kind> {
  const { promise, resolve, reject } = Promise.withResolvers<Kind>();
  const onOpen = () => resolve(socket);
  const onClose = () => reject(new CallFailure("reset"));
  const onAbort = () => reject(new CallFailure("cancelled"));
  const timer = setTimeout(() => reject(new CallFailure("connect", tooSlow)), timeoutMs);
  socket.once(event, onOpen).on("error", reject).once("close", onClose);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    const opened = await promise;
    socket.off("error", reject);
    return opened;
  } catch (error) {
    // It still hears errors, which are of no interest now.
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    socket.off("close", onClose);
    signal.removeEventListener("abort", onAbort);
  }
}

const tooSlow = "The broker didn't accept the connection in time.";
