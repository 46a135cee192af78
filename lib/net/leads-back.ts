import { canonicalHost, effectivePort } from "#lib/core/sending/address/check-url.ts";
import { parseAddress } from "#lib/core/sending/address/classify-address.ts";
import { toOwnOrigin } from "./call-targets.ts";
import { isOwnListener } from "./guarded-connector.ts";

/**
 * True if every call of the URL would end as `self_call`, as far as its text shows. Names are
 * resolved when calling.
 */
export function leadsBack(
  url: URL,
  { ownOrigins, ownPorts }: { ownOrigins: readonly string[]; ownPorts: readonly number[] },
): boolean {
  const origin = toOwnOrigin(url);
  if (ownOrigins.some((own) => toOwnOrigin(new URL(own)) === origin)) return true;
  const host = canonicalHost(url);
  const address = host === "localhost" ? "127.0.0.1" : host;
  return parseAddress(address) !== null && isOwnListener(address, effectivePort(url), ownPorts);
}
