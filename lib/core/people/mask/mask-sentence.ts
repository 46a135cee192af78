import { errorTexts } from "#lib/core/sending/retry/plan-next-step.ts";
import { toErrorCode } from "#lib/core/verify/rejection-code.ts";
import { maskedDetail } from "./mask-call.ts";

/**
 * Masks the reason of a run or a delivery, unless it is known to quote nothing: filters, templates,
 * and success rules say which value they found.
 */
export function maskSentence(code: string | null, sentence: string): string {
  if (code === null) return maskedDetail;
  if (constantCodes.has(code)) return sentence;
  if (quotesNothing.test(sentence)) return sentence;
  if (Object.hasOwn(errorTexts, code)) return `${errorTexts[code as keyof typeof errorTexts]}.`;
  return toErrorCode(code) === null || code === "schema_mismatch" ? maskedDetail : sentence;
}

/** Their sentences quote nothing of a payload. */
const constantCodes: ReadonlySet<string> = new Set([
  ...["action_gone", "subscription_gone", "delivery_gone", "event_gone", "restored"],
  ...["worker_stopped", "outcome_unknown", "resolved", "resolved_as_failed", "cancelled", "manual"],
  ...["delay", "rate_limited", "breaker_open", "quota", "internal", "secret_not_expected"],
  "skipped_by_transform",
]);

/** Reasons that are stored already may say "answered". */
const outcomes = [
  String.raw`The receiver (?:responded with|answered) \d{3}`,
  String.raw`The receiver (?:responded|answered) with a redirect \(\d{3}\)`,
  ...Object.values(errorTexts),
].join("|");
const ends = [
  "; this is not retried",
  String.raw`; attempt \d+ of \d+ was the last`,
  String.raw`; the next attempt would be later than \d+ seconds after the start`,
  ": it wants no more events",
].join("|");

/** A reason that `planNextStep` writes, for a response that no success rule evaluated. */
const quotesNothing = new RegExp(
  String.raw`^(?:Step [\w-]{1,40}: )?(?:${outcomes})(?:${ends})?\.?$`,
);
