"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { recipientPath } from "#components/subscriptions/recipient-link.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

type RecipientRow = {
  readonly id: string;
  readonly name?: string;
  readonly subscriptions: number;
  /** The number of them whose every recent call failed. Omitted: none. */
  readonly failing?: number;
  /** Unix milliseconds. */
  readonly at: number;
};

const columns = [
  { title: "Recipient", width: "" },
  { title: "Subscriptions", width: "w-36 text-right" },
  { title: "Created", width: "w-32 text-right" },
];

export function RecipientTable({ rows, nowMs }: { rows: readonly RecipientRow[]; nowMs: number }) {
  return (
    <RowTable columns={columns} className="list-rows named-rows">
      {rows.map(({ id, name, subscriptions, failing, at }) => (
        <Row key={id}>
          <Cell>
            <span className="row-line">
              <Link href={recipientPath(id)} className="row-name">
                {safeText(name ?? id)}
              </Link>
              {failing !== undefined && (
                <Badge tone="negative">
                  {failing === subscriptions ? "Failing" : `${failing} of ${subscriptions} failing`}
                </Badge>
              )}
              <ManagedMark kind="recipient" id={id} />
              <span className="row-rest font-mono">{name === undefined ? "" : safeText(id)}</span>
            </span>
          </Cell>
          <Cell className="row-number">
            {subscriptions.toLocaleString("en")}
            <span>{subscriptions === 1 ? " subscription" : " subscriptions"}</span>
          </Cell>
          <Cell>
            <RelativeTime at={at} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}
