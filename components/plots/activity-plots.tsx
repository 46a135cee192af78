"use client";

import { type ReactNode, useState } from "react";
import { rangeWords } from "#components/lists/range-links.tsx";
import { describeRate } from "#components/status/describe-rate.ts";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { BarPointer } from "#components/ui/plot/bar-pointer.tsx";
import { Sparkline } from "#components/ui/plot/sparkline.tsx";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { describeBucket } from "#components/ui/time/describe-bucket.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { capitalize } from "#lib/base/capitalize.ts";
import type { PlotsView, ReadPlots } from "./plot-view.ts";
import { RangeButtons } from "./range-buttons.tsx";
import { usePlots } from "./use-plots.ts";

type ActivityPlotsProps = {
  /** The last 24 hours. Null: nothing ran for long, and nothing is drawn. */
  readonly plots: PlotsView | null;
  readonly read: ReadPlots;
  /** The word for runs here. */
  readonly what?: "Runs" | "Sends";
  /** The filter of the list of these runs. Omitted: the viewer has no such list. */
  readonly filter?: Readonly<Record<string, string>>;
};

/** Runs, failures, and the duration of calls over time. */
export function ActivityPlots({ plots, ...rest }: ActivityPlotsProps) {
  return plots === null ? null : <Plots first={plots} {...rest} />;
}

type PlotsProps = Omit<ActivityPlotsProps, "plots"> & { readonly first: PlotsView };

/** The bar that is pointed at, or has the keyboard's cursor, is the same in all three. */
function Plots({ first, read, what = "Runs", filter }: PlotsProps) {
  const { shown, isPending, choose } = usePlots(first, read);
  const timeZone = useTimeZone();
  const [at, setAt] = useState<number | null>(null);
  const { range, bucketMs, buckets } = shown;
  const bar = at === null ? undefined : buckets[at];
  const time = bar === undefined ? null : describeBucket(bar.startMs, bucketMs, timeZone);
  const { runs, failed, latency } = describeFigures(shown, bar);
  const since = { ...filter, since: range };
  const failedBars = buckets.map((bucket) => bucket.failed);
  const pointer = { count: buckets.length, at, onPoint: setAt };
  return (
    <Card>
      <section
        aria-label={capitalize(rangeWords[range])}
        aria-busy={isPending}
        className="flex flex-col-reverse gap-3 px-4 py-3 lg:flex-row"
      >
        <dl
          className={classNames(
            "grid min-w-0 flex-1 grid-cols-1 gap-x-8 gap-y-3 sm:grid-cols-3",
            isPending && "opacity-60",
          )}
        >
          <Plot
            name={time ?? what}
            value={<Value filter={bar ? undefined : filter && since}>{runs.value}</Value>}
            detail={runs.detail}
          >
            <BarPointer
              {...pointer}
              label="Time"
              text={`${time}: ${runs.value} ${what.toLowerCase()}, ${failed.value} failed, ${latency.value}`}
            >
              <Sparkline
                bars={buckets.map((bucket) => bucket.runs)}
                bad={[]}
                label={`${what} over time, at most ${peak(buckets.map((bucket) => bucket.runs))}`}
                isWide
                marked={at}
              />
            </BarPointer>
          </Plot>
          <Plot
            name="Failed"
            value={
              <Value filter={bar ? undefined : filter && { ...since, status: "failed" }}>
                {failed.value}
              </Value>
            }
            detail={failed.detail}
          >
            <BarPointer {...pointer}>
              <Sparkline
                bars={failedBars}
                bad={failedBars}
                label={`Failed over time, at most ${peak(failedBars)}`}
                isWide
                marked={at}
              />
            </BarPointer>
          </Plot>
          <Plot name="Median latency" value={latency.value} detail={latency.detail}>
            <BarPointer {...pointer}>
              <Sparkline
                bars={buckets.map((bucket) => bucket.latency?.p95Ms ?? 0)}
                bad={[]}
                label="The time within which 95% of the calls ended"
                isWide
                marked={at}
              />
            </BarPointer>
          </Plot>
        </dl>
        <RangeButtons range={range} choose={choose} />
      </section>
    </Card>
  );
}

type Words = { readonly value: string; readonly detail: string };

/** The figures of the whole range, or of one bar. */
function describeFigures(
  { total, failed, retrying, successRate, latency }: PlotsView,
  bar: PlotsView["buckets"][number] | undefined,
): Readonly<Record<"runs" | "failed" | "latency", Words>> {
  if (bar !== undefined)
    return {
      runs: { value: write(bar.runs), detail: "" },
      failed: { value: write(bar.failed), detail: "" },
      latency: describeLatency(bar.latency),
    };
  const rate = successRate === null ? "None has ended" : `${describeRate(successRate)} succeeded`;
  return {
    runs: { value: write(total), detail: total === 0 ? "" : rate },
    failed: { value: write(failed), detail: retrying === 0 ? "" : `${write(retrying)} retrying` },
    latency: describeLatency(latency),
  };
}

function describeLatency(latency: PlotsView["latency"]): Words {
  if (latency === null) return { value: "–", detail: "None finished" };
  const detail = `95% within ${describeDuration(latency.p95Ms)}`;
  return { value: describeDuration(latency.p50Ms), detail };
}

function write(count: number): string {
  return count.toLocaleString("en");
}

function peak(values: readonly number[]): string {
  return write(Math.max(...values));
}

type PlotProps = {
  readonly name: string;
  readonly value: ReactNode;
  readonly detail: string;
  readonly children: ReactNode;
};

/** The texts have one line each, so that nothing moves while the pointer does. */
function Plot({ name, value, detail, children }: PlotProps) {
  return (
    <div
      className={
        "grid min-w-0 grid-cols-[minmax(0,1fr)_7rem] content-start gap-x-4 gap-y-1 sm:grid-cols-1"
      }
    >
      <dt className="truncate text-sm text-muted-foreground">{name}</dt>
      <dd className="flex h-7 min-w-0 items-baseline gap-x-2 whitespace-nowrap tabular-nums">
        <span className="text-lg font-semibold tracking-tight">{value}</span>
        <span className="truncate text-sm text-muted-foreground">{detail}</span>
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1 self-end sm:col-start-1 sm:row-span-1 sm:row-start-3">
        {children}
      </dd>
    </div>
  );
}

type ValueProps = {
  /** The filter of the list of these runs. Undefined: there is no link. */
  readonly filter: Readonly<Record<string, string>> | undefined;
  readonly children: ReactNode;
};

function Value({ filter, children }: ValueProps) {
  if (filter === undefined) return children;
  return (
    <Link
      href={`/runs?${new URLSearchParams(filter)}`}
      className={
        "inline-flex min-h-6 min-w-6 items-center rounded-sm underline decoration-border " +
        "underline-offset-4 hover:decoration-current"
      }
    >
      {children}
    </Link>
  );
}
