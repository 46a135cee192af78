import Link from "next/link";
import type { ReactNode } from "react";
import { describeRate } from "#components/status/describe-rate.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Sparkline } from "#components/ui/sparkline.tsx";
import { describeDuration } from "#components/ui/text/describe-size.ts";

type ActivityPlotsProps = {
  /** The last 24 hours. Null: nothing ran, and nothing is drawn. */
  readonly plots: {
    readonly total: number;
    readonly failed: number;
    readonly retrying: number;
    readonly successRate: number | null;
    readonly latency: { readonly p50Ms: number; readonly p95Ms: number } | null;
    /** Oldest first. */
    readonly hours: readonly {
      readonly runs: number;
      readonly failed: number;
      readonly p95Ms: number;
    }[];
  } | null;
  /** The word for runs here. */
  readonly what?: "Runs" | "Sends";
  /** The filter of the list of these runs. Omitted: the viewer has no such list. */
  readonly filter?: Readonly<Record<string, string>>;
};

/** Runs, failures, and the duration of calls in each of the last 24 hours. */
export function ActivityPlots({ plots, what = "Runs", filter }: ActivityPlotsProps) {
  if (plots === null) return null;
  const { total, failed, retrying, successRate, latency, hours } = plots;
  const failedHours = hours.map((hour) => hour.failed);
  return (
    <Card>
      <section aria-label="The last 24 hours">
        <dl className="grid grid-cols-1 gap-x-8 gap-y-3 px-4 py-3 sm:grid-cols-3">
          <Plot
            name={`${what} in 24 hours`}
            value={<RunsLink filter={filter}>{total.toLocaleString("en")}</RunsLink>}
            detail={
              successRate === null ? "None has ended" : `${describeRate(successRate)} succeeded`
            }
          >
            <Sparkline
              bars={hours.map((hour) => hour.runs)}
              bad={[]}
              label={`${what} by hour, at most ${peak(hours.map(({ runs }) => runs))}`}
              isWide
            />
          </Plot>
          <Plot
            name="Failed"
            value={
              <RunsLink filter={filter && { ...filter, status: "failed" }}>
                {failed.toLocaleString("en")}
              </RunsLink>
            }
            detail={retrying === 0 ? "" : `${retrying.toLocaleString("en")} retrying`}
          >
            <Sparkline
              bars={failedHours}
              bad={failedHours}
              label={`Failed by hour, at most ${peak(failedHours)}`}
              isWide
            />
          </Plot>
          <Plot
            name="Latency"
            value={latency === null ? "–" : describeDuration(latency.p50Ms)}
            detail={
              latency === null
                ? "No calls"
                : `Median. 95% within ${describeDuration(latency.p95Ms)}`
            }
          >
            <Sparkline
              bars={hours.map(({ p95Ms }) => p95Ms)}
              bad={[]}
              label="The time within which 95% of the calls ended, by hour"
              isWide
            />
          </Plot>
        </dl>
      </section>
    </Card>
  );
}

function peak(values: readonly number[]): string {
  return Math.max(...values).toLocaleString("en");
}

type PlotProps = {
  readonly name: string;
  readonly value: ReactNode;
  readonly detail: string;
  readonly children: ReactNode;
};

function Plot({ name, value, detail, children }: PlotProps) {
  return (
    <div
      className={
        "grid min-w-0 grid-cols-[minmax(0,1fr)_7rem] content-start gap-x-4 gap-y-1 sm:grid-cols-1"
      }
    >
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span className="text-lg font-semibold tracking-tight">{value}</span>
        <span className="text-sm text-muted-foreground">{detail}</span>
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1 self-end sm:col-start-1 sm:row-span-1 sm:row-start-3">
        {children}
      </dd>
    </div>
  );
}

type RunsLinkProps = {
  readonly filter: Readonly<Record<string, string>> | undefined;
  readonly children: ReactNode;
};

function RunsLink({ filter, children }: RunsLinkProps) {
  if (filter === undefined) return children;
  return (
    <Link
      href={`/runs?${new URLSearchParams({ ...filter, since: "24h" })}`}
      prefetch={false}
      className={
        "inline-flex min-h-6 min-w-6 items-center rounded-sm underline decoration-border " +
        "underline-offset-4 hover:decoration-current"
      }
    >
      {children}
    </Link>
  );
}
