/** What can be wrong with the secret: how it was copied, which of several it is, whose it is. */
import { changeSecret, describeSecretChange, listSecretChanges } from "./change-secret.ts";
import { describeSpan } from "./describe-span.ts";
import type { Fix } from "./diagnosis.ts";
import { type Lever, withFix } from "./lever.ts";
import type { OtherHook, Patient, PatientSecret } from "./patient.ts";
import { bounds } from "./trial.ts";

const day = 86_400;

export function listSecretLevers(patient: Patient): readonly Lever[] {
  const secrets = patient.secrets.slice(0, bounds.secrets);
  const seen = new Set(secrets.map(({ text }) => text));
  return [
    ...secrets
      .filter(({ expiredAtMs }) => expiredAtMs === null)
      .flatMap((secret) => listCopySlips(secret, seen)),
    ...secrets.flatMap((secret) => toPreviousLever(secret, patient.receivedAtMs)),
  ];
}

/** Secrets of other hooks, and words that stand there when a setting was never filled in. */
export function listForeignSecretLevers({ otherHooks }: Patient): readonly Lever[] {
  return [
    ...otherHooks.slice(0, bounds.otherHooks).flatMap(toOtherHookLevers),
    ...placeholders.map(toPlaceholderLever),
  ];
}

function listCopySlips(secret: PatientSecret, seen: Set<string>): readonly Lever[] {
  return listSecretChanges().flatMap((change) => {
    const changed = changeSecret(secret.text, change);
    if (changed === "" || seen.has(changed)) return [];
    seen.add(changed);
    const what = describeSecretChange(secret.text, change);
    return {
      axis: "secret",
      code: "secret_text",
      sentence: `The hook's secret ${what}. Make the two the same, to the last character.`,
      fix: toReplaceFix(secret, change),
      pull: (subject) => ({ ...subject, secrets: [changed] }),
    } satisfies Lever;
  });
}

/** Only the newest is replaced: a copy of an older one would become the hook's main secret. */
function toReplaceFix(secret: PatientSecret, change: Parameters<typeof changeSecret>[1]): Fix | null {
  if (!secret.isCurrent) return null;
  return withFix(
    { kind: "replace_secret", secretId: secret.id, change },
    "Correct the secret",
    "The hook gets the corrected secret. The one it has now passes for another day, then ends.",
  );
}

function toPreviousLever({ id, text, expiredAtMs }: PatientSecret, receivedAtMs: number): readonly Lever[] {
  if (expiredAtMs === null) return [];
  const span = describeSpan(Math.abs(receivedAtMs - expiredAtMs) / 1000);
  const when = expiredAtMs <= receivedAtMs ? `${span} before this arrived` : `${span} after this arrived`;
  return [
    {
      axis: "secret",
      code: "secret_previous",
      sentence: `It is signed with the hook's previous secret, which expired ${when}. The sender has not taken over the new one: enter it there, and let the previous one pass until then.`,
      fix: withFix(
        { kind: "extend_secret", secretId: id, seconds: day },
        "Let it pass for another day",
        "The previous secret passes again for 24 hours, beside the present one. Enter the new one at the sender in that time.",
      ),
      pull: (subject) => ({ ...subject, secrets: [text] }),
    },
  ];
}

function toOtherHookLevers({ name, scheme, settings, secrets }: OtherHook): readonly Lever[] {
  const shown = showName(name);
  const own = secrets.map(
    (text): Lever => ({
      axis: "secret",
      code: "secret_of_other_hook",
      sentence: `It is signed with the secret of your hook ${shown}. Either the sender posts to the wrong one of your catch URLs, or the two secrets were mixed up: copy the secret that the sender shows for this hook's URL.`,
      fix: null,
      pull: (subject) => ({ ...subject, secrets: [text] }),
    }),
  );
  if (scheme === null || secrets.length === 0) return own;
  const whole: Lever = {
    axis: "scheme",
    code: "other_hook",
    sentence: `Your hook ${shown} would have taken it: scheme and secret fit there. The sender posts to the wrong one of your catch URLs; give it that hook's.`,
    fix: null,
    // What is no scheme refuses: the interpreter checks it.
    pull: (subject) => ({ ...subject, scheme: scheme as typeof subject.scheme, settings, secrets }),
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

function toPlaceholderLever(text: string): Lever {
  return {
    axis: "secret",
    code: "secret_placeholder",
    sentence: `The sender signs with the text "${text}" as its secret, so its setting was never filled in. Set the hook's secret at the sender.`,
    fix: null,
    pull: (subject) => (subject.secrets.includes(text) ? null : { ...subject, secrets: [text] }),
  };
}

function showName(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}
