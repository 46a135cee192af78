import type { IncomingMessage } from "node:http";
import { readClientAddress } from "#lib/catch/client-address.ts";
import type { AllowList } from "#lib/core/address/allow-list.ts";

export type ClientOptions = { readonly publicUrl: string; readonly trustedProxies: AllowList };

const clientHeaders = new Set([
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
]);

/** Whether a header, by its lower-case name, claims something about the client. What a stranger claims is dropped. */
export function isClientHeader(name: string): boolean {
  return clientHeaders.has(name);
}

/** What the web process may believe about the client: said here and nowhere else. */
export function describeClient(
  request: IncomingMessage,
  { publicUrl, trustedProxies }: ClientOptions,
): Record<string, string> {
  const address = readClientAddress(
    request.socket.remoteAddress ?? "",
    request.headersDistinct["x-forwarded-for"],
    trustedProxies,
  );
  return {
    "x-forwarded-for": address,
    "x-forwarded-host": request.headers.host ?? "",
    "x-forwarded-proto": publicUrl.startsWith("https:") ? "https" : "http",
  };
}
