import { ShieldAlert, ShieldCheck, ShieldOff } from "lucide-react";
import Link from "next/link";
import { rowLink } from "#components/lists/row-link.ts";
import { Cell, numberCell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { deliveryStatusWords, verificationWords } from "#components/status/describe-delivery.ts";
import { summariseOutcome } from "#components/status/summarise-reason.ts";
import { Badge } from "#components/ui/badge.tsx";
import { describeSize } from "#components/ui/describe-size.ts";
import { safeText } from "#components/ui/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import { type RunStatus, runStates } from "#lib/schema/run-states.ts";

export type DeliveryView = {
  readonly id: string;
  readonly hookName: string;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly receivedAt: Date;
  readonly method: string;
  /** Path and query after the catch URL; empty if it was called as is. */
  readonly target: string;
  readonly eventType: string | null;
  readonly contentType: string | null;
  /** In bytes. */
  readonly bodySize: number;
  /** Null: empty, or not text. */
  readonly bodyStart: string | null;
  readonly verificationOutcome: string;
  readonly isSample: boolean;
  readonly runs: readonly { readonly status: RunStatus; readonly count: number }[];
};

const soonMs = 60_000;

/**
 * Its runs are about to change. Runs that have waited longer than a minute are waiting for
 * something else.
 */
export function isMovingDelivery({ runs, receivedAt }: DeliveryView, nowMs: number): boolean {
  const isNew = nowMs - receivedAt.getTime() < soonMs;
  return runs.some(({ status }) => status === "running" || (status === "queued" && isNew));
}

type DeliveryTableProps = {
  readonly deliveries: readonly DeliveryView[];
  readonly nowMs: number;
  /** The table shows one hook, so rows don't name it. */
  readonly isOneHook?: boolean;
};

export function DeliveryTable({ deliveries, nowMs, isOneHook = false }: DeliveryTableProps) {
  const columns = [
    { title: "Status", width: "w-38" },
    { title: "Event", width: "" },
    { title: "Size", width: "w-20 text-right" },
    ...(isOneHook ? [] : [{ title: "Hook", width: "w-36" }]),
    { title: "Runs", width: "w-36" },
    { title: "Received", width: "w-28 text-right" },
  ];
  return (
    <RowTable columns={columns}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} nowMs={nowMs} isOneHook={isOneHook} />
      ))}
    </RowTable>
  );
}

type RowProps = {
  readonly delivery: DeliveryView;
  readonly nowMs: number;
  readonly isOneHook: boolean;
};

function DeliveryRow({ delivery, nowMs, isOneHook }: RowProps) {
  const status = deliveryStatusWords[delivery.status];
  return (
    <Row>
      <Cell>
        <span className="flex items-center gap-1.5">
          <Badge tone={status.tone}>{status.words}</Badge>
          <Signature outcome={delivery.verificationOutcome} />
          {delivery.isSample && <Badge tone="neutral">Sample</Badge>}
        </span>
      </Cell>
      <Cell className="order-2 w-full md:w-auto">
        <Summary delivery={delivery} />
      </Cell>
      <Cell className={`order-3 whitespace-nowrap ${numberCell}`}>
        {describeSize(delivery.bodySize)}
      </Cell>
      {!isOneHook && (
        <Cell className="order-4 flex-1 text-xs text-muted-foreground md:text-sm">
          <span className="block truncate" title={safeText(delivery.hookName)}>
            {safeText(delivery.hookName)}
          </span>
        </Cell>
      )}
      <Cell className="order-5 ml-auto">
        <Runs runs={delivery.runs} />
      </Cell>
      <Cell className="order-1 ml-auto text-muted-foreground md:text-right">
        <RelativeTime at={delivery.receivedAt} nowMs={nowMs} />
      </Cell>
    </Row>
  );
}

/** Method, event type or path, rejection reason, and the start of the body. */
function Summary({ delivery }: { delivery: DeliveryView }) {
  const { method, eventType, target } = delivery;
  const outcome = summariseOutcome(delivery);
  const name = eventType ?? (target === "" ? null : target);
  const body = describeBody(delivery);
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="shrink-0 font-mono text-xs text-muted-foreground">{safeText(method)}</span>
      <Link
        {...rowLink}
        href={`/deliveries/${delivery.id}`}
        prefetch={false}
        title={name === null ? undefined : safeText(name)}
        className="max-w-[70%] shrink-0 truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
      >
        <RowText value={name} missing="No event type" />
      </Link>
      {outcome !== null && <span className="shrink-0 text-xs text-negative">{outcome}</span>}
      <span className="min-w-0 truncate font-mono text-xs text-muted-foreground">
        {safeText(body)}
      </span>
    </span>
  );
}

function describeBody({ bodyStart, bodySize, contentType }: DeliveryView): string {
  if (bodySize === 0) return "No body";
  return bodyStart ?? contentType ?? "Binary";
}

/** The text is for screen readers and the tooltip; a list only has room for the icon. */
function Signature({ outcome }: { outcome: string }) {
  const { words, tone } = verificationWords(outcome);
  const Icon = { verified: ShieldCheck, failed: ShieldAlert }[outcome] ?? ShieldOff;
  return (
    <span title={words} className={tone === "positive" ? "text-positive" : "text-muted-foreground"}>
      <Icon aria-hidden size={15} />
      <span className="sr-only">{words}</span>
    </span>
  );
}

/**
 * One badge with the most important state and its count. Tooltip and screen readers get the rest.
 */
function Runs({ runs }: { runs: DeliveryView["runs"] }) {
  const [first] = runs.toSorted((one, other) => rank(one.status) - rank(other.status));
  if (first === undefined)
    return <span className="text-xs text-muted-foreground md:text-sm">No runs</span>;
  const all = runs.map(({ status, count }) => `${count} ${runStates[status].label}`).join(", ");
  const total = runs.reduce((sum, { count }) => sum + count, 0);
  return (
    <span
      className="flex items-center justify-end gap-1.5 whitespace-nowrap md:justify-start"
      title={all}
    >
      <Badge tone={runStates[first.status].tone}>
        {first.count} {runStates[first.status].label}
      </Badge>
      {total > first.count && (
        <span aria-hidden className="text-xs text-muted-foreground">
          of {total}
        </span>
      )}
      {runs.length > 1 && <span className="sr-only">{all}</span>}
    </span>
  );
}

/** Runs that need attention come first. */
function rank(status: RunStatus): number {
  return runStates[status].rank;
}
