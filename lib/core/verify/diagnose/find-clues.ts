/** When nothing is proven: clues from the delivery and the hook's settings, strongest first. */

import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { isCodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import {
  describeVerifyFailure,
  type VerifyFailureReason,
} from "#lib/core/verify/scheme/failure.ts";
import { type NeedsKey, prepareVerifier, type Verdict } from "#lib/core/verify/verify.ts";
import { findBodyClues } from "./body-clues.ts";
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { findProofClues, nameProxy } from "./proof-clues.ts";
import { findSecretClues } from "./secret-clues.ts";

export function findClues(input: DiagnosisInput): readonly Finding[] {
  const active = input.secrets
    .filter(({ expiredAtMs }) => expiredAtMs === null)
    .map(({ text }) => text);
  const { scheme, settings } = input.hook;
  const verdict = prepareVerifier({ scheme, settings, secrets: active })(
    input.request,
    input.receivedAtMs,
  );
  const reason = verdict.outcome === "failed" ? verdict.reason : null;
  const clues = [
    ...findKeyClues(input, verdict),
    ...findProofClues(input, reason),
    ...findSecretClues(input),
    ...findBodyClues(input),
    ...findUrlClues(input, reason),
  ];
  const order = { certain: 0, likely: 1, possible: 2 };
  const sorted = clues.toSorted((one, other) => order[one.confidence] - order[other.confidence]);
  if (sorted.some(({ confidence }) => confidence !== "possible") || !isMismatch(reason))
    return sorted;
  return [...sorted, wrongSecret];
}

/** If the URL is signed, a proxy in front may hide the URL that the provider signed. */
function findUrlClues(
  { hook, request }: DiagnosisInput,
  reason: VerifyFailureReason | null,
): readonly Finding[] {
  const scheme = JSON.stringify(hook.scheme) ?? "";
  if (reason !== "signature_mismatch" || !/\{(?:url|decoded_url|path)[ }]/.test(scheme)) return [];
  const proxy = nameProxy(request.headers);
  if (proxy === null) return [];
  const sentence =
    `The URL is signed too, and there is a proxy in front (${proxy}). If the ` +
    "proxy changes the host or path, the signature can't match. Check that the " +
    "URL at the provider is exactly the hook's catch URL. If providers use " +
    "another host, set CATCHMENT_PUBLIC_URL to it.";
  return [{ code: "url_differs", sentence, confidence: "possible", fix: null }];
}

/** Clues for providers whose schemes are code, and for what they need besides a secret. */
function findKeyClues({ hook }: DiagnosisInput, verdict: Verdict | NeedsKey): readonly Finding[] {
  const name = findProvider(hook.provider)?.name ?? "This provider";
  const finding = { confidence: "certain", fix: null } as const;
  if (verdict.outcome === "needsKey") {
    const sentence =
      `${name} signs with a published key, and a diagnosis doesn't fetch ` +
      "keys. The form of the signature is right, and the key came from an " +
      `address of ${name} when the delivery was rejected.`;
    return [{ ...finding, code: "key_not_at_hand", confidence: "possible", sentence }];
  }
  if (verdict.outcome === "verified") return [];
  if (isCodeScheme(hook.scheme) && verdict.reason === "timestamp_malformed") {
    const sentence =
      `The signature is correct, but ${verdict.subject ?? "its timestamp"} isn't in ` +
      "seconds since 1970. It is probably in milliseconds. Send it in seconds.";
    return [{ ...finding, code: "timestamp_unit", sentence }];
  }
  if (!ownWords.has(verdict.reason)) return [];
  return [
    {
      ...finding,
      code: verdict.reason === "setting_missing" ? "setting_missing" : "refused_otherwise",
      sentence: describeVerifyFailure(verdict.reason, verdict),
    },
  ];
}

/** Reasons that need no further explanation. */
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

const wrongSecret: Finding = {
  code: "secret_suspicious",
  sentence:
    "The signature is present and has the right form, so the secret is probably wrong: it " +
    "belongs to another endpoint or environment, or was replaced at the provider.",
  confidence: "possible",
  fix: null,
};

/** The next step for the user, with the provider's own instructions where the catalog has them. */
export function suggestNext({ hook }: DiagnosisInput, clues: readonly Finding[]): string {
  const provider = findProvider(hook.provider);
  const [first] = clues;
  if (first?.code === "secret_missing") {
    if (provider === undefined)
      return "Add the provider's signing secret to the hook, then resend the delivery from the provider.";
    return `Add the signing secret to the hook. ${provider.secretHelp} ${provider.whereToPaste}`;
  }
  const isUnsigned = clues.some(({ code }) => code === "header_missing" || code === "sent_by_hand");
  if (isUnsigned) {
    const setUp =
      provider === undefined ? "" : ` ${provider.whereToPaste} More: ${provider.docsUrl}`;
    return `Send a test event from the provider to the hook's catch URL.${setUp}`;
  }
  return provider === undefined
    ? "Copy the secret again from the provider's settings for this hook's URL, and " +
        "compare the hook's scheme with the provider's documentation."
    : `Copy the secret again. ${provider.secretHelp} ${provider.whereToPaste} More: ${provider.docsUrl}`;
}

/** The list of what was tried, shown if nothing matched. */
export const triedHypotheses =
  "Tried alone and in pairs: variants of the secret, the hook's previous secrets, the " +
  "secrets of your other hooks, the schemes of all other providers, other hashes, " +
  "encodings, and signed texts, variants of the URL, and changes to the body.";
