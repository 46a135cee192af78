"use client";

import { useEffect, useState } from "react";
import { describeAge } from "./describe-age.ts";

/**
 * How long ago, kept up to date, with the exact local time in the tooltip. `nowMs` is the server's
 * clock.
 */
export function RelativeTime({ at, nowMs }: { at: Date; nowMs: number }) {
  const [now, setNow] = useState(nowMs);
  const [exact, setExact] = useState(at.toISOString());

  useEffect(() => {
    // Only the browser knows the viewer's time zone and clock.
    setExact(at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" }));
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 10_000);
    return () => clearInterval(timer);
  }, [at]);

  return (
    <time dateTime={at.toISOString()} title={exact} className="whitespace-nowrap tabular-nums">
      {describeAge(now - at.getTime())}
    </time>
  );
}
