"use client";

import type { Point, Series } from "#components/ui/plot/series.ts";
import { dayMs } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { writeTime } from "#components/ui/time/write-time.ts";

type ActivityTableProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly bucketMs: number;
};

/** The counts of a chart, newest first, in the viewer's time zone. A day is a UTC day. */
export function ActivityTable({ title, series, points, bucketMs }: ActivityTableProps) {
  const viewerZone = useTimeZone() ?? "UTC";
  const timeZone = bucketMs >= dayMs ? "UTC" : viewerZone;
  const zone = writeTime(points.at(-1)?.startMs ?? 0, timeZone)
    .split(" ")
    .at(-1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    <section tabIndex={0} aria-label={title} className="mt-2 max-h-72 overflow-auto">
      <table className="w-full text-left tabular-nums">
        <thead className="text-muted-foreground">
          <tr>
            <th scope="col" className="py-1 pr-4 font-medium">
              From ({zone})
            </th>
            {series.map(({ key, name }) => (
              <th scope="col" key={key} className="py-1 pr-4 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ startMs, counts }) => (
            <tr key={startMs} className="border-t">
              <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                {writeTime(startMs, timeZone, { seconds: false, zone: false })}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="py-1 pr-4 text-right">
                  {(counts[key] ?? 0).toLocaleString("en")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
