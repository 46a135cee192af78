import { parseDateMs } from "#lib/core/template/parse-date.ts";

const maxDelayMs = 30 * 86_400_000;
/** Unix seconds reach this in the year 5138. */
const minMilliseconds = 100_000_000_000;

export type ReadDelay =
  | { readonly ok: true; readonly delayMs: number }
  | { readonly ok: false; readonly message: string };

/**
 * How long a step waits. A time that has passed is now.
 *
 * @param until what its template gave, without `ms`
 */
export function readDelay(
  { ms }: { readonly ms?: number | undefined },
  until: unknown,
  nowMs: number,
): ReadDelay {
  const delayMs = ms ?? readUntil(until, nowMs);
  if (delayMs === null) return refuse("must be RFC 3339, or Unix seconds or milliseconds");
  if (delayMs > maxDelayMs) return refuse("must be at most 30 days from now");
  return { ok: true, delayMs };
}

function refuse(problem: string): ReadDelay {
  return { ok: false, message: `until: the time ${problem}` };
}

/** Null: not a time. */
function readUntil(value: unknown, nowMs: number): number | null {
  const number = Number(value);
  const isMilliseconds = value !== null && value !== "" && Math.abs(number) >= minMilliseconds;
  const ms = isMilliseconds ? number : parseDateMs(value, nowMs);
  return ms === undefined ? null : Math.max(0, Math.round(ms - nowMs));
}
