import type { RateLimit } from "#lib/schema/field/rate-limit.ts";

/** A rate limit as typed. No count: no limit. */
export type RateDraft = { readonly rateCount: string; readonly rateSeconds: string };

export const noRate: RateDraft = { rateCount: "", rateSeconds: "1" };

export function toRateDraft(rate: RateLimit | null): RateDraft {
  if (rate === null) return noRate;
  return { rateCount: String(rate.count), rateSeconds: String(rate.perSeconds) };
}

/** The schema rejects text that isn't a number. */
export function readRateDraft({ rateCount, rateSeconds }: RateDraft): RateLimit | null {
  if (rateCount.trim() === "") return null;
  return { count: Number(rateCount), perSeconds: Number(rateSeconds) };
}

export const ratePeriods = [
  ["1", "second"],
  ["60", "minute"],
  ["3600", "hour"],
  ["86400", "day"],
] as const;

type Rate = { readonly count: number | string; readonly perSeconds: number | string };

/** Describes a rate as "100 per minute" or "5 per 20 seconds". */
export function describeRate({ count, perSeconds }: Rate): string {
  const known = ratePeriods.find(([seconds]) => seconds === String(perSeconds));
  return `${count} per ${known?.[1] ?? `${perSeconds} seconds`}`;
}
