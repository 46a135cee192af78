"use client";

import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { describeResponse } from "#components/status/describe-response.ts";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { runStates } from "#lib/schema/act/run-states.ts";
import { RecipientCell, recipientColumn } from "./recipient-cell.tsx";
import type { SubscriptionRow } from "./subscription-row.ts";

type SubscriptionTableProps = {
  readonly rows: readonly SubscriptionRow[];
  readonly nowMs: number;
  /** The table shows one recipient, so rows don't show it. */
  readonly isOneRecipient?: boolean;
};

export function SubscriptionTable({ rows, nowMs, isOneRecipient = false }: SubscriptionTableProps) {
  const columns = [
    { title: "Status", width: "w-40" },
    { title: "Receiver", width: "" },
    { title: "Event types", width: "w-48" },
    ...(isOneRecipient ? [] : [recipientColumn]),
    { title: "Last send", width: "w-46 text-right" },
  ];
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            {row.tone === "positive" ? (
              <span className="row-plain">{row.words}</span>
            ) : (
              <Badge tone={row.tone}>{row.words}</Badge>
            )}
          </Cell>
          <Cell>
            <span className="row-line">
              <Link href={`/subscriptions/${row.id}`} className="row-name">
                <RowText value={row.url} missing="" />
              </Link>
              <ManagedMark kind="subscription" id={row.id} />
              <Rest row={row} />
            </span>
          </Cell>
          <Cell className="row-detail">
            <span>{safeText(row.types)}</span>
          </Cell>
          {!isOneRecipient && <RecipientCell id={row.recipient} />}
          <Cell>
            <LastSend row={row} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}

/** The reason why it isn't active, and its description. */
function Rest({ row: { reason, description } }: { row: SubscriptionRow }) {
  const text = [reason, description].filter(Boolean).join(" ");
  return text === "" ? null : <span className="row-rest">{safeText(text)}</span>;
}

function LastSend({ row: { last }, nowMs }: { row: SubscriptionRow; nowMs: number }) {
  if (last === undefined) return "Nothing sent yet";
  const { label, tone } = runStates[last.status];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <QuietStatus tone={tone}>
        {last.http === undefined ? label : describeResponse(last.http)}
      </QuietStatus>
      <RelativeTime at={last.at} nowMs={nowMs} />
    </span>
  );
}
