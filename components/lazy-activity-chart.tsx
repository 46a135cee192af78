"use client";

import dynamic from "next/dynamic";

/** The library that draws it is larger than everything else on the page: it comes after the page is there, into a place of its size. */
export const ActivityChart = dynamic(
  () => import("./activity-chart.tsx").then((file) => file.ActivityChart),
  {
    ssr: false,
    loading: () => (
      <div aria-hidden className="h-56 animate-pulse rounded-md bg-muted motion-reduce:animate-none" />
    ),
  },
);
