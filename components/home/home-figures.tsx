import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { describeRate } from "#components/status/describe-rate.ts";
import { count, Detail, Figure } from "#components/ui/layout/figure.tsx";
import { describeDuration } from "#components/ui/text/describe-size.ts";

type HomeFiguresProps = {
  readonly figures: {
    /** The number of all deliveries in the range. */
    readonly arrived: number;
    readonly deliveries: {
      readonly rejected: number;
      readonly duplicate: number;
      readonly pending: number;
    };
    readonly runs: {
      readonly failed: number;
      readonly retrying: number;
      readonly succeeded: number;
    };
    readonly successRate: number | null;
    readonly wait: { readonly p50Ms: number; readonly p95Ms: number } | null;
  };
  readonly waiting: {
    readonly queued: number;
    readonly retrying: number;
    readonly held: number;
    /** The number of held runs for which a person has to say what happened to a call. */
    readonly asking: number;
  };
  readonly range: Range;
};

/** Four key figures, each linked to a list of what it counts. */
export function HomeFigures({ figures, waiting, range }: HomeFiguresProps) {
  const { deliveries, runs, successRate, wait } = figures;
  const since = `since=${range}`;
  const all = waiting.queued + waiting.retrying + waiting.held;
  return (
    <section aria-label={`Statistics for ${rangeWords[range]}`}>
      <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        <Figure name="Deliveries" value={count(figures.arrived)}>
          {deliveries.rejected > 0 && (
            <Detail href={`/deliveries?status=rejected&${since}`} isBad>
              {count(deliveries.rejected)} rejected
            </Detail>
          )}
          {deliveries.pending > 0 && (
            <Detail href={`/deliveries?status=pending&${since}`}>
              {count(deliveries.pending)} pending
            </Detail>
          )}
          {deliveries.duplicate > 0 && (
            <Detail href={`/deliveries?status=duplicate&${since}`}>
              {count(deliveries.duplicate)}{" "}
              {deliveries.duplicate === 1 ? "duplicate" : "duplicates"}
            </Detail>
          )}
          {deliveries.rejected + deliveries.pending + deliveries.duplicate === 0 && "None rejected"}
        </Figure>
        <Figure
          name="Successful runs"
          value={successRate === null ? "–" : describeRate(successRate)}
        >
          {runs.failed > 0 && (
            <Detail href={`/runs?status=failed&${since}`} isBad>
              {count(runs.failed)} failed
            </Detail>
          )}
          {runs.retrying > 0 && (
            <Detail href={`/runs?status=retrying&${since}`} isBad>
              {count(runs.retrying)} failing
            </Detail>
          )}
          {runs.failed + runs.retrying === 0 && `None of ${count(runs.succeeded)} failed`}
        </Figure>
        <Figure
          name="Delivery to first call"
          value={wait === null ? "–" : describeDuration(wait.p50Ms)}
        >
          {wait === null ? "No calls yet" : `Median. 95% within ${describeDuration(wait.p95Ms)}`}
        </Figure>
        <Figure name="Queued now" value={count(all)}>
          {waiting.retrying > 0 && (
            <Detail href="/runs?status=retrying">{count(waiting.retrying)} to retry</Detail>
          )}
          {waiting.asking > 0 && (
            <Detail href="/runs?status=held&reason=outcome_unknown" isBad>
              {count(waiting.asking)} waiting for your decision
            </Detail>
          )}
          {waiting.held > 0 && <Detail href="/runs?status=held">{count(waiting.held)} held</Detail>}
          {waiting.queued > 0 && (
            <Detail href="/runs?status=queued">{count(waiting.queued)} in the queue</Detail>
          )}
          {all === 0 && "The queue is empty"}
        </Figure>
      </dl>
    </section>
  );
}
