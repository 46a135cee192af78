import type { Verification } from "#lib/schema/receive/verification.ts";
import { customJwt } from "./jwt/custom-jwt.ts";
import type { Scheme } from "./scheme/scheme.ts";

/** Turns a user's verification into a scheme. Only web tokens become code. */
export function toScheme(verification: Verification): Scheme {
  return verification.kind === "jwt" ? customJwt(verification) : verification;
}
