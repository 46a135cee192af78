import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { describeRate } from "#components/status/describe-rate.ts";
import { count, Detail, Figure } from "#components/ui/layout/figure.tsx";

type SendingFiguresProps = {
  readonly events: { readonly count: number; readonly isMore: boolean };
  /** The sends of the latest events. */
  readonly sends: {
    readonly succeeded: number;
    readonly failed: number;
    readonly retrying: number;
    readonly waiting: number;
  };
  readonly successRate: number | null;
  readonly subscriptions: {
    readonly active: number;
    readonly disabled: number;
    readonly pending: number;
  };
  readonly range: Range;
};

/** The published events and the results of their sends, each linked to a list of what it counts. */
export function SendingFigures(props: SendingFiguresProps) {
  const { events, sends, successRate, subscriptions, range } = props;
  const since = `since=${range}`;
  const tried = sends.succeeded + sends.failed + sends.retrying;
  const off = subscriptions.disabled + subscriptions.pending;
  return (
    <section aria-label={`Events sent in ${rangeWords[range]}`} className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold tracking-tight">Sending</h2>
      <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        <Figure name="Events" value={`${count(events.count)}${events.isMore ? "+" : ""}`}>
          <Detail href={`/events?${since}`}>View events</Detail>
        </Figure>
        <Figure
          name="Successful sends"
          value={successRate === null ? "–" : describeRate(successRate)}
        >
          {tried === 0 ? "Nothing sent" : `of ${count(tried)}, of the latest events`}
        </Figure>
        <Figure name="Waiting" value={count(sends.waiting)}>
          Of the latest events
        </Figure>
        <Figure name="Active subscriptions" value={count(subscriptions.active)}>
          {subscriptions.disabled > 0 && (
            <Detail href="/subscriptions?status=disabled">
              {count(subscriptions.disabled)} disabled
            </Detail>
          )}
          {subscriptions.pending > 0 && (
            <Detail href="/subscriptions?status=pending">
              {count(subscriptions.pending)} awaiting challenge
            </Detail>
          )}
          {off === 0 && <Detail href="/subscriptions">View subscriptions</Detail>}
        </Figure>
      </dl>
    </section>
  );
}
