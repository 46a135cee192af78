"use client";

import type { Series } from "./series.ts";
import { StackedBars } from "./stacked-bars.tsx";

type SparklineProps = {
  readonly bars: readonly number[];
  /** The bad part of each bar. Empty: none. */
  readonly bad: readonly number[];
  readonly label: string;
  /** True: it is as wide as its place. */
  readonly isWide?: boolean;
  /** The bar that is pointed at. */
  readonly marked?: number | null;
};

/**
 * Small bars over time, with a label for screen readers. A client component: React may send parts
 * of a server component's drawing later, inside an element with an inline style, which our policy
 * blocks.
 */
export function Sparkline(props: SparklineProps) {
  const { bars, bad, label, isWide = false, marked = null } = props;
  const points = bars.map((full, at) => {
    const part = bad[at] ?? 0;
    return { startMs: at, counts: { good: full - part, bad: part } };
  });
  return (
    <svg
      role="img"
      viewBox={`0 0 ${bars.length} ${height}`}
      width={isWide ? "100%" : bars.length * step}
      height={isWide ? wideHeight : height}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {marked !== null && (
        <rect x={marked - 0.125} width={1} height={height} className="fill-foreground/10" />
      )}
      <StackedBars series={series} points={points} height={height} />
    </svg>
  );
}

const series: readonly Series[] = [
  { key: "good", name: "Good", color: "var(--primary)" },
  { key: "bad", name: "Bad", color: "var(--negative)" },
];
/** In pixels, of one that isn't as wide as its place. */
const step = 4;
const height = 24;
/** In pixels, of one that is. */
const wideHeight = 40;
