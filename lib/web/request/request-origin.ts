import { isIP } from "node:net";
import { newId } from "#lib/base/ids.ts";
import type { RequestOrigin } from "#lib/services/frame/request-origin.ts";

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
