import type { Range } from "#components/lists/range-links.tsx";
import { deliverySeries } from "#components/status/describe-delivery.ts";
import type { Series } from "#components/ui/plot/series.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { runStates, runStatuses } from "#lib/schema/act/run-states.ts";
import { ActivityChart } from "./activity-chart.tsx";

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

/** Deliveries and runs over time, each as a chart and a table. */
export function ActivityCharts({ buckets, bucketMs, range }: ActivityChartsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <ActivityChart
        title="Deliveries over time"
        series={deliverySeries}
        points={buckets.map(({ startMs, deliveries }) => ({ startMs, counts: deliveries }))}
        bucketMs={bucketMs}
        range={range}
      />
      <ActivityChart
        title="Runs over time"
        series={runSeries}
        points={buckets.map(({ startMs, runs }) => ({ startMs, counts: runs }))}
        bucketMs={bucketMs}
        range={range}
      />
    </div>
  );
}
