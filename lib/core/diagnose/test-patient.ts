/** For the tests of this folder: a delivery that was refused, and the hook that refused it. */
import { findProvider } from "#lib/core/verify/providers.ts";
import type { VerifyRequest } from "#lib/core/verify/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import { requestOf } from "#lib/core/verify/test-request.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { Patient, PatientSecret } from "./patient.ts";

export const nowMs = 1_700_000_000_000;

export type TestHook = {
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

export function secretOf(text: string, fields: Partial<PatientSecret> = {}): PatientSecret {
  return { id: "secret-1", text, expiredAtMs: null, isCurrent: true, ...fields };
}

export function patientOf(hook: TestHook, request: VerifyRequest, rest: Partial<Patient> = {}): Patient {
  return {
    request,
    receivedAtMs: nowMs,
    wasRefused: true,
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

/** The diagnosis of a delivery with these headers and this body. */
export function diagnoseDelivery(
  hook: TestHook,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Uint8Array,
  rest: Partial<Patient> = {},
): Diagnosis {
  return diagnose(patientOf(hook, requestOf(headers, body), rest));
}
