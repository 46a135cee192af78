"use client";

import Link from "next/link";
import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemState } from "#lib/schema/problem.ts";
import { stateWords } from "./problem-words.ts";

type ProblemRow = {
  readonly id: string;
  readonly title: string;
  readonly message: string | null;
  readonly state: ProblemState;
  readonly count: number;
  readonly lastAt: Date;
};

const columns = [
  { title: "State", width: "w-36" },
  { title: "Problem", width: "" },
  { title: "Count", width: "w-24 text-right" },
  { title: "Last", width: "w-32 text-right" },
];

/** One line for each problem. */
export function ProblemTable({ rows, nowMs }: { rows: readonly ProblemRow[]; nowMs: number }) {
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map(({ id, title, message, state, count, lastAt }) => (
        <Row key={id}>
          <Cell>
            <Badge tone={stateWords[state].tone}>{stateWords[state].name}</Badge>
          </Cell>
          <Cell>
            <span className="row-line">
              <Link href={`/problems/${id}`} prefetch={false} className="row-name">
                {safeText(title)}
              </Link>
              {message !== null && (
                <span className="row-rest">{safeText(message.slice(0, 200))}</span>
              )}
            </span>
          </Cell>
          <Cell className="row-number">
            {count.toLocaleString("en")}
            <span>{count === 1 ? " time" : " times"}</span>
          </Cell>
          <Cell className="text-right">
            <RelativeTime at={lastAt} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}
