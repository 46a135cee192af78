"use client";

import { useEffect, useState } from "react";
import { describeMoment } from "./describe-moment.ts";
import { describeSpan } from "./describe-span.ts";
import { useTimeZone } from "./time-zone.tsx";

/**
 * Writes "Sun 14:05, in 23 h" or "Sat 28 Nov, 14:05, in 6 days", in local time, or in UTC
 * while only the browser knows the zone. `nowMs` is the server's clock.
 */
export function UntilTime({ untilMs, nowMs }: { untilMs: number; nowMs: number }) {
  const zone = useTimeZone();
  const [now, setNow] = useState(nowMs);

  useEffect(() => {
    const ahead = Date.now() - nowMs;
    const timer = setInterval(() => setNow(Date.now() - ahead), 30_000);
    return () => clearInterval(timer);
  }, [nowMs]);

  const until = new Date(untilMs);
  return (
    <time dateTime={until.toISOString()} title={until.toISOString()} className="whitespace-normal">
      {describeMoment(untilMs, nowMs, zone ?? "UTC")}
      {zone === undefined && " UTC"}, in {describeSpan(untilMs - now)}
    </time>
  );
}
