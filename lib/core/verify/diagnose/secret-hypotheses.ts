/** The possible problems of a secret: copied badly, replaced, or another hook's. */

import { describeSkew } from "#lib/core/verify/scheme/describe-skew.ts";
import {
  changeSecret,
  describeSecretChange,
  listSecretChanges,
} from "#lib/core/verify/secret/change-secret.ts";
import type { Fix } from "./diagnosis.ts";
import type { DiagnosedSecret, DiagnosisInput, OtherHook } from "./diagnosis-input.ts";
import { type Hypothesis, withFix } from "./hypothesis.ts";
import { limits } from "./verification-budget.ts";

const day = 86_400;

export function listSecretHypotheses(input: DiagnosisInput): readonly Hypothesis[] {
  const secrets = input.secrets.slice(0, limits.maxSecrets);
  const seen = new Set(secrets.map(({ text }) => text));
  return [
    ...secrets
      .filter(({ expiredAtMs }) => expiredAtMs === null)
      .flatMap((secret) => listCopySlips(secret, seen)),
    ...secrets.flatMap((secret) => toPreviousHypothesis(secret, input.receivedAtMs)),
  ];
}

/** Secrets of other hooks, and common placeholders. */
export function listForeignSecretHypotheses({ otherHooks }: DiagnosisInput): readonly Hypothesis[] {
  return [
    ...otherHooks.slice(0, limits.maxOtherHooks).flatMap(toOtherHookHypotheses),
    ...placeholders.map(toPlaceholderHypothesis),
  ];
}

function listCopySlips(secret: DiagnosedSecret, seen: Set<string>): readonly Hypothesis[] {
  return listSecretChanges().flatMap((change) => {
    const changed = changeSecret(secret.text, change);
    if (changed === "" || seen.has(changed)) return [];
    seen.add(changed);
    return {
      axis: "secret",
      code: "secret_text",
      sentence: describeSecretChange(secret.text, change),
      fix: toReplaceFix(secret, change),
      apply: (attempt) => ({ ...attempt, secrets: [changed] }),
    } satisfies Hypothesis;
  });
}

/** Replaces only the newest: a copy of an older one would become the hook's main secret. */
function toReplaceFix(
  secret: DiagnosedSecret,
  change: Parameters<typeof changeSecret>[1],
): Fix | null {
  if (!secret.isCurrent) return null;
  return withFix(
    { kind: "replace_secret", secretId: secret.id, change },
    "Correct the secret",
    "The hook gets the corrected secret. The current one stays active for another day.",
  );
}

function toPreviousHypothesis(
  { id, text, expiredAtMs }: DiagnosedSecret,
  receivedAtMs: number,
): readonly Hypothesis[] {
  if (expiredAtMs === null) return [];
  const span = describeSkew(Math.abs(receivedAtMs - expiredAtMs) / 1000);
  const when =
    expiredAtMs <= receivedAtMs ? `${span} before this arrived` : `${span} after this arrived`;
  return [
    {
      axis: "secret",
      code: "secret_previous",
      sentence:
        `The delivery is signed with the hook's previous secret, which expired ${when}. Enter ` +
        "the new secret at the provider, and keep the previous one active until then.",
      fix: withFix(
        { kind: "extend_secret", secretId: id, seconds: day },
        "Extend the previous secret by a day",
        "The previous secret will be active for 24 hours, alongside the current " +
          "one. Enter the new secret at the provider before then.",
      ),
      apply: (attempt) => ({ ...attempt, secrets: [text] }),
    },
  ];
}

function toOtherHookHypotheses({
  name,
  scheme,
  settings,
  secrets,
}: OtherHook): readonly Hypothesis[] {
  const shown = showName(name);
  const own = secrets.map(
    (text): Hypothesis => ({
      axis: "secret",
      code: "secret_of_other_hook",
      sentence:
        `The delivery is signed with the secret of your hook ${shown}. Either the ` +
        "provider uses the wrong catch URL, or the secrets were mixed up. Copy the " +
        "secret that the provider shows for this hook's URL.",
      fix: null,
      apply: (attempt) => ({ ...attempt, secrets: [text] }),
    }),
  );
  if (scheme === null || secrets.length === 0) return own;
  const whole: Hypothesis = {
    axis: "scheme",
    code: "other_hook",
    sentence:
      `Your hook ${shown} would have accepted this delivery: its scheme and ` +
      "secret match. Set that hook's catch URL at the provider.",
    fix: null,
    // The verifier rejects an invalid scheme.
    apply: (attempt) => ({
      ...attempt,
      scheme: scheme as typeof attempt.scheme,
      settings,
      secrets,
    }),
  };
  return [...own, whole];
}

const placeholders = [
  "undefined",
  "null",
  "None",
  "nil",
  "secret",
  "your_webhook_secret",
  "changeme",
  "[object Object]",
];

function toPlaceholderHypothesis(text: string): Hypothesis {
  return {
    axis: "secret",
    code: "secret_placeholder",
    sentence:
      `The provider signs with the text "${text}" as its secret, so its ` +
      "secret was never set. Set the hook's secret at the provider.",
    fix: null,
    apply: (attempt) => (attempt.secrets.includes(text) ? null : { ...attempt, secrets: [text] }),
  };
}

function showName(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}
