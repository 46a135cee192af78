import type { Claims } from "./decide-sign-in.ts";

/**
 * The claims of a verified ID token, with what only the user info endpoint says: many issuers put the
 * email and the groups there alone. An email counts as verified only if the source that names it says
 * so: each may name another one.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const merged = { ...userInfo, ...idToken };
  const isVerified = [idToken, userInfo].some(
    (source) => source.email === merged.email && source.email_verified === true,
  );
  return { ...merged, email_verified: isVerified };
}
