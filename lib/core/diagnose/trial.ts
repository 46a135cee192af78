/** Verifies hypotheses with the interpreter of the catch path, and counts what that costs. */
import { type NeedsKey, prepareVerifier, type Verdict } from "#lib/core/verify/verify.ts";
import type { Case } from "./patient.ts";

/**
 * What one diagnosis may cost. Measured on two shared cores with `bench/measure/diagnosis.ts`: where nothing explains a delivery
 * of 450 bytes all is tried in well under a second; of a body of 10 MiB the bytes run out first.
 */
export const bounds = {
  /** Variants that are verified. */
  tries: 6_000,
  /** Bytes that go through a hash: 51 variants of a body of 10 MiB. */
  hashedBytes: 512 * 1024 * 1024,
  /** Larger bodies are not written anew as other JSON. */
  rewrittenBytes: 256 * 1024,
  /** Two things at once are tried with bodies up to this size. */
  pairedBytes: 64 * 1024,
  /** Hooks of the account that it is compared with. */
  otherHooks: 50,
  /** Secrets of one hook. */
  secrets: 10,
} as const;

/** In seconds, about 30,000 years: a signature is looked at before its time. */
const anyTime = 1e12;

export class Trial {
  tried = 0;
  isComplete = true;
  #hashedBytes = 0;

  /** Whether there is budget for another; once there was not, the diagnosis is not complete. */
  get isSpent(): boolean {
    const isSpent = this.tried >= bounds.tries || this.#hashedBytes >= bounds.hashedBytes;
    if (isSpent) this.isComplete = false;
    return isSpent;
  }

  /** Whether a signature fits, whatever its time. */
  fits(subject: Case, atMs: number): boolean {
    return this.verify(subject, atMs, anyTime).outcome === "verified";
  }

  verify({ request, ...options }: Case, atMs: number, toleranceSeconds?: number): Verdict | NeedsKey {
    this.tried += 1;
    const verdict = prepareVerifier({ ...options, toleranceSeconds })(request, atMs);
    const wasHashed = verdict.outcome !== "failed" || verdict.reason === "signature_mismatch";
    if (wasHashed) this.#hashedBytes += request.body.byteLength * Math.max(1, options.secrets.length);
    return verdict;
  }
}
