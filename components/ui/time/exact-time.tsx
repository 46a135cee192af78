"use client";

import { safeText } from "#components/ui/text/safe-text.ts";
import { useTimeZone } from "./time-zone.tsx";
import { writeTime } from "./write-time.ts";
import { writeWeeklyHours } from "./write-weekly-hours.ts";

/** A sentence of the server with its times, such as "2026-11-23 10:42:05 UTC", in the viewer's zone. */
export function TimesInText({ text }: { readonly text: string }) {
  const timeZone = useTimeZone() ?? "UTC";
  return text.split(serverTime).map((part, index) =>
    index % 2 === 0 ? (
      safeText(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by position only
      <time key={index} dateTime={toIso(part)} title={part}>
        {writeTime(Date.parse(toIso(part)), timeZone)}
      </time>
    ),
  );
}

const serverTime = /(\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d UTC)/;

function toIso(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;
}

/** A sentence of the server with its hours of the week in the viewer's zone. */
export function WeeklyHoursInText({
  text,
  nowMs,
}: {
  readonly text: string;
  readonly nowMs: number;
}) {
  return safeText(writeWeeklyHours(text, nowMs, useTimeZone() ?? "UTC"));
}

/** A time as "2026-12-01 14:05:09 GMT+1" in the viewer's zone. */
export function ExactTime({ at }: { readonly at: Date }) {
  const timeZone = useTimeZone() ?? "UTC";
  return <time dateTime={at.toISOString()}>{writeTime(at.getTime(), timeZone)}</time>;
}

/** A day as "2026-12-01" in the viewer's zone. */
export function ExactDay({ at }: { readonly at: Date }) {
  const timeZone = useTimeZone() ?? "UTC";
  const exact = writeTime(at.getTime(), timeZone);
  return (
    <time dateTime={at.toISOString()} title={exact}>
      {exact.slice(0, 10)}
    </time>
  );
}
