/**
 * The reasons why a delivery failed verification: stable codes, and messages that say what to do.
 */
import { capitalize } from "#lib/base/capitalize.ts";
import { describeSkew } from "./describe-skew.ts";

/**
 * `subject` is the header, field, or parameter. `skewSeconds` is how far the timestamp exceeds the
 * tolerance.
 */
export type VerifyFailure = {
  readonly reason: VerifyFailureReason;
  readonly subject: string | null;
  readonly skewSeconds: number | null;
};

export function fail(
  reason: VerifyFailureReason,
  subject: string | null,
  skewSeconds: number | null = null,
): VerifyFailure {
  return { reason, subject, skewSeconds };
}

const descriptions = {
  signature_missing: (subject) =>
    `${subject} with the signature is missing. Check that signing is enabled at the ` +
    "provider, that the hook has the right provider, and that no proxy drops the header.",
  signature_malformed: (subject) =>
    `The signature in ${subject} has the wrong format. Check the hook's provider or its custom verification.`,
  signature_mismatch: () =>
    "Signature doesn't match any active secret. Copy the signing secret that the " +
    "provider shows for this URL, and check that no proxy changes the body.",
  timestamp_missing: (subject) =>
    `${subject} with the timestamp is missing. Check that the hook has ` +
    "the right provider and that no proxy drops the header.",
  timestamp_malformed: (subject) =>
    `The timestamp in ${subject} has the wrong format. Check the hook's provider.`,
  timestamp_too_old: (subject, skew) =>
    `The signature is correct, but the timestamp in ${subject} is ${skew} too old. Resend ` +
    "the delivery from the provider. If every delivery fails, check this server's clock.",
  timestamp_in_future: (subject, skew) =>
    `The signature is correct, but the timestamp in ${subject} is ${skew} too far ` +
    "in the future. Check this server's clock and the provider's.",
  id_missing: (subject) =>
    `${subject} with the message id is missing. Check that the hook has ` +
    "the right provider and that no proxy drops the header.",
  id_malformed: (subject) =>
    `The message id in ${subject} contains a dot, white space, or a character that is not ` +
    "printable ASCII, so one signature could match two messages. Use a different id.",
  value_missing: (subject) => `${subject} is missing, but it is part of the signed text.`,
  value_malformed: (subject) =>
    `${subject} doesn't have the form that the provider documents, so one signature could match two messages.`,
  too_many_signatures: (subject) =>
    `${subject} contains more than 10 signatures. Send one for each active secret.`,
  secret_missing: () =>
    "The hook has no signing secret, so it can't verify deliveries. Add the provider's secret to the hook.",
  secret_malformed: () =>
    "The hook's signing secret can't be decoded, so it can't verify " +
    "deliveries. Copy the provider's secret again, without white space.",
  header_repeated: (subject) =>
    `${subject} was sent more than once. Check for a proxy that adds it again.`,
  header_missing: (subject) => `${subject} is missing. This scheme requires it.`,
  header_unexpected: (subject) => `${subject} doesn't have the value that this scheme requires.`,
  token_missing: (subject) =>
    `${subject} with the shared token is missing. Check that the token is ` +
    "set at the provider and that no proxy drops the header.",
  token_malformed: (subject) => `${subject} doesn't have the format that this scheme requires.`,
  token_mismatch: (subject) =>
    `The token in ${subject} doesn't match any active secret. Use the same value at the provider and in the hook.`,
  body_malformed: (subject) =>
    `${subject} looks like gzip but can't be decompressed, so its signature ` +
    "can't be verified. Turn off compression at the provider.",
  body_mismatch: (subject) =>
    "The signature is correct, but the body doesn't match: its hash differs " +
    `from ${subject}. Check that no proxy changes the body.`,
  claim_missing: (subject) => `${subject} is missing from the signed token.`,
  claim_mismatch: (subject) =>
    `The signature is correct, but ${subject} is not what the hook expects, so the ` +
    "delivery is for another recipient. Check the hook's settings.",
  setting_missing: (subject) =>
    `The hook is missing the setting ${subject}, so it can't verify ` +
    "deliveries. Add it to the hook. The provider shows its value.",
  key_source_refused: (subject) =>
    `${subject} points to a URL where the provider doesn't publish keys, so it was ` +
    "not requested. The delivery is forged, or from another provider.",
  key_unknown: (subject) =>
    `${subject} names a key that the provider doesn't publish. The ` +
    "delivery is forged, or older than the provider's current keys.",
  key_expired: (subject) =>
    `The key that ${subject} names is not valid at this time. If every delivery fails, check this server's clock.`,
  unknown_scheme: () =>
    "This version doesn't know the hook's verification, so it can't " +
    "verify deliveries. Choose the hook's provider again.",
} as const satisfies Record<string, (subject: string, skew: string) => string>;

export type VerifyFailureReason = keyof typeof descriptions;

export const verifyFailureReasons = Object.keys(descriptions) as readonly VerifyFailureReason[];

/** True if the delivery failed verification. */
export function isVerifyFailure(reason: string | null): reason is VerifyFailureReason {
  return (verifyFailureReasons as readonly (string | null)[]).includes(reason);
}

/**
 * The text for the `detail` of the response and the dashboard. Contains no secrets, expected
 * values, or request data.
 */
export function describeVerifyFailure(
  reason: VerifyFailureReason,
  about: { readonly subject?: string | null; readonly skewSeconds?: number | null } = {},
): string {
  const { subject, skewSeconds } = about;
  const skew = typeof skewSeconds === "number" ? describeSkew(skewSeconds) : "some time";
  const text = descriptions[reason](subject ?? "the header", skew);
  return capitalize(text);
}
