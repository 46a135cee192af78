"use client";

import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { RecipientCell, recipientColumn } from "#components/subscriptions/recipient-cell.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type EventRow, eventPath } from "./event-row.ts";
import { SendCounts } from "./send-counts.tsx";

type EventTableProps = {
  readonly rows: readonly EventRow[];
  readonly nowMs: number;
  /** The table shows one recipient, so rows don't show it. */
  readonly isOneRecipient?: boolean;
};

export function EventTable({ rows, nowMs, isOneRecipient = false }: EventTableProps) {
  const columns = [
    { title: "Sends", width: "w-56" },
    { title: "Event", width: "" },
    ...(isOneRecipient ? [] : [recipientColumn]),
    { title: "Published", width: "w-28 text-right" },
  ];
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            <SendCounts sends={row.sends} isQuiet />
          </Cell>
          <Cell>
            <Summary row={row} />
          </Cell>
          {!isOneRecipient && <RecipientCell id={row.recipient} />}
          <Cell>
            <RelativeTime at={row.at} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}

/** The event type, the id if the publisher set one, and the start of the data. */
function Summary({ row }: { row: EventRow }) {
  const { id, publicId = id, type, isTest = false, hasWarning, data } = row;
  const isGiven = publicId !== id && !isTest;
  return (
    <span className="row-line">
      <Link href={eventPath(publicId)} className="row-name">
        <RowText value={type} missing="" />
      </Link>
      {hasWarning && <b className="text-caution">Doesn't match its schema</b>}
      {isTest && <Badge>Test</Badge>}
      <span className="row-body">{safeText(isGiven ? `${publicId} ${data}` : data)}</span>
    </span>
  );
}
