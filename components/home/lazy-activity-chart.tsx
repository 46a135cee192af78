"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, startTransition, useEffect, useState } from "react";

const load = () => import("./activity-chart.tsx").then((file) => file.ActivityChart);
const DrawnChart = dynamic(load, { ssr: false, loading: EmptyChart });

/**
 * The library that draws it is larger than everything else on the page: it comes after the page is there, into a place of its size. Charts are
 * drawn one after the other while nothing else happens, so that nobody waits for them.
 */
export function ActivityChart(props: ComponentProps<typeof DrawnChart>) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    let isGone = false;
    turn = turn.then(untilIdle).then(load).then(untilIdle, untilIdle);
    void turn.then(() => {
      if (!isGone) startTransition(() => setIsDue(true));
    });
    return () => {
      isGone = true;
    };
  }, []);
  return isDue ? <DrawnChart {...props} /> : <EmptyChart />;
}

let turn: Promise<unknown> = Promise.resolve();

function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari knows no idle time.
    if (globalThis.requestIdleCallback === undefined) setTimeout(resolve, 200);
    else requestIdleCallback(() => resolve(), { timeout: 2_000 });
  });
}

function EmptyChart() {
  return (
    <div
      aria-hidden
      className="h-56 animate-pulse rounded-md bg-muted motion-reduce:animate-none"
    />
  );
}
