"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { AttemptCells } from "#components/runs/attempt-cells.tsx";
import { RunSituation } from "#components/runs/run-situation.tsx";
import { Link } from "#components/ui/link.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { runStates } from "#lib/schema/act/run-states.ts";
import type { SendRow } from "./send-row.ts";

const columns = [
  { title: "Status", width: "w-34" },
  { title: "Event", width: "" },
  { title: "Attempts", width: "w-24 text-right" },
  { title: "Duration", width: "w-24 text-right" },
  { title: "Created", width: "w-28 text-right" },
];

type SendTableProps = {
  readonly rows: readonly SendRow[];
  readonly nowMs: number;
  /** The path of the pages of sends. Without it, a row links to its event. */
  readonly to?: string;
};

/** The sends of a subscription: one line for each event. */
export function SendTable({ rows, nowMs, to }: SendTableProps) {
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <TableRow key={row.id} row={row} nowMs={nowMs} href={toHref(row, to)} />
      ))}
    </RowTable>
  );
}

/** Null: the event was deleted before its sends. */
function toHref({ id, eventId }: SendRow, to: string | undefined): string | null {
  if (to !== undefined) return `${to}/${id}`;
  return eventId === undefined ? null : `/events/${encodeURIComponent(eventId)}#${id}`;
}

type TableRowProps = {
  readonly row: SendRow;
  readonly nowMs: number;
  readonly href: string | null;
};

function TableRow({ row, nowMs, href }: TableRowProps) {
  const { label, tone } = runStates[row.status];
  return (
    <Row>
      <Cell>
        <QuietStatus tone={tone}>{label}</QuietStatus>
      </Cell>
      <Cell>
        <span className="row-line">
          <SendLink row={row} href={href} />
          <RunSituation row={row} nowMs={nowMs} />
          <span className="row-rest font-mono">{safeText(row.eventId ?? "")}</span>
        </span>
      </Cell>
      <AttemptCells row={row} nowMs={nowMs} />
    </Row>
  );
}

function SendLink({ row: { eventType }, href }: { row: SendRow; href: string | null }) {
  const name = safeText(eventType ?? "Deleted event");
  if (href === null) return <span className="row-name">{name}</span>;
  return (
    <Link href={href} className="row-name">
      {name}
    </Link>
  );
}
