"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { Link } from "#components/ui/link.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CredentialKind } from "#lib/schema/act/credential.ts";
import { kindWords } from "./describe-kind.ts";

type CredentialRow = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  readonly kind: CredentialKind;
  readonly actions: number;
  readonly destinations: number;
  readonly subscriptions: number;
};

const columns = [
  { title: "Credential", width: "" },
  { title: "Type", width: "w-56" },
  { title: "Used by", width: "w-48 text-right" },
];

export function CredentialTable({ rows }: { rows: readonly CredentialRow[] }) {
  return (
    <RowTable columns={columns} className="list-rows named-rows">
      {rows.map(({ id, name, origin, kind, ...uses }) => (
        <Row key={id}>
          <Cell>
            <span className="row-line">
              <Link href={`/credentials/${id}`} className="row-name">
                {safeText(name)}
              </Link>
              <ManagedMark kind="credential" id={id} />
              <span className="row-rest font-mono">{safeText(origin)}</span>
            </span>
          </Cell>
          <Cell className="row-hook">{kindWords[kind]}</Cell>
          <Cell>{describeUses(uses)}</Cell>
        </Row>
      ))}
    </RowTable>
  );
}

function describeUses(
  uses: Pick<CredentialRow, "actions" | "destinations" | "subscriptions">,
): string {
  const parts = [
    ...(uses.actions === 0 ? [] : [describeCount(uses.actions, "action")]),
    ...(uses.destinations === 0 ? [] : [describeCount(uses.destinations, "destination")]),
    ...(uses.subscriptions === 0 ? [] : [describeCount(uses.subscriptions, "subscription")]),
  ];
  return parts.length === 0 ? "Nothing" : parts.join(", ");
}
