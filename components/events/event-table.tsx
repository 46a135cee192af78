"use client";

import Link from "next/link";
import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type EventRow, eventPath } from "./event-row.ts";
import { SendCounts } from "./send-counts.tsx";

type EventTableProps = {
  readonly rows: readonly EventRow[];
  readonly nowMs: number;
  /** The table shows one recipient, so rows don't name it. */
  readonly isOneRecipient?: boolean;
};

export function EventTable({ rows, nowMs, isOneRecipient = false }: EventTableProps) {
  const columns = [
    { title: "Sends", width: "w-56" },
    { title: "Event", width: "" },
    ...(isOneRecipient ? [] : [{ title: "Recipient", width: "w-40" }]),
    { title: "Published", width: "w-28 text-right" },
  ];
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            <SendCounts sends={row.sends} />
          </Cell>
          <Cell>
            <Summary row={row} />
          </Cell>
          {!isOneRecipient && (
            <Cell className="row-detail row-hook">
              <span>{safeText(row.recipient ?? "")}</span>
            </Cell>
          )}
          <Cell>
            <RelativeTime at={row.at} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}

/** Event type, id, and the start of the data. */
function Summary({ row: { id, publicId = id, type, hasWarning, data } }: { row: EventRow }) {
  return (
    <span className="row-line">
      <Link href={eventPath(publicId)} prefetch={false} className="row-name">
        <RowText value={type} missing="" />
      </Link>
      {hasWarning && <b className="text-caution">Doesn't match its schema</b>}
      <span className="row-body">
        {safeText(publicId)} {safeText(data)}
      </span>
    </span>
  );
}
