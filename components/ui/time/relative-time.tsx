"use client";

import { describeAge } from "./describe-time.ts";
import { useTimeZone } from "./time-zone.tsx";
import { useClock } from "./use-clock.ts";
import { writeTime } from "./write-time.ts";

/**
 * The age of a time, kept up to date, with the exact local time in the tooltip. `nowMs` is the
 * server's clock.
 */
export function RelativeTime({ at, nowMs }: { at: Date | number; nowMs: number }) {
  const now = useClock(nowMs);
  const date = new Date(at);
  const timeZone = useTimeZone();
  const exact = timeZone === undefined ? undefined : writeTime(date.getTime(), timeZone);
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {describeAge(now - date.getTime())}
    </time>
  );
}
