import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

/** See `lib/db/deliveries/delivery-relations.ts`. */
export type RelatedDeliveriesView = {
  readonly items: readonly {
    readonly id: string;
    readonly status: DeliveryStatus;
    readonly eventType: string | null;
    readonly eventId: string | null;
    readonly receivedAt: Date;
  }[];
  readonly count: number;
};

type RelatedDeliveriesProps = {
  readonly label: string;
  readonly related: RelatedDeliveriesView;
  /** The current page, which needs no link to itself. */
  readonly ownId: string;
  readonly nowMs: number;
};

const maxAtOnce = 5;

/** Links to related deliveries. A long list starts collapsed. */
export function RelatedDeliveries({ label, related, ownId, nowMs }: RelatedDeliveriesProps) {
  const { items, count } = related;
  const list = (
    <ul aria-label={label} className="grid gap-1">
      {items.map(({ id, status, eventType, eventId, receivedAt }) => {
        const name = safeText(eventId ?? eventType ?? deliveryStatusWords[status].words).slice(
          0,
          120,
        );
        return (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            {id === ownId ? (
              <span className="font-medium wrap-anywhere text-foreground">{name} (this one)</span>
            ) : (
              <Link
                href={`/deliveries/${id}`}
                className="font-medium wrap-anywhere text-foreground underline underline-offset-4"
              >
                {name}
              </Link>
            )}
            <span className="text-xs">
              {deliveryStatusWords[status].words.toLowerCase()},{" "}
              <RelativeTime at={receivedAt} nowMs={nowMs} />
            </span>
          </li>
        );
      })}
      {count > items.length && <li>The newest {items.length} of them are listed here.</li>}
    </ul>
  );
  if (items.length <= maxAtOnce) return list;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm">Show them</summary>
      <div className="pt-2">{list}</div>
    </details>
  );
}
