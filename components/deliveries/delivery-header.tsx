import { NeighborLinks } from "#components/lists/neighbor-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import { DeliveryCommands } from "./delivery-commands.tsx";
import { type ReplayableAction, ReplayButton } from "./replay-button.tsx";

type ShownDelivery = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly verificationOutcome: string;
  readonly receivedAt: Date;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly bodySize: number;
  readonly isSample: boolean;
};

type DeliveryHeaderProps = {
  readonly delivery: ShownDelivery;
  readonly hook: { readonly id: string; readonly name: string };
  readonly nowMs: number;
  readonly newerId: string | null;
  readonly olderId: string | null;
  /** Null if a command line can't hold it. */
  readonly curl: string | null;
  /** Empty if no action can run on it. */
  readonly replayable: readonly ReplayableAction[];
  readonly replay: (actionIds: readonly string[]) => Promise<CommandResult<number>>;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** The delivery's title and actions. */
export function DeliveryHeader(props: DeliveryHeaderProps) {
  const { delivery, hook, nowMs, curl, replayable } = props;
  const status = deliveryStatusWords[delivery.status];
  const isEvent = delivery.status === "accepted" || delivery.status === "duplicate";
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 flex-1 basis-80 grid-cols-1 gap-1.5">
        <p className="text-sm text-muted-foreground">
          <Link
            href={`/hooks/${hook.id}`}
            className="break-words underline-offset-4 hover:underline"
          >
            {safeText(hook.name)}
          </Link>
        </p>
        <h1 className="text-2xl font-semibold tracking-tight break-words">
          {safeText(titleOfDelivery(delivery))}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
          <Badge tone={status.tone}>{status.words}</Badge>
          {delivery.isSample && <Badge tone="neutral">Sample</Badge>}
          <RelativeTime at={delivery.receivedAt} nowMs={nowMs} />
          <EventId delivery={delivery} />
        </div>
      </div>
      <div data-commands="delivery" className="flex flex-wrap gap-2">
        <NeighborLinks newerId={props.newerId} olderId={props.olderId} />
        {curl !== null && <CopyButton text={curl} what="as curl" label="Copy as curl" />}
        {isEvent && (
          <Allowed to="hooks:write">
            <Link
              href={`/hooks/${hook.id}/actions/new?delivery=${delivery.id}`}
              className={buttonClasses("secondary")}
            >
              Open in the editor
            </Link>
          </Allowed>
        )}
        <Allowed to="deliveries:write">
          {replayable.length > 0 && <ReplayButton actions={replayable} replay={props.replay} />}
        </Allowed>
        <DeliveryCommands
          hookId={hook.id}
          rawHref={delivery.bodySize > 0 ? `/api/deliveries/${delivery.id}/raw` : null}
          remove={props.remove}
        />
      </div>
    </div>
  );
}

/** The type of its event, or else the id that a rejected delivery claims. */
export function titleOfDelivery(delivery: ShownDelivery): string {
  const { eventType, eventId, status } = delivery;
  if (eventType !== null) return eventType;
  if (eventId === null || status !== "rejected") return "Delivery without an event type";
  return `${eventId}${markOf(delivery)}`;
}

function EventId({ delivery }: { delivery: ShownDelivery }) {
  const { eventType, eventId, status } = delivery;
  if (eventId === null) return <span>No event id</span>;
  // It is the title.
  if (eventType === null && status === "rejected") return null;
  return (
    <span className="min-w-0">
      <code className="font-mono text-xs wrap-anywhere">{safeText(eventId)}</code>
      {markOf(delivery)}
    </span>
  );
}

/** Anyone can claim an id in a request that isn't verified. */
function markOf({ status, verificationOutcome }: ShownDelivery): string {
  return status === "rejected" && verificationOutcome !== "verified" ? " (not verified)" : "";
}
