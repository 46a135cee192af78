/**
 * The one interpreter of signature schemes. It fails closed: no usable secret, an unknown scheme or a
 * malformed request is a refusal with a reason, never an exception and never a pass.
 */
import type { VerifyFailure, VerifyFailureReason } from "./failure.ts";
import type { VerifyRequest } from "./request-view.ts";
import { compileScheme } from "./scheme.ts";
import { prepareMac } from "./verify-mac.ts";
import { preparePublicKey } from "./verify-public-key.ts";
import { checkSigned } from "./verify-signed.ts";
import { prepareToken } from "./verify-token.ts";

export type Verdict =
  | { readonly outcome: "verified"; readonly scheme: string }
  | ({ readonly outcome: "failed"; readonly scheme: string } & VerifyFailure);

/** Verifies one request. `nowMs` is the time of arrival: measure at the door, not in a worker. */
export type Verifier = (request: VerifyRequest, nowMs: number) => Verdict;

export type VerifierOptions = {
  /** Said in verdicts: the provider's id, or "custom". */
  readonly name?: string;
  /** `unknown`, because it may come back from storage. What is not a scheme refuses everything. */
  readonly scheme: unknown;
  /** The active ones, as pasted. Any may match. Those that can't be used are left out. */
  readonly secrets: readonly string[];
  /** Replaces the scheme's window on both sides, in seconds. */
  readonly toleranceSeconds?: number | undefined;
};

/** Does the work that all requests of a hook share: checks the scheme, decodes the secrets. Keep the result. */
export function prepareVerifier({ name, scheme, secrets, toleranceSeconds }: VerifierOptions): Verifier {
  const compiled = compileScheme(scheme);
  const label = name ?? compiled?.scheme.kind ?? "unknown";
  if (compiled === null) return refuseAll(label, "unknown_scheme");
  if (!secrets.some((secret) => secret.trim() !== "")) return refuseAll(label, "secret_missing");

  const check = prepareCheck(compiled, secrets, toleranceSeconds);
  if (check === null) return refuseAll(label, "secret_malformed");

  const verified: Verdict = Object.freeze({ outcome: "verified", scheme: label });
  return (request, nowMs) => {
    const failure = check(request, nowMs);
    return failure === null ? verified : { outcome: "failed", scheme: label, ...failure };
  };
}

/** As `prepareVerifier`, for one request: decodes the secrets every time. */
export function verifySignature(
  options: VerifierOptions & { readonly request: VerifyRequest; readonly nowMs: number },
): Verdict {
  return prepareVerifier(options)(options.request, options.nowMs);
}

type Check = (request: VerifyRequest, nowMs: number) => VerifyFailure | null;

function prepareCheck(
  compiled: NonNullable<ReturnType<typeof compileScheme>>,
  secrets: readonly string[],
  toleranceSeconds: number | undefined,
): Check | null {
  if (compiled.kind === "token") return prepareToken(compiled.scheme, secrets);
  const matches =
    compiled.kind === "mac" ? prepareMac(compiled, secrets) : preparePublicKey(compiled, secrets);
  if (matches === null) return null;
  return (request, nowMs) => checkSigned(compiled, matches, request, nowMs, toleranceSeconds);
}

function refuseAll(scheme: string, reason: VerifyFailureReason): Verifier {
  const verdict: Verdict = Object.freeze({
    outcome: "failed",
    scheme,
    reason,
    subject: null,
    skewSeconds: null,
  });
  return () => verdict;
}
