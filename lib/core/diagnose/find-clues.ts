/** Where nothing could be proven: what the delivery and the hook's settings still tell, the strongest first. */

import { describeVerifyFailure, type VerifyFailureReason } from "#lib/core/verify/failure.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { type NeedsKey, prepareVerifier, type Verdict } from "#lib/core/verify/verify.ts";
import { findBodyClues } from "./body-clues.ts";
import type { Finding } from "./diagnosis.ts";
import type { Patient } from "./patient.ts";
import { findProofClues } from "./proof-clues.ts";
import { findSecretClues } from "./secret-clues.ts";

export function findClues(patient: Patient): readonly Finding[] {
  const active = patient.secrets.filter(({ expiredAtMs }) => expiredAtMs === null).map(({ text }) => text);
  const { scheme, settings } = patient.hook;
  const verdict = prepareVerifier({ scheme, settings, secrets: active })(
    patient.request,
    patient.receivedAtMs,
  );
  const reason = verdict.outcome === "failed" ? verdict.reason : null;
  const clues = [
    ...findKeyClues(patient, verdict),
    ...findProofClues(patient, reason),
    ...findSecretClues(patient),
    ...findBodyClues(patient),
  ];
  const order = { certain: 0, likely: 1, possible: 2 };
  const sorted = clues.toSorted((one, other) => order[one.confidence] - order[other.confidence]);
  if (sorted.some(({ confidence }) => confidence !== "possible") || !isMismatch(reason)) return sorted;
  return [...sorted, mostLikelyTheSecret];
}

/** Senders whose schemes are code: what they need beside a secret. */
function findKeyClues({ hook }: Patient, verdict: Verdict | NeedsKey): readonly Finding[] {
  const name = findProvider(hook.provider)?.name ?? "This sender";
  const finding = { confidence: "certain", fix: null } as const;
  if (verdict.outcome === "needsKey") {
    const sentence = `${name} signs with a key that it publishes, and the doctor fetches nothing. What can be said without it: the form is right, and the key was fetched from an address that is ${name}'s when the delivery was refused.`;
    return [{ ...finding, code: "key_not_at_hand", confidence: "possible", sentence }];
  }
  if (verdict.outcome === "verified" || !ownWords.has(verdict.reason)) return [];
  return [
    {
      ...finding,
      code: verdict.reason === "setting_missing" ? "setting_missing" : "refused_otherwise",
      sentence: describeVerifyFailure(verdict.reason, verdict),
    },
  ];
}

/** Reasons that say all there is to say. */
const ownWords: ReadonlySet<string> = new Set([
  "setting_missing",
  "body_mismatch",
  "claim_missing",
  "claim_mismatch",
  "key_source_refused",
  "key_unknown",
  "key_expired",
  "id_malformed",
  "too_many_signatures",
]);

function isMismatch(reason: VerifyFailureReason | null): boolean {
  return reason === "signature_mismatch" || reason === "token_mismatch";
}

const mostLikelyTheSecret: Finding = {
  code: "secret_suspicious",
  sentence:
    "What should carry the signature is there and in the right form, so most likely the secret is another one: that of another endpoint, of another environment, or one that was replaced at the sender.",
  confidence: "possible",
  fix: null,
};

/** What to do next, from the catalogue where the sender is in it. */
export function suggestNext({ hook }: Patient, clues: readonly Finding[]): string {
  const provider = findProvider(hook.provider);
  const [first] = clues;
  if (first?.code === "secret_missing") {
    if (provider === undefined)
      return "Add the sender's signing secret to the hook; then let the sender send it again.";
    return `Add the signing secret to the hook. ${provider.secretHelp} ${provider.whereToPaste}`;
  }
  const isUnsigned = clues.some(({ code }) => code === "header_missing" || code === "sent_by_hand");
  if (isUnsigned) {
    const setUp = provider === undefined ? "" : ` ${provider.whereToPaste} More: ${provider.docsUrl}`;
    return `Let the sender send a test event to the hook's catch URL.${setUp}`;
  }
  return provider === undefined
    ? "Copy the secret again, whole, from where the sender shows it for exactly this hook's URL, and compare the hook's scheme with the sender's documentation."
    : `Copy the secret again. ${provider.secretHelp} ${provider.whereToPaste} More: ${provider.docsUrl}`;
}

/** What was undone where nothing helped. */
export const describeTrial =
  "Other spellings of the secret, the hook's previous secrets, those of your other hooks, the schemes of all other senders, other hashes, encodings and signed texts, other forms of the URL, and a body changed on its way were tried, alone and in pairs.";
