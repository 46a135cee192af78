import { describeSpan } from "#lib/schema/field/describe-span.ts";

/** The message to someone who has to pause, such as after wrong passwords or codes. */
export function describeThrottled(retryAfterSeconds: number, what = "attempts"): string {
  // Rounded up: after it, the next try is not too early.
  const seconds =
    retryAfterSeconds < 120 ? retryAfterSeconds : Math.ceil(retryAfterSeconds / 60) * 60;
  return `Too many ${what}. Try again in ${describeSpan(seconds)}.`;
}
