"use client";

import { useEffect, useState } from "react";
import { shortSpan } from "#lib/schema/field/describe-span.ts";
import { describeMoment } from "./describe-time.ts";
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
  const leftMs = untilMs - now;
  return (
    <time dateTime={until.toISOString()} title={until.toISOString()} className="whitespace-normal">
      {describeMoment(untilMs, nowMs, zone ?? "UTC")}
      {zone === undefined && " UTC"}, in{" "}
      {leftMs < 60_000 ? "less than a minute" : shortSpan(leftMs / 1_000)}
    </time>
  );
}
