import { isIP } from "node:net";
import { toClientNetwork } from "#lib/core/sending/address/client-network.ts";

/**
 * The client that a request counts for, from `X-Forwarded-For`, which the listener in front has
 * replaced by the one address it trusts. Null if there is none.
 */
export function readClientKey(headers: { get(name: string): string | null }): string | null {
  const address = headers.get("x-forwarded-for")?.trim() ?? "";
  return isIP(address) === 0 ? null : toClientNetwork(address);
}
