"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { Link } from "#components/ui/link.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";

type DestinationRow = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  /** The limits in words. */
  readonly limits: string;
  readonly actions: number;
};

const columns = [
  { title: "Destination", width: "" },
  { title: "Limits", width: "w-80" },
  { title: "Used by", width: "w-32 text-right" },
];

export function DestinationTable({ rows }: { rows: readonly DestinationRow[] }) {
  return (
    <RowTable columns={columns} className="list-rows named-rows">
      {rows.map(({ id, name, origin, limits, actions }) => (
        <Row key={id}>
          <Cell>
            <span className="row-line">
              <Link href={`/destinations/${id}`} className="row-name">
                {safeText(name)}
              </Link>
              <ManagedMark kind="destination" id={id} />
              <span className="row-rest font-mono">{safeText(origin)}</span>
            </span>
          </Cell>
          <Cell className="row-hook">{limits}</Cell>
          <Cell>{actions === 0 ? "Nothing" : describeCount(actions, "action")}</Cell>
        </Row>
      ))}
    </RowTable>
  );
}
