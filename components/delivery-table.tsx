// biome-ignore-all lint/a11y/noRedundantRoles: a table drawn as blocks loses its own roles in Safari.
import Link from "next/link";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { RunStatus } from "#lib/schema/run.ts";
import {
  deliveryStatusWords,
  describeOutcome,
  runStatusWords,
  verificationWords,
} from "./describe-delivery.ts";
import { rowLink } from "./row-link.ts";
import { Badge } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";
import { safeText } from "./ui/safe-text.ts";

export type DeliveryView = {
  readonly id: string;
  readonly hookName: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  /** The reason as the sender was told it, where it was kept. */
  readonly detail: string | null;
  readonly receivedAt: Date;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly verificationOutcome: string;
  readonly runs: readonly { readonly status: RunStatus; readonly count: number }[];
};

const soonMs = 60_000;

/** Its runs are about to change. One that has waited longer than a minute waits for something else. */
export function isMovingDelivery({ runs, receivedAt }: DeliveryView, nowMs: number): boolean {
  const isNew = nowMs - receivedAt.getTime() < soonMs;
  return runs.some(({ status }) => status === "running" || (status === "queued" && isNew));
}

type DeliveryTableProps = {
  readonly deliveries: readonly DeliveryView[];
  readonly nowMs: number;
  /** Of one hook: it need not be named in each row. */
  readonly isOneHook?: boolean;
};

/** A table on wide screens; on a phone each row stands as a block. The roles keep it a table for everybody else. */
export function DeliveryTable({ deliveries, nowMs, isOneHook = false }: DeliveryTableProps) {
  const titles = ["Received", "Status", "Event", !isOneHook && "Hook", "Signature", "Runs"];
  return (
    <Card className="overflow-hidden">
      <table role="table" className="block w-full text-sm md:table">
        <thead
          role="rowgroup"
          className="hidden border-b bg-muted/60 text-left text-muted-foreground md:table-header-group"
        >
          <tr role="row">
            {titles
              .filter((title) => title !== false)
              .map((title) => (
                <th role="columnheader" scope="col" key={title} className="px-4 py-2 font-medium">
                  {title}
                </th>
              ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y md:table-row-group">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} nowMs={nowMs} isOneHook={isOneHook} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const cell = "block align-top md:table-cell md:px-4 md:py-3";

type RowProps = { readonly delivery: DeliveryView; readonly nowMs: number; readonly isOneHook: boolean };

/** On a phone: state and time on one line, what it was below, what became of it last. */
function DeliveryRow({ delivery, nowMs, isOneHook }: RowProps) {
  const status = deliveryStatusWords[delivery.status];
  const verification = verificationWords(delivery.verificationOutcome);
  const outcome = describeOutcome(delivery);
  return (
    <tr
      role="row"
      className="relative flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 py-3 hover:bg-muted/50 has-[a:focus-visible]:bg-muted md:table-row"
    >
      <td role="cell" className={`${cell} order-2 ml-auto text-muted-foreground`}>
        <RelativeTime at={delivery.receivedAt} nowMs={nowMs} />
      </td>
      <td role="cell" className={cell}>
        <Badge tone={status.tone}>{status.words}</Badge>
      </td>
      <td role="cell" className={`${cell} order-3 w-full min-w-0 md:w-auto md:max-w-80`}>
        <Link
          {...rowLink}
          href={`/deliveries/${delivery.id}`}
          prefetch={false}
          className="block rounded-sm font-medium break-words underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {text(delivery.eventType, "No event type")}
        </Link>
        <span
          className="block truncate font-mono text-xs text-muted-foreground"
          title={safeText(delivery.eventId ?? "")}
        >
          {text(delivery.eventId, "No event id")}
        </span>
        {outcome !== null && (
          <span
            className={`mt-1 block text-xs ${delivery.status === "rejected" ? "text-negative" : "text-muted-foreground"}`}
          >
            {safeText(outcome)}
          </span>
        )}
      </td>
      {!isOneHook && (
        <td role="cell" className={`${cell} order-4 min-w-0 text-muted-foreground md:max-w-40`}>
          <span className="line-clamp-2 break-words" title={safeText(delivery.hookName)}>
            {safeText(delivery.hookName)}
          </span>
        </td>
      )}
      <td role="cell" className={`${cell} order-1`}>
        <Badge tone={verification.tone}>{verification.words}</Badge>
      </td>
      <td role="cell" className={`${cell} order-5 ml-auto`}>
        <Runs runs={delivery.runs} />
      </td>
    </tr>
  );
}

const longest = 200;

function text(value: string | null, missing: string) {
  if (value === null) return <span className="font-sans font-normal text-muted-foreground">{missing}</span>;
  return safeText(value.length > longest ? `${value.slice(0, longest)}…` : value);
}

function Runs({ runs }: { runs: DeliveryView["runs"] }) {
  if (runs.length === 0) return <span className="text-muted-foreground">No runs</span>;
  return (
    <span className="flex flex-wrap justify-end gap-1 md:justify-start">
      {runs.map(({ status, count }) => (
        <Badge key={status} tone={runStatusWords[status].tone}>
          {count} {runStatusWords[status].words}
        </Badge>
      ))}
    </span>
  );
}
