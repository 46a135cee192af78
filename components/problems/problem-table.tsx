"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { WeeklyHoursInText } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemState } from "#lib/schema/watch/problem.ts";
import { describeCount } from "./describe-count.ts";
import { stateWords } from "./problem-words.ts";

export type ProblemRow = Parameters<typeof describeCount>[0] & {
  readonly id: string;
  readonly title: string;
  readonly message: string | null;
  /** The name of who takes care of it. */
  readonly assignee: string | null;
  /** It opened since the person's last visit. */
  readonly isNew: boolean;
  readonly state: ProblemState;
  readonly firstAt: Date;
  readonly lastAt: Date;
};

const columns = [
  { title: "Problem", width: "" },
  { title: "How much", width: "w-36 text-right" },
  { title: "First", width: "w-32 text-right" },
  { title: "Last", width: "w-32 text-right" },
];

type ProblemTableProps = {
  readonly rows: readonly ProblemRow[];
  readonly nowMs: number;
  /** Leaves out what happened last. */
  readonly isShort?: boolean;
};

/** The list has problems of one state, so only those that are acknowledged say theirs. */
export function ProblemTable({ rows, nowMs, isShort = false }: ProblemTableProps) {
  return (
    <RowTable columns={columns} className="list-rows named-rows">
      {rows.map(({ id, title, message, assignee, isNew, state, firstAt, lastAt, ...counted }) => (
        <Row key={id}>
          <Cell>
            <span className="row-lines">
              <span className="min-w-0 md:flex-nowrap!">
                <Link href={`/problems/${id}`} className="row-title md:truncate">
                  {safeText(title)}
                </Link>
                {isNew && <Badge tone="caution">New</Badge>}
                {assignee !== null && <Badge>{safeText(assignee)}</Badge>}
                {state === "acknowledged" && (
                  <Badge tone={stateWords[state].tone}>{stateWords[state].name}</Badge>
                )}
              </span>
              {message !== null && !isShort && (
                <span className="row-rest">
                  <WeeklyHoursInText text={message.slice(0, 200)} nowMs={nowMs} />
                </span>
              )}
            </span>
          </Cell>
          <Cell className="row-number">{describeCount(counted)}</Cell>
          <Cell className="row-number">
            <span>first </span>
            <RelativeTime at={firstAt} nowMs={nowMs} />
          </Cell>
          <Cell>
            <RelativeTime at={lastAt} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}
