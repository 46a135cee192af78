"use client";

import { useEffect, useState } from "react";
import { describeCountdown } from "#components/ui/text/describe-duration.ts";

/** A countdown by the second. `nowMs` is the server's clock. */
export function Countdown({ until, nowMs }: { until: Date; nowMs: number }) {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const ahead = Date.now() - nowMs;
    const timer = setInterval(() => setNow(Date.now() - ahead), 1_000);
    return () => clearInterval(timer);
  }, [nowMs]);
  return (
    <time dateTime={until.toISOString()} title={until.toISOString()}>
      {describeCountdown(until.getTime() - now)}
    </time>
  );
}
