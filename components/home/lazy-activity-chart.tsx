"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, startTransition, useEffect, useState } from "react";

const load = () => import("./activity-chart.tsx").then((file) => file.ActivityChart);
const DrawnChart = dynamic(load, { ssr: false, loading: EmptyChart });

/**
 * The chart library is larger than the rest of the page, so it loads afterwards into a reserved
 * space. Charts are drawn one by one while the browser is idle, so that they never block input.
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
    // Safari has no `requestIdleCallback`.
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
