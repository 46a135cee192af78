import { PageLinks } from "#components/lists/page-links.tsx";
import { describeResponse } from "#components/status/describe-response.ts";
import { summarizeTypes } from "#components/subscriptions/event-types/event-type-list.tsx";
import { describeStatus } from "#components/subscriptions/subscription-status.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { runStates } from "#lib/schema/act/run-states.ts";
import type { PortalSubscription } from "./portal-subscription.ts";

type ListedSubscription = PortalSubscription & {
  readonly last: {
    readonly status: RunStatus;
    readonly httpStatus: number | null;
    readonly createdAt: Date;
  } | null;
};

type SubscriptionListProps = {
  readonly base: string;
  readonly list: {
    readonly items: readonly ListedSubscription[];
    readonly nextCursor: string | null;
  };
  readonly nowMs: number;
  readonly isFirst: boolean;
};

/**
 * One block per subscription: its URL, its event types, and a sentence about whether it gets
 * events.
 */
export function PortalSubscriptionList({ base, list, nowMs, isFirst }: SubscriptionListProps) {
  const { items, nextCursor } = list;
  const older = nextCursor === null ? null : `${base}?cursor=${encodeURIComponent(nextCursor)}`;
  return (
    <>
      <Card className="overflow-hidden">
        <ul className="divide-y">
          {items.map((subscription) => (
            <Item key={subscription.id} base={base} subscription={subscription} nowMs={nowMs} />
          ))}
        </ul>
      </Card>
      <PageLinks links={{ older, newer: null, newest: isFirst ? null : base }} />
    </>
  );
}

type ItemProps = {
  readonly base: string;
  readonly subscription: ListedSubscription;
  readonly nowMs: number;
};

function Item({ base, subscription, nowMs }: ItemProps) {
  const { id, receiverUrl, description, eventTypes, last } = subscription;
  const { words, tone } = describeStatus(subscription);
  return (
    <li className="relative grid gap-1 px-4 py-3.5 hover:bg-muted/50 has-[a:focus-visible]:bg-muted sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          href={`${base}/subscriptions/${id}`}
          className={
            "min-w-0 flex-1 basis-48 rounded-sm font-medium wrap-anywhere " +
            "underline-offset-4 after:absolute after:inset-0 hover:underline"
          }
        >
          {safeText(receiverUrl)}
        </Link>
        <Badge tone={tone}>{words}</Badge>
      </div>
      <p className="text-sm text-muted-foreground">{safeText(subscription.explanation.text)}</p>
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted-foreground">
        {description !== null && (
          <span className="min-w-0 font-medium break-words">{safeText(description)}</span>
        )}
        <span className="min-w-0 wrap-anywhere">{safeText(summarizeTypes(eventTypes))}</span>
        {last !== null && (
          <span>
            Last send:{" "}
            {last.httpStatus === null
              ? runStates[last.status].label
              : describeResponse(last.httpStatus)}
            , <RelativeTime at={last.createdAt} nowMs={nowMs} />
          </span>
        )}
      </p>
    </li>
  );
}
