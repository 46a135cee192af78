/** A rejected delivery and its hook, for the tests of this folder. */

import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { diagnose } from "#lib/core/verify/diagnose/diagnose.ts";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import type { DiagnosedSecret, DiagnosisInput } from "#lib/core/verify/diagnose/diagnosis-input.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";

export const nowMs = 1_700_000_000_000;

type TestHook = {
  readonly provider: string;
  /** For "custom". */
  readonly scheme?: Scheme;
  readonly secret?: string;
};

export function schemeOf(id: string): Scheme {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider.scheme;
}

export function secretOf(text: string, fields: Partial<DiagnosedSecret> = {}): DiagnosedSecret {
  return { id: "secret-1", text, expiredAtMs: null, isCurrent: true, ...fields };
}

export function diagnosisInputOf(
  hook: TestHook,
  request: VerifyRequest,
  rest: Partial<DiagnosisInput> = {},
): DiagnosisInput {
  return {
    request,
    receivedAtMs: nowMs,
    wasRejected: true,
    reason: "signature_mismatch",
    hook: {
      provider: hook.provider,
      scheme: hook.scheme ?? schemeOf(hook.provider),
      settings: {},
      methods: ["POST"],
    },
    secrets: hook.secret === undefined ? [] : [secretOf(hook.secret)],
    otherHooks: [],
    wereOthersVerified: false,
    ...rest,
  };
}

export function diagnoseDelivery(
  hook: TestHook,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Uint8Array,
  rest: Partial<DiagnosisInput> = {},
): Diagnosis {
  return diagnose(diagnosisInputOf(hook, requestOf(headers, body), rest));
}
