"use client";

import { useEffect, useState } from "react";
import { describeAge } from "./describe-age.ts";

/** How long ago, kept up to date; the exact time in the viewer's own zone on hover. `nowMs` is the server's clock. */
export function RelativeTime({ at, nowMs }: { at: Date; nowMs: number }) {
  const [now, setNow] = useState(nowMs);
  const [exact, setExact] = useState(at.toISOString());

  useEffect(() => {
    // The viewer's zone and clock are only known in the browser.
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
