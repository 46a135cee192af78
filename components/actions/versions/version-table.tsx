"use client";

import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { describeVersion, type VersionSummary } from "#lib/schema/act/version.ts";

type VersionTableProps = {
  readonly actionId: string;
  readonly versions: readonly VersionSummary[];
  readonly nowMs: number;
};

const columns = [
  { title: "Version", width: "w-36" },
  { title: "What changed", width: "" },
  { title: "By", width: "w-56" },
  { title: "Saved", width: "w-32 text-right" },
];

/** The versions of an action, newest first. */
export function VersionTable({ actionId, versions, nowMs }: VersionTableProps) {
  return (
    <RowTable columns={columns} className="list-rows">
      {versions.map((version) => (
        <Row key={version.number}>
          <Cell>
            <span className="tabular-nums">{version.number}</span>
            {version.isCurrent && <Badge tone="positive">Current</Badge>}
          </Cell>
          <Cell>
            <span className="row-line">
              <Link href={`/actions/${actionId}/versions/${version.number}`} className="row-name">
                {safeText(describeVersion(version))}
              </Link>
            </span>
          </Cell>
          <Cell className="row-detail">
            <span>
              <RowText value={version.author ?? undefined} missing="Unknown" />
            </span>
          </Cell>
          <Cell>
            <RelativeTime at={version.createdAt} nowMs={nowMs} />
          </Cell>
        </Row>
      ))}
    </RowTable>
  );
}
