"use client";

import { useHydrated } from "#components/ui/use-hydrated.ts";
import { describeAge } from "./describe-age.ts";
import { useTimeZone } from "./time-zone.tsx";
import { useClock } from "./use-clock.ts";

/**
 * The age of a time, kept up to date, with the exact local time in the tooltip. `nowMs` is the
 * server's clock.
 */
export function RelativeTime({ at, nowMs }: { at: Date | number; nowMs: number }) {
  const now = useClock(nowMs);
  const date = new Date(at);
  const timeZone = useTimeZone();
  // The browser's language is used, which the server doesn't know.
  const exact = useHydrated() && timeZone !== undefined ? toExact(date, timeZone) : undefined;
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {describeAge(now - date.getTime())}
    </time>
  );
}

let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined;

function toExact(date: Date, timeZone: string): string {
  // Creating a formatter takes longer than using it for a whole list.
  if (last?.timeZone !== timeZone) {
    const options = { dateStyle: "full", timeStyle: "long", timeZone } as const;
    last = { timeZone, format: new Intl.DateTimeFormat(undefined, options) };
  }
  return last.format.format(date);
}
