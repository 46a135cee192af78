/** A possible mistake, as a change that undoes it. */
import type { FindingCode, Fix, FixData } from "./diagnosis.ts";
import type { VerificationAttempt } from "./diagnosis-input.ts";

export type Hypothesis = {
  /** Two hypotheses on the same axis are never combined. */
  readonly axis: "secret" | "scheme" | "header" | "url" | "body";
  readonly code: FindingCode;
  /** Shown only if proven. */
  readonly sentence: string;
  readonly fix: Fix | null;
  /** Undoes the mistake. Null if that changes nothing. */
  readonly apply: (attempt: VerificationAttempt) => VerificationAttempt | null;
};

export function withFix(data: FixData, label: string, effect: string): Fix {
  return { ...data, label, effect };
}

/** `x-hub-signature-256` → `X-Hub-Signature-256`. */
export function showHeaderName(name: string): string {
  return name.replaceAll(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
}
