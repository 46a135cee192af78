import { canonicalHost } from "#lib/core/sending/address/check-url.ts";
import { classifyAddress, parseAddress } from "#lib/core/sending/address/classify-address.ts";

/** The URL to paste into the provider's settings. */
export function catchUrl(
  publicUrl: string,
  hook: { readonly accountSlug: string; readonly key: string; readonly path: string | null },
): string {
  return `${publicUrl}/catch/${hook.accountSlug}/${hook.path ?? hook.key}`;
}

/**
 * The host of a URL that nothing outside of this network can reach: this machine, a private
 * address, or a name that public DNS never resolves (RFC 6761, RFC 6762, RFC 8375, ICANN's
 * `internal`). Null for any other URL.
 */
export function findLocalHost(url: string): string | null {
  const host = canonicalHost(new URL(url));
  const isLocal =
    parseAddress(host) === null
      ? !host.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa|test)$/u.test(host)
      : classifyAddress(host).kind === "special";
  return isLocal ? host : null;
}
