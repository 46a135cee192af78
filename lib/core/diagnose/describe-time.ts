/** A right signature at the wrong time: by how much, and whose fault it probably is. */
import { compileScheme, type Scheme } from "#lib/core/verify/scheme.ts";
import { describeSpan } from "./describe-span.ts";
import type { Finding } from "./diagnosis.ts";
import { withFix } from "./lever.ts";
import type { Case, Patient } from "./patient.ts";
import type { Trial } from "./trial.ts";

/** Null where the time is right too. */
export function describeTime(patient: Patient, subject: Case, trial: Trial): Finding | null {
  const verdict = trial.verify(subject, patient.receivedAtMs);
  const window = readWindow(subject.scheme);
  if (verdict.outcome !== "failed" || window === undefined || verdict.skewSeconds === null) return null;
  const isOld = verdict.reason === "timestamp_too_old";
  const offset = verdict.skewSeconds + (isOld ? window.pastSeconds : window.futureSeconds);
  const unit = offset > decade ? tryUnits(patient, subject, trial) : null;
  if (unit !== null) return unit;
  const allowed = describeSpan(isOld ? window.pastSeconds : window.futureSeconds);
  const size = `The signature is right, but it was made ${describeSpan(offset)} ${isOld ? "before" : "after"} this arrived by our clock, and at most ${allowed} are allowed.`;
  return {
    code: isOld ? "timestamp_too_old" : "timestamp_in_future",
    sentence: `${size} ${explainOffset(offset, isOld, patient)}`,
    confidence: "certain",
    fix: null,
  };
}

function readWindow(
  scheme: Scheme,
): { readonly pastSeconds: number; readonly futureSeconds: number } | undefined {
  if (scheme.kind === "code") return scheme.window;
  return "timestamp" in scheme ? scheme.timestamp : undefined;
}

const hour = 3600;
const decade = 10 * 365 * 86_400;

function explainOffset(offset: number, isOld: boolean, { wereOthersVerified }: Patient): string {
  if (wereOthersVerified && isOld) {
    return "Other deliveries of this hook were verified around the same time, so the clocks are right: this one was held up on its way, or an old one was sent again. Let the sender send it anew, which signs it with the present time.";
  }
  if (isWholeHours(offset)) {
    return "That is nearly a whole number of hours: one of the two machines takes its local time for UTC. Check the time zone of this machine and of the sender.";
  }
  if (!isOld) return "The clock of this machine is slow, or the sender's is fast: set both by NTP.";
  return "Nothing else of this hook was verified around that time. If it happens with every delivery, set this machine's clock by NTP (or the sender's); if only with this one, it was held up or is an old one that was sent again.";
}

/** Within two minutes of 1 to 14 h: no zone is farther away. */
function isWholeHours(offset: number): boolean {
  const hours = Math.round(offset / hour);
  return hours >= 1 && hours <= 14 && Math.abs(offset - hours * hour) <= 120;
}

/** Decades off is no clock: seconds were read as milliseconds. */
function tryUnits(patient: Patient, subject: Case, trial: Trial): Finding | null {
  const rule = "timestamp" in subject.scheme ? subject.scheme.timestamp : undefined;
  if (rule === undefined) return null;
  const unit = rule.unit === "ms" ? "s" : "ms";
  const scheme = { ...subject.scheme, timestamp: { ...rule, unit } } as Scheme;
  const compiled = compileScheme(scheme);
  if (compiled === null || trial.verify({ ...subject, scheme }, patient.receivedAtMs).outcome !== "verified")
    return null;
  const [is, was] = unit === "s" ? ["seconds", "milliseconds"] : ["milliseconds", "seconds"];
  return {
    code: "timestamp_unit",
    sentence: `The signature is right, but its time is in ${is}, and the hook expects ${was}. Change the hook's unit of time.`,
    confidence: "certain",
    fix: withFix(
      { kind: "change_verification", verification: compiled.scheme },
      "Change the hook's scheme",
      `The hook keeps its secret and its other settings. Its provider becomes Custom, with the time in ${is}.`,
    ),
  };
}
