/**
 * The only verifier of signature schemes. It fails closed: no usable secret, an unknown scheme, or
 * a malformed request is a failure with a reason, never an exception.
 */

import { createHash } from "node:crypto";
import { findPinnedRoots } from "./certificate/pinned-roots.ts";
import { hashSignedText } from "./kinds/mac.ts";
import { prepareMac } from "./kinds/verify-mac.ts";
import { preparePublicKey } from "./kinds/verify-public-key.ts";
import { checkSigned } from "./kinds/verify-signed.ts";
import { prepareToken } from "./kinds/verify-token.ts";
import {
  type CodeCheck,
  type CodeScheme,
  findSettingProblem,
  isCodeScheme,
  type Settings,
  type SignedText,
} from "./scheme/code-scheme.ts";
import type { VerifyFailure, VerifyFailureReason } from "./scheme/failure.ts";
import type { VerifyRequest } from "./scheme/request-view.ts";
import { compileScheme } from "./scheme/scheme.ts";
import type { KeyLookup, KeySource } from "./scheme/signing-key.ts";

export type Verdict =
  | {
      readonly outcome: "verified";
      readonly scheme: string;
      /** SHA-256 of the signed text, if requested and supported by the scheme. */
      readonly hashSigned?: () => Buffer;
    }
  | ({ readonly outcome: "failed"; readonly scheme: string } & VerifyFailure);

/** The provider's key must be fetched before verifying again. Never counts as verified. */
export type NeedsKey = {
  readonly outcome: "needsKey";
  readonly scheme: string;
  readonly source: KeySource;
};

/**
 * Verifies one request. `nowMs` is the time of arrival, not the time in a worker. `keys` finds
 * published keys, by default only those that are part of Catchment; schemes with pasted secrets
 * don't use it.
 */
export type Verifier = (
  request: VerifyRequest,
  nowMs: number,
  keys?: KeyLookup,
) => Verdict | NeedsKey;

type VerifierOptions = {
  /** The name in verdicts: the provider's id, or "custom". */
  readonly name?: string;
  /** `unknown`, since it may come from storage. An invalid scheme rejects everything. */
  readonly scheme: unknown;
  /** The active secrets, as pasted. Any may match. Unusable ones are skipped. */
  readonly secrets: readonly string[];
  /** The provider's settings. */
  readonly settings?: Settings | undefined;
  /** Replaces both sides of the scheme's window. */
  readonly toleranceSeconds?: number | undefined;
  /** True if verdicts include `hashSigned`. */
  readonly tellsSigned?: boolean | undefined;
};

/** Checks the scheme and decodes the secrets once for all requests of a hook. Reuse the result. */
export function prepareVerifier({ name, scheme, ...options }: VerifierOptions): Verifier {
  const { secrets, settings = {}, toleranceSeconds, tellsSigned = false } = options;
  const prepared = isCodeScheme(scheme)
    ? prepareCode(scheme, secrets, settings, toleranceSeconds)
    : prepareData(scheme, secrets, toleranceSeconds, tellsSigned);
  const label = name ?? prepared.kind;
  if ("reason" in prepared) return rejectAll(label, prepared.reason, prepared.subject);

  const { check } = prepared;
  const verified: Verdict = Object.freeze({ outcome: "verified", scheme: label });
  return (request, nowMs, keys = findPinnedRoots) => {
    const result = check(request, nowMs, keys);
    if (result === null) return verified;
    if ("hashSigned" in result) return { outcome: "verified", scheme: label, ...result };
    if ("signed" in result)
      return tellsSigned
        ? { outcome: "verified", scheme: label, hashSigned: () => hashSigned(result) }
        : verified;
    if ("needsKey" in result)
      return { outcome: "needsKey", scheme: label, source: result.needsKey };
    return { outcome: "failed", scheme: label, ...result };
  };
}

/** Like `prepareVerifier`, for a single request. */
export function verifySignature(
  options: VerifierOptions & {
    readonly request: VerifyRequest;
    readonly nowMs: number;
    readonly keys?: KeyLookup;
  },
): Verdict | NeedsKey {
  return prepareVerifier(options)(options.request, options.nowMs, options.keys);
}

type Prepared =
  | { readonly kind: string; readonly check: CodeCheck | Check }
  | { readonly kind: string; readonly reason: VerifyFailureReason; readonly subject?: string };

function prepareCode(
  scheme: CodeScheme,
  secrets: readonly string[],
  settings: Settings,
  toleranceSeconds: number | undefined,
): Prepared {
  const kind = "code";
  const problem = findSettingProblem(scheme.settings, settings);
  if (problem !== null) return { kind, reason: "setting_missing", subject: problem.setting.name };
  const present = secrets.filter((secret) => secret.trim() !== "");
  if (scheme.takesSecret && present.length === 0) return { kind, reason: "secret_missing" };
  const check = scheme.prepare({ secrets: present, settings, toleranceSeconds });
  return check === null ? { kind, reason: "secret_malformed" } : { kind, check };
}

function prepareData(
  scheme: unknown,
  secrets: readonly string[],
  toleranceSeconds: number | undefined,
  tellsSigned: boolean,
): Prepared {
  const compiled = compileScheme(scheme);
  if (compiled === null) return { kind: "unknown", reason: "unknown_scheme" };
  const { kind } = compiled.scheme;
  if (!secrets.some((secret) => secret.trim() !== "")) return { kind, reason: "secret_missing" };
  const check = prepareCheck(compiled, secrets, toleranceSeconds, tellsSigned);
  return check === null ? { kind, reason: "secret_malformed" } : { kind, check };
}

/** Null: verified, without `hashSigned`. */
type Check = (
  request: VerifyRequest,
  nowMs: number,
) => VerifyFailure | { readonly hashSigned: () => Buffer } | null;

function prepareCheck(
  compiled: NonNullable<ReturnType<typeof compileScheme>>,
  secrets: readonly string[],
  toleranceSeconds: number | undefined,
  tellsSigned: boolean,
): Check | null {
  if (compiled.kind === "token") return prepareToken(compiled.scheme, secrets);
  const matches =
    compiled.kind === "mac" ? prepareMac(compiled, secrets) : preparePublicKey(compiled, secrets);
  if (matches === null) return null;
  return (request, nowMs) => {
    const result = checkSigned(compiled, matches, request, nowMs, toleranceSeconds);
    if ("reason" in result) return result;
    return tellsSigned ? { hashSigned: () => hashSignedText(compiled, result.pieces) } : null;
  };
}

function hashSigned({ signed }: SignedText): Buffer {
  return createHash("sha256").update("r").update(signed).digest();
}

function rejectAll(
  scheme: string,
  reason: VerifyFailureReason,
  subject: string | null = null,
): Verifier {
  const verdict: Verdict = Object.freeze({
    outcome: "failed",
    scheme,
    reason,
    subject,
    skewSeconds: null,
  });
  return () => verdict;
}
