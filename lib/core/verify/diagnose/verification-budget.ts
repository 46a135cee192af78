/** Verifies hypotheses with the verifier of the catch path, and counts the cost. */
import { type NeedsKey, prepareVerifier, type Verdict } from "#lib/core/verify/verify.ts";
import type { VerificationAttempt } from "./diagnosis-input.ts";

/**
 * Limits for one diagnosis. Measured on two shared cores with `bench/diagnosis.ts`: trying
 * everything takes well under a second for 450 bytes. For 10 MiB, `maxHashedBytes` ends it first.
 */
export const limits = {
  /** Variants to verify. */
  maxTries: 6_000,
  /** Bytes to hash: 51 variants of a 10 MiB body. */
  maxHashedBytes: 512 * 1024 * 1024,
  /** Largest body to rewrite as other JSON. */
  maxRewrittenBytes: 256 * 1024,
  /** Largest body to try pairs with. */
  maxPairedBytes: 64 * 1024,
  /** Other hooks of the account to compare with. */
  maxOtherHooks: 50,
  /** Secrets of one hook to try. */
  maxSecrets: 10,
} as const;

/** About 30,000 years: the signature is checked regardless of its timestamp. */
const anyTime = 1e12;

export class VerificationBudget {
  tried = 0;
  isComplete = true;
  #hashedBytes = 0;

  /** True if the budget is used up. Then the diagnosis is incomplete. */
  get isSpent(): boolean {
    const isSpent = this.tried >= limits.maxTries || this.#hashedBytes >= limits.maxHashedBytes;
    if (isSpent) this.isComplete = false;
    return isSpent;
  }

  /** True if the signature matches, regardless of its timestamp. */
  matches(attempt: VerificationAttempt, atMs: number): boolean {
    return this.verify(attempt, atMs, anyTime).outcome === "verified";
  }

  verify(
    { request, ...options }: VerificationAttempt,
    atMs: number,
    toleranceSeconds?: number,
  ): Verdict | NeedsKey {
    this.tried += 1;
    const verdict = prepareVerifier({ ...options, toleranceSeconds })(request, atMs);
    const wasHashed = verdict.outcome !== "failed" || verdict.reason === "signature_mismatch";
    if (wasHashed)
      this.#hashedBytes += request.body.byteLength * Math.max(1, options.secrets.length);
    return verdict;
  }
}
