/** Why a delivery was not verified: a closed set of codes, and words for people that say what to do next. */

/** `subject` is the header, field or parameter it is about; `skewSeconds` is how far outside the clock is. */
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
    `${subject} with the signature is missing. Check that signing is switched on at the sender, that the hook's provider is the right one, and that no proxy drops the header.`,
  signature_malformed: (subject) =>
    `The signature in ${subject} does not have the format of this scheme. Check that the hook's provider (or its custom verification) is the right one.`,
  signature_mismatch: (subject) =>
    `The signature in ${subject} fits none of the hook's active secrets. Check that the signing secret is the one the sender shows for exactly this URL, and that nothing on the way changes the body.`,
  timestamp_missing: (subject) =>
    `${subject} with the time of sending is missing. Check that the hook's provider is the right one and that no proxy drops the header.`,
  timestamp_malformed: (subject) =>
    `The time of sending in ${subject} is not in the format of this scheme. Check that the hook's provider is the right one.`,
  timestamp_too_old: (subject, skew) =>
    `The signature is right, but the time in ${subject} is ${skew} too far in the past. Let the sender send it again; if it happens every time, set this machine's clock.`,
  timestamp_in_future: (subject, skew) =>
    `The signature is right, but the time in ${subject} is ${skew} too far in the future. Set this machine's clock, or the sender's.`,
  id_missing: (subject) =>
    `${subject} with the message id is missing. Check that the hook's provider is the right one and that no proxy drops the header.`,
  id_malformed: (subject) =>
    `The message id in ${subject} holds a dot, white space or a character that is not printable ASCII, which could make one signature fit two messages. The sender has to send another id.`,
  value_missing: (subject) => `${subject}, which is part of the signed text, is missing.`,
  too_many_signatures: (subject) =>
    `${subject} holds more than 10 signatures. The sender has to send fewer, one for each of its active secrets.`,
  secret_missing: () =>
    "The hook has no signing secret, so nothing can be verified. Add the sender's secret to the hook.",
  secret_malformed: () =>
    "The hook's signing secret can't be decoded, so nothing can be verified. Copy the sender's secret again, whole and without white space.",
  header_repeated: (subject) =>
    `${subject} was sent more than once, and only one may count. Check for a proxy that adds it again.`,
  header_missing: (subject) => `${subject} is missing, and this scheme requires it.`,
  header_unexpected: (subject) => `${subject} has another value than this scheme requires.`,
  token_missing: (subject) =>
    `${subject} with the shared token is missing. Check that the token is set at the sender and that no proxy drops the header.`,
  token_malformed: (subject) => `${subject} does not have the form this scheme requires.`,
  token_mismatch: (subject) =>
    `The token in ${subject} is none of the hook's active secrets. Paste the same value at the sender and in the hook.`,
  body_mismatch: (subject) =>
    `The signature is right, but the body is not the one that was signed: its hash differs from ${subject}. Check that nothing on the way changes the body.`,
  claim_missing: (subject) => `${subject}, which the signed token has to hold, is missing.`,
  claim_mismatch: (subject) =>
    `The signature is right, but ${subject} is not what the hook expects, so the delivery was meant for somebody else. Check the hook's settings.`,
  setting_missing: (subject) =>
    `The hook lacks the setting ${subject}, so nothing can be verified. Add it to the hook; the sender shows its value.`,
  key_source_refused: (subject) =>
    `${subject} names an address that the sender never publishes its keys at, so it was not asked. Such a delivery is forged, or not from this sender.`,
  key_unknown: (subject) =>
    `${subject} names a key that the sender does not have. Such a delivery is forged, or older than the sender's present keys.`,
  key_expired: (subject) =>
    `The key that ${subject} names is not valid at this time. If this happens every time, set this machine's clock.`,
  unknown_scheme: () =>
    "The hook's verification is not known to this version, so nothing can be verified. Choose the hook's provider again.",
} as const satisfies Record<string, (subject: string, skew: string) => string>;

export type VerifyFailureReason = keyof typeof descriptions;

export const verifyFailureReasons = Object.keys(descriptions) as readonly VerifyFailureReason[];

/** Words for the catch answer's `detail` and the dashboard. Holds no secret, no expected value, nothing of the request. */
export function describeVerifyFailure(
  reason: VerifyFailureReason,
  about: { readonly subject?: string | null; readonly skewSeconds?: number | null } = {},
): string {
  const text = descriptions[reason](
    about.subject ?? "the header",
    describeSeconds(about.skewSeconds ?? null),
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeSeconds(seconds: number | null): string {
  if (seconds === null) return "some time";
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
