/**
 * The one interpreter of signature schemes. It fails closed: no usable secret, an unknown scheme or a
 * malformed request is a refusal with a reason, never an exception and never a pass.
 */
import {
  type CodeCheck,
  type CodeScheme,
  findSettingProblem,
  isCodeScheme,
  type Settings,
} from "./code-scheme.ts";
import type { VerifyFailure, VerifyFailureReason } from "./failure.ts";
import type { VerifyRequest } from "./request-view.ts";
import { compileScheme } from "./scheme.ts";
import type { KeyLookup, KeySource } from "./signing-key.ts";
import { prepareMac } from "./verify-mac.ts";
import { preparePublicKey } from "./verify-public-key.ts";
import { checkSigned } from "./verify-signed.ts";
import { prepareToken } from "./verify-token.ts";

export type Verdict =
  | { readonly outcome: "verified"; readonly scheme: string }
  | ({ readonly outcome: "failed"; readonly scheme: string } & VerifyFailure);

/** Nothing can be said before a key of the sender is at hand: fetch it, then ask again. Never a pass. */
export type NeedsKey = { readonly outcome: "needsKey"; readonly scheme: string; readonly source: KeySource };

/**
 * Verifies one request. `nowMs` is the time of arrival: measure at the door, not in a worker. `keys` has those that were
 * fetched from senders; schemes with pasted secrets never ask it.
 */
export type Verifier = (request: VerifyRequest, nowMs: number, keys?: KeyLookup) => Verdict | NeedsKey;

export type VerifierOptions = {
  /** Said in verdicts: the provider's id, or "custom". */
  readonly name?: string;
  /** `unknown`, because it may come back from storage. What is not a scheme refuses everything. */
  readonly scheme: unknown;
  /** The active ones, as pasted. Any may match. Those that can't be used are left out. */
  readonly secrets: readonly string[];
  /** What the provider declares beside the secret. */
  readonly settings?: Settings | undefined;
  /** Replaces the scheme's window on both sides, in seconds. */
  readonly toleranceSeconds?: number | undefined;
};

/** Does the work that all requests of a hook share: checks the scheme, decodes the secrets. Keep the result. */
export function prepareVerifier({ name, scheme, ...options }: VerifierOptions): Verifier {
  const { secrets, settings = {}, toleranceSeconds } = options;
  const prepared = isCodeScheme(scheme)
    ? prepareCode(scheme, secrets, settings, toleranceSeconds)
    : prepareData(scheme, secrets, toleranceSeconds);
  const label = name ?? prepared.kind;
  if ("reason" in prepared) return refuseAll(label, prepared.reason, prepared.subject);

  const { check } = prepared;
  const verified: Verdict = Object.freeze({ outcome: "verified", scheme: label });
  return (request, nowMs, keys = nothingFetched) => {
    const failure = check(request, nowMs, keys);
    if (failure === null) return verified;
    if ("needsKey" in failure) return { outcome: "needsKey", scheme: label, source: failure.needsKey };
    return { outcome: "failed", scheme: label, ...failure };
  };
}

/** As `prepareVerifier`, for one request: decodes the secrets every time. */
export function verifySignature(
  options: VerifierOptions & {
    readonly request: VerifyRequest;
    readonly nowMs: number;
    readonly keys?: KeyLookup;
  },
): Verdict | NeedsKey {
  return prepareVerifier(options)(options.request, options.nowMs, options.keys);
}

const nothingFetched: KeyLookup = () => undefined;

type Prepared =
  | { readonly kind: string; readonly check: CodeCheck }
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
): Prepared {
  const compiled = compileScheme(scheme);
  if (compiled === null) return { kind: "unknown", reason: "unknown_scheme" };
  const { kind } = compiled.scheme;
  if (!secrets.some((secret) => secret.trim() !== "")) return { kind, reason: "secret_missing" };
  const check = prepareCheck(compiled, secrets, toleranceSeconds);
  return check === null ? { kind, reason: "secret_malformed" } : { kind, check };
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

function refuseAll(scheme: string, reason: VerifyFailureReason, subject: string | null = null): Verifier {
  const verdict: Verdict = Object.freeze({ outcome: "failed", scheme, reason, subject, skewSeconds: null });
  return () => verdict;
}
