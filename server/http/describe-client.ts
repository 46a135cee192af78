import type { IncomingMessage } from "node:http";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { readClientAddress, UntrustedProxyWarning } from "#lib/ingress/client-address.ts";

export type ClientOptions = { readonly publicUrl: string; readonly trustedProxies: AllowList };

export type ClientHeaders = Readonly<
  Record<"x-forwarded-for" | "x-forwarded-host" | "x-forwarded-proto", string>
>;

/** One instance for the process. */
const proxyWarning = new UntrustedProxyWarning();

const clientHeaders = new Set([
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
]);

/**
 * True if a header, by its lower-case name, makes a claim about the client. Claims by clients that
 * aren't trusted proxies are dropped.
 */
export function isClientHeader(name: string): boolean {
  return clientHeaders.has(name);
}

/**
 * The facts about the client that the web process may trust. They are set here and nowhere else.
 */
export function describeClient(
  request: IncomingMessage,
  { publicUrl, trustedProxies }: ClientOptions,
): ClientHeaders {
  const peer = request.socket.remoteAddress ?? "";
  proxyWarning.consider(peer, request.headers["x-forwarded-for"]?.toString(), trustedProxies);
  const address = readClientAddress(
    peer,
    request.headersDistinct["x-forwarded-for"],
    trustedProxies,
  );
  return {
    "x-forwarded-for": address,
    "x-forwarded-host": request.headers.host ?? "",
    "x-forwarded-proto": publicUrl.startsWith("https:") ? "https" : "http",
  };
}
