import type { ComponentProps } from "react";
import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { DeliveriesFigure, QueueFigure, RunsFigure } from "#components/status/activity-figures.tsx";
import { Figure } from "#components/ui/layout/figure.tsx";
import { describeDuration } from "#components/ui/text/describe-size.ts";

type HomeFiguresProps = {
  readonly figures: Omit<ComponentProps<typeof DeliveriesFigure>, "scope" | "plot"> &
    Omit<ComponentProps<typeof RunsFigure>, "scope"> & {
      readonly wait: { readonly p50Ms: number; readonly p95Ms: number } | null;
    };
  readonly waiting: ComponentProps<typeof QueueFigure>["waiting"];
  readonly range: Range;
};

/** Four key figures, each linked to a list of what it counts. */
export function HomeFigures({ figures, waiting, range }: HomeFiguresProps) {
  const { arrived, deliveries, runs, successRate, wait } = figures;
  return (
    <section aria-label={`Statistics for ${rangeWords[range]}`}>
      <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        <DeliveriesFigure arrived={arrived} deliveries={deliveries} scope={{ range }} />
        <RunsFigure runs={runs} successRate={successRate} scope={{ range }} />
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
