/** Explains a correct signature with a bad timestamp: how far off, and the likely cause. */
import { describeSkew } from "#lib/core/verify/scheme/describe-skew.ts";
import { compileScheme, findWindow, type Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { Finding } from "./diagnosis.ts";
import type { DiagnosisInput, VerificationAttempt } from "./diagnosis-input.ts";
import { withFix } from "./hypothesis.ts";
import type { VerificationBudget } from "./verification-budget.ts";

/** Null if the timestamp is fine too. */
export function describeTime(
  input: DiagnosisInput,
  attempt: VerificationAttempt,
  budget: VerificationBudget,
): Finding | null {
  const tolerance = input.hook.toleranceSeconds ?? undefined;
  const verdict = budget.verify(attempt, input.receivedAtMs, tolerance);
  const provided = findWindow(attempt.scheme);
  const window =
    provided === null || tolerance === undefined
      ? provided
      : { pastSeconds: tolerance, futureSeconds: tolerance };
  if (verdict.outcome !== "failed" || window === null || verdict.skewSeconds === null) return null;
  const isOld = verdict.reason === "timestamp_too_old";
  const offset = verdict.skewSeconds + (isOld ? window.pastSeconds : window.futureSeconds);
  const unit = offset > decade ? tryUnits(input, attempt, budget) : null;
  if (unit !== null) return unit;
  const allowed = describeSkew(isOld ? window.pastSeconds : window.futureSeconds);
  const excess = `${describeSkew(verdict.skewSeconds)} too ${isOld ? "old" : "far in the future"}`;
  const size =
    `The signature is correct, but it is ${excess}: its timestamp is ` +
    `${describeSkew(offset)} ${isOld ? "before" : "after"} the delivery arrived. The limit ` +
    `is ${allowed}.`;
  return {
    code: isOld ? "timestamp_too_old" : "timestamp_in_future",
    sentence: `${size} ${explainOffset(offset, isOld, input)}`,
    confidence: "certain",
    fix: null,
  };
}

const hour = 3600;
const decade = 10 * 365 * 86_400;

function explainOffset(
  offset: number,
  isOld: boolean,
  { wereOthersVerified }: DiagnosisInput,
): string {
  if (wereOthersVerified && isOld) {
    return (
      "Other deliveries to this hook were verified around the same time, so the clocks " +
      "are right: this one was delayed on the way, or is an old one sent again. Resend " +
      "it from the provider to sign it with the current time."
    );
  }
  if (isWholeHours(offset)) {
    return (
      "The offset is close to a whole number of hours, so one of the two machines probably " +
      "uses its local time as UTC. Check the time zones of this server and of the provider."
    );
  }
  if (!isOld)
    return "This server's clock is slow, or the provider's is fast. Synchronize both with NTP.";
  return (
    "No other delivery to this hook was verified around that time. If every delivery " +
    "fails, synchronize the clocks of this server and of the provider with NTP. If only " +
    "this one fails, it was delayed, or is an old one sent again."
  );
}

/** Within two minutes of 1 to 14 h, the largest time zone offset. */
function isWholeHours(offset: number): boolean {
  const hours = Math.round(offset / hour);
  return hours >= 1 && hours <= 14 && Math.abs(offset - hours * hour) <= 120;
}

/** An offset of decades isn't a clock problem: the unit is wrong. */
function tryUnits(
  input: DiagnosisInput,
  attempt: VerificationAttempt,
  budget: VerificationBudget,
): Finding | null {
  const rule = "timestamp" in attempt.scheme ? attempt.scheme.timestamp : undefined;
  if (rule === undefined) return null;
  const unit = rule.unit === "ms" ? "s" : "ms";
  const scheme = { ...attempt.scheme, timestamp: { ...rule, unit } } as Scheme;
  const compiled = compileScheme(scheme);
  if (
    compiled === null ||
    budget.verify({ ...attempt, scheme }, input.receivedAtMs).outcome !== "verified"
  )
    return null;
  const [is, was] = unit === "s" ? ["seconds", "milliseconds"] : ["milliseconds", "seconds"];
  return {
    code: "timestamp_unit",
    sentence:
      `The signature is correct, but its timestamp is in ${is} ` +
      `instead of ${was}. Change the hook's timestamp unit.`,
    confidence: "certain",
    fix: withFix(
      { kind: "change_verification", verification: compiled.scheme },
      "Change the hook's scheme",
      `The hook keeps its secret and other settings. Its provider becomes Custom, with timestamps in ${is}.`,
    ),
  };
}
