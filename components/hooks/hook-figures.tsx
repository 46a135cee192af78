import type { ComponentProps } from "react";
import { DeliveriesFigure, QueueFigure } from "#components/status/activity-figures.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { count, Figure } from "#components/ui/layout/figure.tsx";
import { Sparkline } from "#components/ui/plot/sparkline.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";

type HookFiguresProps = {
  readonly hookId: string;
  readonly figures: Omit<ComponentProps<typeof DeliveriesFigure>, "scope" | "plot"> &
    Omit<ComponentProps<typeof QueueFigure>, "hookId"> & {
      /** The number of deliveries in each hour, oldest first. */
      readonly hours: readonly number[];
      readonly rejectedHours: readonly number[];
      /** The usual deliveries at this hour of the week. Null: none, or unknown. */
      readonly usualNow: string | null;
      readonly last: { readonly status: DeliveryStatus; readonly receivedAt: Date };
    };
  readonly nowMs: number;
};

/** A hook's last 24 hours in numbers, each linked to a list of what it counts. */
export function HookFigures({ hookId, figures, nowMs }: HookFiguresProps) {
  const { arrived, deliveries, hours, rejectedHours, last, usualNow } = figures;
  const scope = { range: "24h", hookId, note: ", 24 h" };
  const rejected =
    deliveries.rejected === 0 ? "" : `, ${count(deliveries.rejected)} of them rejected`;
  return (
    <section aria-label="Statistics for the last 24 hours">
      <dl className="grid grid-cols-2 gap-3 *:last:max-xl:col-span-2 xl:grid-cols-3">
        <DeliveriesFigure
          arrived={arrived}
          deliveries={deliveries}
          scope={scope}
          plot={
            <Sparkline
              bars={hours}
              bad={rejectedHours}
              label={`${describeCount(arrived, "delivery", "deliveries")} in 24 hours${rejected}`}
            />
          }
        />
        <QueueFigure waiting={figures.waiting} hookId={hookId} />
        <Figure name="Last delivery" value={<RelativeTime at={last.receivedAt} nowMs={nowMs} />}>
          {deliveryStatusWords[last.status].words}
          {usualNow !== null && `. Usually ${usualNow} now`}
        </Figure>
      </dl>
    </section>
  );
}
