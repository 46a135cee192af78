"use client";

import { useHydrated } from "#components/ui/use-hydrated.ts";
import { describeAge } from "./describe-age.ts";
import { useClock } from "./use-clock.ts";

/**
 * The age of a time, kept up to date, with the exact local time in the tooltip. `nowMs` is the
 * server's clock.
 */
export function RelativeTime({ at, nowMs }: { at: Date | number; nowMs: number }) {
  const now = useClock(nowMs);
  const date = new Date(at);
  // Only the browser knows the viewer's time zone.
  const exact = useHydrated() ? toExact(date) : undefined;
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {describeAge(now - date.getTime())}
    </time>
  );
}

let format: Intl.DateTimeFormat | undefined;

function toExact(date: Date): string {
  // Creating a formatter takes longer than using it for a whole list.
  format ??= new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
  return format.format(date);
}
