import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { diagnose } from "#lib/core/verify/diagnose/diagnose.ts";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import type { DiagnosisInput, OtherHook } from "#lib/core/verify/diagnose/diagnosis-input.ts";

/**
 * The part of the input that can be copied to a thread. Code schemes are sent as the id of their
 * provider.
 */
export type SentDiagnosisInput = Omit<DiagnosisInput, "otherHooks"> & {
  readonly otherHooks: readonly (OtherHook & { readonly provider: string })[];
};

export function toSentInput(input: SentDiagnosisInput): SentDiagnosisInput {
  return {
    ...input,
    hook: withoutKnownScheme(input.hook),
    otherHooks: input.otherHooks.map(withoutKnownScheme),
  };
}

export function diagnoseSent(sent: SentDiagnosisInput): Diagnosis {
  // Copied objects have a prototype, and a header may have the name of one of its properties.
  const headers = Object.assign(Object.create(null), sent.request.headers);
  return diagnose({
    ...sent,
    request: { ...sent.request, headers },
    hook: withKnownScheme(sent.hook),
    otherHooks: sent.otherHooks.map(withKnownScheme),
  });
}

type WithScheme = { readonly provider: string; readonly scheme: unknown };

function withoutKnownScheme<Hook extends WithScheme>(hook: Hook): Hook {
  return hook.provider === "custom" ? hook : { ...hook, scheme: null };
}

function withKnownScheme<Hook extends WithScheme>(hook: Hook): Hook {
  return hook.provider === "custom"
    ? hook
    : { ...hook, scheme: findProvider(hook.provider)?.scheme ?? null };
}
