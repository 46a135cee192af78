"use client";

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { describeBucket, describeTick } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import type { Point, Series } from "#components/ui/plot/series.ts";

type ActivityChartProps = {
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly bucketMs: number;
};

/**
 * Stacked bars. Hidden from screen readers: the sentence above and the table below say the same.
 */
export function ActivityChart({ series, points, bucketMs }: ActivityChartProps) {
  const timeZone = useTimeZone();
  return (
    <div aria-hidden className="h-56 text-xs">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={points.map(({ startMs, counts }) => ({ startMs, ...counts }))}
          margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          barCategoryGap="15%"
        >
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis
            dataKey="startMs"
            tickFormatter={(startMs: number) => describeTick(startMs, bucketMs, timeZone)}
            tick={tick}
            tickLine={false}
            axisLine={false}
            minTickGap={28}
          />
          <YAxis
            allowDecimals={false}
            tickFormatter={(count: number) => compact.format(count)}
            tick={tick}
            tickLine={false}
            axisLine={false}
            width={36}
          />
          <Tooltip
            cursor={{ fill: "var(--muted)" }}
            isAnimationActive={false}
            content={({ active, payload, label }) =>
              active && typeof label === "number" ? (
                <Hint
                  title={describeBucket(label, bucketMs, timeZone)}
                  series={series}
                  counts={payload[0]?.payload ?? {}}
                />
              ) : null
            }
          />
          {series.map(({ key, name, color }) => (
            <Bar
              key={key}
              dataKey={key}
              name={name}
              stackId="all"
              fill={color}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

const tick = { fill: "var(--muted-foreground)" };
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

type HintProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly counts: Readonly<Record<string, number>>;
};

function Hint({ title, series, counts }: HintProps) {
  return (
    <div className="grid gap-1 rounded-md border bg-card px-3 py-2 text-xs shadow-lg">
      <p className="font-medium">{title}</p>
      <ul className="grid gap-0.5">
        {series.map(({ key, name, color }) => (
          <li key={key} className="flex items-center gap-2 tabular-nums">
            <span className="size-2 rounded-full" style={{ background: color }} />
            <span className="text-muted-foreground">{name}</span>
            <span className="ml-auto pl-4">{(counts[key] ?? 0).toLocaleString("en")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
