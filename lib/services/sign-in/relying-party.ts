import { isIP } from "node:net";
import { AppError } from "#lib/base/errors.ts";
import type { Env } from "#lib/env.ts";

/**
 * Returns the site that passkeys belong to. Null: browsers create none for an IP address or without
 * https, or the operator allows only single sign-on.
 */
export function findRelyingParty({
  publicUrl,
  oidc,
}: Env): { readonly rpId: string; readonly origin: string } | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost";
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return isSecure && !isAddress && oidc?.isOnly !== true ? { rpId: hostname, origin } : null;
}

/** Returns the site that passkeys belong to. Throws `forbidden` if it can't have any. */
export function requirePasskeys(env: Env): { readonly rpId: string; readonly origin: string } {
  const found = findRelyingParty(env);
  if (found !== null) return found;
  throw new AppError("forbidden", "Passkeys need a public URL with https and a host name.");
}
