"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { eventTypePath } from "./event-type-path.ts";

type EventTypeRow = {
  readonly name: string;
  readonly description?: string;
  readonly isDeprecated?: true;
  /** The reaction to an event that doesn't match its schema. Omitted: it has no schema. */
  readonly check?: "warn" | "reject";
  /** The number of active subscriptions that get it. */
  readonly subscribers: number;
  /** The number of its events of the last 7 days, counted up to 1,000. */
  readonly events: number;
  /** Unix milliseconds. */
  readonly at: number;
};

const columns = [
  { title: "Event type", width: "" },
  { title: "Schema", width: "w-44" },
  { title: "Subscriptions", width: "w-36 text-right" },
  { title: "Events, 7 days", width: "w-36 text-right" },
  { title: "Changed", width: "w-32 text-right" },
];

export function EventTypeTable({ rows, nowMs }: { rows: readonly EventTypeRow[]; nowMs: number }) {
  return (
    <RowTable columns={columns} className="list-rows named-rows">
      {rows.map(({ name, description, isDeprecated, check, subscribers, events, at }) => (
        <Row key={name}>
          <Cell>
            <span className="row-line">
              <Link href={eventTypePath(name)} className="row-name font-mono">
                {safeText(name)}
              </Link>
              {isDeprecated && <Badge tone="caution">Deprecated</Badge>}
              <ManagedMark kind="event type" id={name} />
              <span className="row-rest">{safeText(description ?? "")}</span>
            </span>
          </Cell>
          <Cell>
            <QuietStatus tone="neutral">{checkWords[check ?? "none"]}</QuietStatus>
          </Cell>
          <Cell className="row-number">
            {subscribers.toLocaleString("en")}
            <span>{subscribers === 1 ? " subscription" : " subscriptions"}</span>
          </Cell>
          <Cell className="row-number">
            {events >= maxCounted ? `${maxCounted.toLocaleString("en")}+` : events}
            <span>{events === 1 ? " event" : " events"}</span>
          </Cell>
          <Cell>
            <RelativeTime at={at} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}

const checkWords = { none: "No schema", warn: "Schema", reject: "Strict schema" } as const;

const maxCounted = 1_000;
