"use client";

import { useState } from "react";
import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { BarPointer } from "#components/ui/plot/bar-pointer.tsx";
import { describeSum, type Point, type Series, sumOf } from "#components/ui/plot/series.ts";
import { highestBar, StackedBars } from "#components/ui/plot/stacked-bars.tsx";
import { dayMs, describeBucket, describeTick } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { capitalize } from "#lib/base/capitalize.ts";
import { ActivityTable } from "./activity-table.tsx";

type ActivityChartProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly bucketMs: number;
  readonly range: Range;
};

/** Bars over time, with the counts of the range, or of the bar that is pointed at, and a table. */
export function ActivityChart({ title, series, points, bucketMs, range }: ActivityChartProps) {
  const timeZone = useTimeZone();
  const [at, setAt] = useState<number | null>(null);
  // Leaves out series without values, but never the first.
  const used = series.filter((one, index) => index === 0 || sumOf(one, points) > 0);
  const bar = at === null ? undefined : points[at];
  const time = bar && describeBucket(bar.startMs, bucketMs, timeZone);
  const shown = bar === undefined ? points : [bar];
  const counts = used.map((one) => describeSum(one, sumOf(one, shown)));
  const ticks = listTicks(highestBar(used, points));
  const most = ticks.at(-1) ?? 1;
  const toY = (count: number) => height - (count / most) * height;
  return (
    <Card className="grid grid-cols-1 content-start gap-3 p-4 lg:row-span-3 lg:grid-rows-subgrid">
      <div className="grid content-start gap-1">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-muted-foreground">{time ?? capitalize(rangeWords[range])}</p>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm tabular-nums">
          {used.map(({ key, color }, index) => (
            <li key={key} className="flex items-center gap-1.5">
              <svg aria-hidden width={8} height={8}>
                <rect width={8} height={8} rx={2} fill={color} />
              </svg>
              {counts[index]}
            </li>
          ))}
        </ul>
      </div>
      <div className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-2 gap-y-1 text-xs">
        <svg aria-hidden height={height} className="w-full overflow-visible fill-muted-foreground">
          {ticks.map((count) => (
            <text key={count} x="100%" y={toY(count)} dy="0.35em" textAnchor="end">
              {compact.format(count)}
            </text>
          ))}
        </svg>
        <BarPointer
          count={points.length}
          at={at}
          onPoint={setAt}
          label={title}
          text={`${time}: ${counts.join(", ")}`}
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${points.length} ${height}`}
            width="100%"
            height={height}
            preserveAspectRatio="none"
          >
            {ticks.map((count) => (
              <rect
                key={count}
                y={toY(count)}
                width={points.length}
                height={1}
                className="fill-border"
              />
            ))}
            {at !== null && (
              <rect x={at - 0.125} width={1} height={height} className="fill-foreground/10" />
            )}
            <StackedBars series={used} points={points} height={height} most={most} />
          </svg>
        </BarPointer>
        <svg
          aria-hidden
          height={16}
          className="col-start-2 w-full overflow-visible fill-muted-foreground"
        >
          {/* Only the browser may know the time zone. */}
          {(timeZone !== undefined || bucketMs >= dayMs) &&
            points.map(({ startMs }, index) =>
              index % Math.ceil(points.length / labels) === 0 ? (
                <text
                  key={startMs}
                  x={`${((index + 0.375) / points.length) * 100}%`}
                  y={12}
                  textAnchor="middle"
                >
                  {describeTick(startMs, bucketMs, timeZone)}
                </text>
              ) : null,
            )}
        </svg>
      </div>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-muted-foreground hover:text-foreground">
          Show as a table<span className="sr-only">: {title}</span>
        </summary>
        <ActivityTable title={title} series={used} points={points} bucketMs={bucketMs} />
      </details>
    </Card>
  );
}

const height = 180;
/** The number that a phone has room for. */
const labels = 6;
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Round counts for an axis, at most five from 0 to the first that the highest bar doesn't exceed. */
export function listTicks(highest: number): readonly number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(highest / 4)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one * 4 >= highest);
  const size = step ?? highest;
  return Array.from({ length: Math.ceil(highest / size) + 1 }, (_, at) => at * size);
}
