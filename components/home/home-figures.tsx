import type { ComponentProps } from "react";
import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { DeliveriesFigure, QueueFigure } from "#components/status/activity-figures.tsx";
import { describeRate } from "#components/status/describe-rate.ts";
import { count, Figure } from "#components/ui/layout/figure.tsx";
import { describeDuration } from "#components/ui/text/describe-duration.ts";

type HomeFiguresProps = {
  readonly figures: Omit<ComponentProps<typeof DeliveriesFigure>, "scope" | "plot"> & {
    readonly runs: Readonly<Record<"succeeded" | "failed" | "retrying", number>>;
    readonly successRate: number | null;
    readonly wait: { readonly p50Ms: number; readonly p95Ms: number } | null;
  };
  readonly waiting: ComponentProps<typeof QueueFigure>["waiting"];
  readonly range: Range;
};

/** Four key figures. How many runs failed is said once, above them. */
export function HomeFigures({ figures, waiting, range }: HomeFiguresProps) {
  const { arrived, deliveries, runs, successRate, wait } = figures;
  const tried = runs.succeeded + runs.failed + runs.retrying;
  return (
    <section aria-label={`Statistics for ${rangeWords[range]}`}>
      <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        <DeliveriesFigure arrived={arrived} deliveries={deliveries} scope={{ range }} />
        <Figure
          name="Successful runs"
          value={successRate === null ? "–" : describeRate(successRate)}
        >
          {tried === 0 ? "Nothing has run" : `of ${count(tried)}`}
        </Figure>
        <Figure
          name="Delivery to first call"
          value={wait === null ? "–" : describeDuration(wait.p50Ms)}
        >
          {wait === null ? "No calls yet" : `Median. 95% within ${describeDuration(wait.p95Ms)}`}
        </Figure>
        <QueueFigure waiting={waiting} />
      </dl>
    </section>
  );
}
