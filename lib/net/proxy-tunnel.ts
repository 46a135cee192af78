import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { errorCode } from "#lib/base/errors.ts";
import type { EgressProxy } from "#lib/core/env/egress-proxy.ts";
import { CallFailure } from "./call-failure.ts";

type Destination = {
  /** An IP address that was checked: the proxy looks nothing up. */
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
};

/**
 * Opens a connection through a proxy: CONNECT (RFC 9110 §9.3.6) or SOCKS5 (RFC 1928, 1929). Throws a
 * `CallFailure` with the code `connect`. Its message names neither the proxy nor its login.
 */
export async function openTunnel(proxy: EgressProxy, to: Destination): Promise<Socket> {
  const socket = await (proxy.kind === "socks5" ? openSocks(proxy, to) : openConnect(proxy, to));
  socket.setKeepAlive(true, keepAliveMs);
  socket.setNoDelay(true);
  return socket;
}

const keepAliveMs = 15_000;

function openConnect(
  { kind, host, port, login }: EgressProxy,
  { address, port: toPort, timeoutMs }: Destination,
): Promise<Socket> {
  const authority = `${address.includes(":") ? `[${address}]` : address}:${toPort}`;
  const basic = login && Buffer.from(`${login.user}:${login.password}`).toString("base64");
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const send = kind === "https" ? requestHttps : requestHttp;
  const request = send({
    host,
    port,
    method: "CONNECT",
    path: authority,
    headers: {
      host: authority,
      ...(basic !== null && { "proxy-authorization": `Basic ${basic}` }),
    },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  request.once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      reject(new CallFailure("connect", describeRejection(statusCode)));
      return;
    }
    // What a receiver says first may have come with the response.
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  request.once("error", (error) => reject(toProxyFailure(error)));
  request.end();
  return promise;
}

const wrongLogin = "The proxy of this server rejected its user or password.";

function describeRejection(status: number): string {
  if (status === 407 || status === 401) return wrongLogin;
  return `The proxy of this server responded with ${status}, so the receiver wasn't reached.`;
}

/** The library is loaded with the first call: most servers have no such proxy. */
async function openSocks(
  { host, port, login }: EgressProxy,
  { address, port: toPort, timeoutMs }: Destination,
): Promise<Socket> {
  const { SocksClient } = await import("socks");
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: {
        ...{ host, port, type: 5 },
        ...(login !== null && { userId: login.user, password: login.password }),
      },
      command: "connect",
      destination: { host: address, port: toPort },
      timeout: timeoutMs,
    });
    return socket;
  } catch (error) {
    throw toProxyFailure(error);
  }
}

function toProxyFailure(error: unknown): CallFailure {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (/timed? ?out|abort/i.test(`${name} ${message}`))
    return new CallFailure("connect", "The proxy of this server didn't respond in time.");
  if (/authentication/i.test(message)) return new CallFailure("connect", wrongLogin);
  // The library for SOCKS has Node's error in its message only.
  const code = errorCode(error) ?? /\bE[A-Z]{4,}\b/.exec(message)?.[0];
  return new CallFailure(
    "connect",
    code === undefined
      ? "The proxy of this server didn't connect to the receiver."
      : `The proxy of this server can't be reached (${code}).`,
  );
}
