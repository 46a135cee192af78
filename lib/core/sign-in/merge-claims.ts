import { type Claims, readEmail, readEmailVerified } from "./claims.ts";

/**
 * The claims of a verified ID token, with what only the user info endpoint says: many issuers put the
 * email and the groups there alone. An email counts as verified only if the source that names it says
 * so: each may name another one.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const { xms_edov: _, ...merged }: Claims = { ...userInfo, ...idToken };
  const email = readEmail(merged);
  const said = [idToken, userInfo]
    .filter((source) => email !== null && readEmail(source) === email)
    .map(readEmailVerified)
    .filter((isVerified) => isVerified !== undefined);
  return { ...merged, email_verified: said.length === 0 ? undefined : said.includes(true) };
}
