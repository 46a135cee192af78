/**
 * The input of a diagnosis: a stored delivery, its current hook, and everything else that could
 * explain it.
 */
import type { Settings } from "#lib/core/verify/scheme/code-scheme.ts";
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";

export type DiagnosisInput = {
  /** The stored request. `url` is the hook's public URL with the requested path and query. */
  readonly request: VerifyRequest;
  readonly receivedAtMs: number;
  readonly wasRejected: boolean;
  /** The stored reason code. */
  readonly reason: string | null;
  readonly hook: DiagnosedHook;
  /** Active and expired, newest first. */
  readonly secrets: readonly DiagnosedSecret[];
  readonly otherHooks: readonly OtherHook[];
  /**
   * True if other deliveries to this hook were verified around the same time, so the clocks are
   * right.
   */
  readonly wereOthersVerified: boolean;
};

type DiagnosedHook = {
  /** An id from the catalog, "custom", or "generic". */
  readonly provider: string;
  /** The scheme from storage. Null for "generic". */
  readonly scheme: unknown;
  /** Settings that the provider needs besides the secret. */
  readonly settings: Settings;
  /** The hook's own tolerance. Null: the provider's. */
  readonly toleranceSeconds?: number | null;
  readonly methods: readonly string[];
};

export type DiagnosedSecret = {
  readonly id: string;
  readonly text: string;
  /** Unix milliseconds. Null: active. */
  readonly expiredAtMs: number | null;
  /** True for the newest active secret. A corrected copy may replace it. */
  readonly isCurrent: boolean;
};

/** Another hook of the account. Only its name is ever shown. */
export type OtherHook = {
  readonly name: string;
  readonly scheme: unknown;
  readonly settings: Settings;
  readonly secrets: readonly string[];
};

/** Everything that verifying a request depends on. A hypothesis changes part of it. */
export type VerificationAttempt = {
  readonly scheme: Scheme;
  readonly secrets: readonly string[];
  readonly settings: Settings;
  readonly request: VerifyRequest;
};
