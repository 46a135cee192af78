"use client";

import { useRouter } from "next/navigation";
import { type PointerEvent, useState, useTransition } from "react";
import { deliverySeries } from "#components/status/describe-delivery.ts";
import { describeSum, type Point, sumOf } from "#components/ui/plot/series.ts";
import { StackedBars } from "#components/ui/plot/stacked-bars.tsx";
import { describeBucket } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

type ActivityBrushProps = {
  readonly points: readonly Point[];
  readonly bucketMs: number;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** The time that the bars cover, in words. */
  readonly title: string;
};

type Range = { readonly start: number; readonly end: number };

/**
 * Bars over time. Dragging over them, or a click on one, shows the deliveries of that time. The
 * filter "Received" does the same by keyboard, and the counts below are for screen readers.
 */
export function ActivityBrush(props: ActivityBrushProps) {
  const { points, bucketMs, path, params, title } = props;
  const fromMs = points[0]?.startMs ?? 0;
  const router = useRouter();
  const timeZone = useTimeZone();
  const isInBrowser = useHydrated();
  const [over, setOver] = useState<number | null>(null);
  const [drag, setDrag] = useState<Range | null>(null);
  const [isPending, startTransition] = useTransition();

  const barAt = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * points.length);
    return Math.min(points.length - 1, Math.max(0, at));
  };

  function choose({ start, end }: Range) {
    const times = {
      since: "between",
      from: toUtcMinute(fromMs + start * bucketMs),
      to: toUtcMinute(fromMs + (end + 1) * bucketMs),
    };
    const given = Object.entries({ ...params, ...times }).filter(([, value]) => value !== "");
    startTransition(() => router.push(`${path}?${new URLSearchParams(given)}`, { scroll: false }));
  }

  const shown = inOrder(drag ?? (over === null ? null : { start: over, end: over }));
  return (
    <div className="grid gap-1" aria-busy={isPending}>
      <p aria-hidden className="truncate text-xs text-muted-foreground tabular-nums">
        {shown === null || !isInBrowser
          ? title
          : describeRange(points.slice(shown.start, shown.end + 1), bucketMs, timeZone)}
      </p>
      <svg
        aria-hidden
        viewBox={`0 0 ${points.length} ${height}`}
        preserveAspectRatio="none"
        data-brush
        className="h-14 w-full cursor-crosshair touch-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = barAt(event);
          setDrag({ start: at, end: at });
        }}
        onPointerMove={(event) => {
          const at = barAt(event);
          setOver(at);
          if (drag !== null && drag.end !== at) setDrag({ ...drag, end: at });
        }}
        onPointerLeave={() => setOver(null)}
        onPointerCancel={() => setDrag(null)}
        onPointerUp={() => {
          if (drag !== null && shown !== null) choose(shown);
          setDrag(null);
        }}
      >
        <StackedBars series={deliverySeries} points={points} height={height} />
        {shown !== null && (
          <rect
            x={shown.start - 0.125}
            width={shown.end - shown.start + 1}
            height={height}
            className={drag === null ? "fill-foreground/10" : "fill-primary/20"}
          />
        )}
      </svg>
    </div>
  );
}

const height = 56;

/** A drag can go to the left. */
function inOrder(range: Range | null): Range | null {
  if (range === null || range.start <= range.end) return range;
  return { start: range.end, end: range.start };
}

/** The time of the bars, and what arrived in it. */
function describeRange(points: readonly Point[], bucketMs: number, timeZone?: string): string {
  const counts = deliverySeries.flatMap((series) => {
    const sum = sumOf(series, points);
    return sum === 0 ? [] : [describeSum(series, sum)];
  });
  const time = describeBucket(points[0]?.startMs ?? 0, points.length * bucketMs, timeZone);
  return `${time}: ${counts.length === 0 ? "nothing" : counts.join(", ")}`;
}

/** A time as the URL of a list has it. */
function toUtcMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}
