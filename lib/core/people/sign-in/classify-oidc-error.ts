import { isRejectionReason, type RejectionReason } from "#lib/schema/account/sign-in-rejection.ts";

/** Why an identity provider's response was no sign-in, by the library's error. */
export function classifyOidcError(message: string): RejectionReason {
  return patterns.find(([pattern]) => pattern.test(message))?.[1] ?? "provider_response";
}

const patterns: readonly (readonly [RegExp, RejectionReason])[] = [
  [/JWT (not active yet|expired|issued too far)/, "clock"],
  [/cookie was missing|state (missing|mismatch)|checks\.(state|nonce) argument/i, "way_back"],
  [/^(access_denied|login_required|consent_required|interaction_required)\b/, "provider_denied"],
  [/^[a-z_]+$/, "provider_error"],
  [
    /E(CONNREFUSED|NOTFOUND|CONNRESET|AI_AGAIN|HOSTUNREACH)|timed out|expected 200 OK/,
    "provider_unreachable",
  ],
];

/** Errors that next-auth names, and the pages of the identity provider can cause. */
const replaced: ReadonlyMap<string, RejectionReason> = new Map([
  ["OAuthSignin", "provider_unreachable"],
  ["OAuthCallback", "provider_response"],
  ["Callback", "provider_error"],
  ["AccessDenied", "provider_denied"],
]);

/**
 * The code of an error as a URL may have it. Anyone can write anything there, and an error of the database has values
 * and names of columns, so nothing but codes passes.
 *
 * @param known the reason, if it was found out
 */
export function toErrorCode(error: string, known: RejectionReason | undefined): string {
  const isCode =
    isRejectionReason(error) || /^(second_factor|CredentialsSignin|throttled:\d{1,6})$/.test(error);
  if (isCode) return error;
  return known ?? replaced.get(error) ?? "unavailable";
}
