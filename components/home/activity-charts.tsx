import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { runStates, runStatuses } from "#lib/schema/act/run-states.ts";
import type { Point, Series } from "#components/ui/plot/series.ts";
import { ActivityTable } from "./activity-table.tsx";
import { ActivityChart } from "./lazy-activity-chart.tsx";

type Bucket = {
  readonly startMs: number;
  readonly deliveries: Readonly<Record<string, number>>;
  readonly runs: Readonly<Record<string, number>>;
};

type ActivityChartsProps = {
  readonly buckets: readonly Bucket[];
  readonly bucketMs: number;
  readonly range: Range;
};

const deliverySeries: readonly Series[] = [
  { key: "accepted", name: "Accepted", color: "var(--primary)" },
  { key: "duplicate", name: "Duplicate", plural: "duplicates", color: "var(--input)" },
  { key: "pending", name: "Pending", color: "var(--caution)" },
  {
    key: "handshake",
    name: "Handshake",
    plural: "handshakes",
    color: "var(--muted-foreground)",
  },
  { key: "rejected", name: "Rejected", color: "var(--negative)" },
];

const colored = runStatuses
  .flatMap((key) => {
    const { label, color, rank } = runStates[key];
    return color === null ? [] : [{ key, name: capitalize(label), color, rank }];
  })
  .sort((one, other) => one.rank - other.rank);

/** The series from bottom to top: successes, then waiting items, then those that need attention. */
const runSeries: readonly Series[] = [
  ...colored.filter(({ rank }) => rank > runStates.queued.rank),
  { key: "open", name: "Waiting", color: "var(--ring)", rank: runStates.queued.rank },
  ...colored.filter(({ rank }) => rank < runStates.queued.rank).toReversed(),
].map(({ key, name, color }) => ({ key, name, color }));

/** Deliveries and runs over time, each as a chart, a sentence, and a table. */
export function ActivityCharts({ buckets, bucketMs, range }: ActivityChartsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Activity
        title="Deliveries over time"
        series={deliverySeries}
        points={buckets.map(({ startMs, deliveries }) => ({ startMs, counts: deliveries }))}
        bucketMs={bucketMs}
        range={range}
      />
      <Activity
        title="Runs over time"
        series={runSeries}
        points={buckets.map(({ startMs, runs }) => ({ startMs, counts: runs }))}
        bucketMs={bucketMs}
        range={range}
      />
    </div>
  );
}

type ActivityProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly bucketMs: number;
  readonly range: Range;
};

function Activity({ title, series, points, bucketMs, range }: ActivityProps) {
  // Leaves out series without values, but never the first.
  const used = series.filter(
    ({ key }, at) => at === 0 || points.some(({ counts }) => (counts[key] ?? 0) > 0),
  );
  const sums = used.map(({ key, name, plural }) => {
    const sum = points.reduce((total, { counts }) => total + (counts[key] ?? 0), 0);
    return describeCount(sum, name.toLowerCase(), plural ?? name.toLowerCase());
  });
  return (
    <Card className="grid grid-cols-1 content-start gap-3 p-4 lg:row-span-3 lg:grid-rows-subgrid">
      <div className="grid content-start gap-0.5">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-muted-foreground tabular-nums">
          {sums.join(", ")} in {rangeWords[range]}
        </p>
      </div>
      <ActivityChart series={used} points={points} bucketMs={bucketMs} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-muted-foreground hover:text-foreground">
          Show as a table<span className="sr-only">: {title}</span>
        </summary>
        <ActivityTable title={title} series={used} points={points} bucketMs={bucketMs} />
      </details>
    </Card>
  );
}
