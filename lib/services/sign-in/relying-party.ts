import { isIP } from "node:net";
import type { Env } from "#lib/env.ts";
import { AppError } from "#lib/errors.ts";

/** The site that passkeys belong to. Null: browsers make none for it, or the operator wants none. */
export function findRelyingParty({
  publicUrl,
  oidc,
}: Env): { readonly rpId: string; readonly origin: string } | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost";
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return isSecure && !isAddress && oidc?.isOnly !== true ? { rpId: hostname, origin } : null;
}

/** Throws `forbidden` if there are no passkeys here. */
export function requirePasskeys(env: Env): { readonly rpId: string; readonly origin: string } {
  const found = findRelyingParty(env);
  if (found !== null) return found;
  throw new AppError("forbidden", "Passkeys need a public URL with https and a host name.");
}
