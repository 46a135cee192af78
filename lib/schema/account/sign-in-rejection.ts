/**
 * Why single sign-on signed no one in. The code is all that a URL and the log have of it: the sign-in page has the
 * words.
 */
const rejectionReasons = [
  "no_role",
  "no_groups",
  "groups_overage",
  "domain",
  "no_email",
  "email_unverified",
  "email_denied",
  "email_taken",
  "user_unverified",
  "sign_up_off",
  "no_account",
  "bad_subject",
  "clock",
  "provider_denied",
  "provider_error",
  "provider_unreachable",
  "provider_response",
  "way_back",
  "unavailable",
] as const;

export type RejectionReason = (typeof rejectionReasons)[number];

export function isRejectionReason(code: unknown): code is RejectionReason {
  return rejectionReasons.some((reason) => reason === code);
}
