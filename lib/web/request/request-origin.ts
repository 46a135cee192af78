import { isIP } from "node:net";
import { newId } from "#lib/base/ids.ts";
import { toClientNetwork } from "#lib/core/sending/address/client-network.ts";
import { isOwnOrigin } from "#lib/core/sending/address/is-own-origin.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";

/**
 * Where a request came from. The listener in front has replaced `X-Forwarded-For` by the one address
 * it trusts.
 */
export function readRequestOrigin(headers: { get(name: string): string | null }): RequestOrigin {
  const address = headers.get("x-forwarded-for")?.trim() ?? "";
  return {
    ip: isIP(address) === 0 ? null : address,
    userAgent: toText(headers.get("user-agent")),
    requestId: toText(headers.get("x-request-id")) ?? newId(),
  };
}

const maxChars = 300;

/** A header as it can be stored. Clients may send any length and any characters. */
function toText(value: string | null): string | null {
  const text = (value ?? "")
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, maxChars);
  return text === "" ? null : text;
}

/**
 * The client that a request counts for, from `X-Forwarded-For`, which the listener in front has
 * replaced by the one address it trusts. Null if there is none.
 */
export function readClientKey(headers: { get(name: string): string | null }): string | null {
  const address = headers.get("x-forwarded-for")?.trim() ?? "";
  return isIP(address) === 0 ? null : toClientNetwork(address);
}

/** Checks that a change comes from our own pages, by the headers of its request. */
export function isOwnRequest(headers: Pick<Headers, "get">): boolean {
  const { publicUrl } = serverContext().env;
  return isOwnOrigin({ origin: headers.get("origin"), host: headers.get("host"), publicUrl });
}
