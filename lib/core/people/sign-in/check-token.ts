import type { Claims } from "./claims.ts";

/** A person at an identity provider. */
export type IdentityKey = { readonly issuer: string; readonly subject: string };

/** How far the issuer's clock may be ahead of ours. */
const clockLeewaySeconds = 60;

/** True if a token was issued in the future: a wrong clock, of one machine or the other. */
export function isFromFuture({ iat }: Claims, nowMs: number): boolean {
  return typeof iat === "number" && iat > nowMs / 1_000 + clockLeewaySeconds;
}

/**
 * Who the token is about (OpenID Connect Core §2: both are in every ID token, and a subject has at most 255 ASCII
 * characters). Null: nothing that identifies a person. Characters that PostgreSQL can't store, or that no one sees,
 * are in no subject.
 */
export function readIdentity({ iss, sub }: Claims): IdentityKey | null {
  if (typeof iss !== "string" || typeof sub !== "string") return null;
  if (sub === "" || sub.length > 255 || /\p{Cc}/u.test(sub) || !sub.isWellFormed()) return null;
  return { issuer: iss, subject: sub };
}
