"use client";

import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { toPhrase } from "#components/status/summarize-reason.ts";
import { Link } from "#components/ui/link.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunReason } from "#lib/schema/act/run.ts";
import { type RunStatus, runStates } from "#lib/schema/act/run-states.ts";

/** Runs in one state for one reason. */
export type ReasonRow = {
  readonly status: RunStatus;
  /** The last run's. Null: these runs have none. */
  readonly reason: RunReason | null;
  readonly count: number;
  readonly lastAt: Date;
};

const columns = [
  { title: "Status", width: "w-34" },
  { title: "Reason", width: "" },
  { title: "Runs", width: "w-28 text-right" },
  { title: "Last", width: "w-28 text-right" },
];

type ReasonTableProps = {
  readonly rows: readonly ReasonRow[];
  /** The list's filter, as in its URL. */
  readonly values: Readonly<Record<string, string>>;
  readonly nowMs: number;
};

/** The runs of a list by state and reason. Each row leads to its runs. */
export function ReasonTable({ rows, values, nowMs }: ReasonTableProps) {
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <Row key={`${row.status} ${row.reason?.code}`}>
          <Cell>
            <QuietStatus tone={runStates[row.status].tone}>
              {runStates[row.status].label}
            </QuietStatus>
          </Cell>
          <Cell>
            <span className="row-line">
              <Link href={hrefOf(row, values)} className="row-name">
                <RowText
                  value={row.reason === null ? undefined : toPhrase(row.reason.code)}
                  missing="No reason"
                />
              </Link>
              <span className="row-rest">{safeText(row.reason?.detail.slice(0, 200) ?? "")}</span>
            </span>
          </Cell>
          <Cell className="row-number">
            {row.count.toLocaleString("en")}
            <span>{row.count === 1 ? " run" : " runs"}</span>
          </Cell>
          <Cell>
            <RelativeTime at={row.lastAt} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}

function hrefOf({ status, reason }: ReasonRow, values: ReasonTableProps["values"]): string {
  const filter = { ...values, status, ...(reason !== null && { reason: reason.code }) };
  return `/runs?${new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""))}`;
}
