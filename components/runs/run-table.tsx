"use client";

import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { RowCheck } from "#components/lists/selection/row-check.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { runStates } from "#lib/schema/act/run-states.ts";
import { AttemptCells } from "./attempt-cells.tsx";
import type { RunRow } from "./run-row.ts";
import { RunSituation } from "./run-situation.tsx";

/** A sample says so after its status, on the same line. */
const toColumns = (hasSample: boolean) => [
  { title: "Status", width: hasSample ? "w-49" : "w-34" },
  { title: "Action or receiver", width: "" },
  { title: "Event", width: "w-64" },
  { title: "Attempts", width: "w-22 text-right" },
  { title: "Duration", width: "w-22 text-right" },
  { title: "Created", width: "w-28 text-right" },
];

type RunTableProps = { readonly rows: readonly RunRow[]; readonly nowMs: number };

export function RunTable({ rows, nowMs }: RunTableProps) {
  return (
    <RowTable columns={toColumns(rows.some(({ isSample }) => isSample))} className="list-rows">
      {rows.map((row) => (
        <TableRow key={row.id} row={row} nowMs={nowMs} />
      ))}
    </RowTable>
  );
}

function TableRow({ row, nowMs }: { row: RunRow; nowMs: number }) {
  const { label, tone } = runStates[row.status];
  return (
    <Row>
      <Cell>
        <RowCheck id={row.id} name={row.action} marks={row.marks} />
        <QuietStatus tone={tone}>{label}</QuietStatus>
        {row.isSample && <Badge>Sample</Badge>}
      </Cell>
      <Cell>
        <Summary row={row} nowMs={nowMs} />
      </Cell>
      <Cell className="row-detail">
        <span>
          <RowText value={row.event} missing="No event type" />{" "}
          {row.eventId !== undefined && (
            <span className="row-id">
              <RowText value={row.eventId} missing="" />
            </span>
          )}
        </span>
      </Cell>
      <AttemptCells row={row} nowMs={nowMs} />
    </Row>
  );
}

/** The action, the reason for the state, and the hook. */
function Summary({ row, nowMs }: { row: RunRow; nowMs: number }) {
  const name = safeText(row.action);
  return (
    <span className="row-line row-fit">
      {row.href === undefined ? (
        <span className="row-name">{name}</span>
      ) : (
        <Link href={row.href} className="row-name">
          {name}
        </Link>
      )}
      <RunSituation row={row} nowMs={nowMs} />
      <span className="row-rest">{safeText(row.hook)}</span>
    </span>
  );
}
