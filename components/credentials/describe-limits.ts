import type { Breaker } from "#lib/schema/field/breaker.ts";
import { shortSpan } from "#lib/schema/field/describe-span.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";

type Limits = {
  readonly maxConcurrency: number | null;
  readonly rateLimit: RateLimit | null;
  readonly breaker: Breaker | null;
};

/** The limits of a destination in a few words. */
export function describeLimits({ maxConcurrency, rateLimit, breaker }: Limits): string {
  const parts = [
    ...(rateLimit === null
      ? []
      : [
          `${rateLimit.count} per ${rateLimit.perSeconds === 1 ? "second" : shortSpan(rateLimit.perSeconds)}`,
        ]),
    ...(maxConcurrency === null ? [] : [`${maxConcurrency} at once`]),
    ...(breaker === null ? [] : ["circuit breaker"]),
  ];
  return parts.length === 0 ? "No limits" : parts.join(", ");
}
