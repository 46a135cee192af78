"use client";

import Link from "next/link";
import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { deliveryStatusWords, verificationWords } from "#components/status/describe-delivery.ts";
import { summariseOutcome } from "#components/status/summarise-reason.ts";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeSize } from "#components/ui/text/describe-size.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { runStates } from "#lib/schema/run-states.ts";
import type { DeliveryRow } from "./delivery-row.ts";

type DeliveryTableProps = {
  readonly rows: readonly DeliveryRow[];
  readonly nowMs: number;
  /** The table shows one hook, so rows don't show it. */
  readonly isOneHook?: boolean;
};

export function DeliveryTable({ rows, nowMs, isOneHook = false }: DeliveryTableProps) {
  const columns = [
    { title: "Status", width: "w-38" },
    { title: "Event", width: "" },
    { title: "Size", width: "w-22 text-right" },
    ...(isOneHook ? [] : [{ title: "Hook", width: "w-36" }]),
    { title: "Runs", width: "w-36" },
    { title: "Received", width: "w-28 text-right" },
  ];
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <TableRow key={row.id} row={row} nowMs={nowMs} isOneHook={isOneHook} />
      ))}
    </RowTable>
  );
}

type RowProps = {
  readonly row: DeliveryRow;
  readonly nowMs: number;
  readonly isOneHook: boolean;
};

function TableRow({ row, nowMs, isOneHook }: RowProps) {
  const status = deliveryStatusWords[row.status];
  return (
    <Row>
      <Cell>
        <Badge tone={status.tone}>{status.words}</Badge>
        <Signature outcome={row.outcome ?? "verified"} />
        {row.isSample && <Badge>Sample</Badge>}
      </Cell>
      <Cell>
        <Summary row={row} />
      </Cell>
      <Cell className="row-number">{describeSize(row.size)}</Cell>
      {!isOneHook && (
        <Cell className="row-detail row-hook">
          <span>{safeText(row.hook ?? "")}</span>
        </Cell>
      )}
      <Cell className="row-runs">
        <Runs runs={row.runs} />
      </Cell>
      <Cell>
        <RelativeTime at={row.at} nowMs={nowMs} />
      </Cell>
    </Row>
  );
}

/** Method, event type or path, rejection reason, and the start of the body. */
function Summary({ row }: { row: DeliveryRow }) {
  const { id, status, method = "POST", name, reason = null, body } = row;
  const outcome = summariseOutcome({ status, reason });
  return (
    <span className="row-line">
      <span className="row-method">{safeText(method)}</span>
      <Link href={`/deliveries/${id}`} prefetch={false} className="row-name">
        <RowText value={name} missing="No event type" />
      </Link>
      {outcome !== null && <b className="text-negative">{outcome}</b>}
      <span className="row-body">{safeText(body)}</span>
    </span>
  );
}

/** A list only has room for the icon. The title is its tooltip, also for screen readers. */
function Signature({ outcome }: { outcome: string }) {
  const { words } = verificationWords(outcome);
  const name = outcome === "verified" || outcome === "failed" ? outcome : "unverified";
  return <i role="img" title={words} className={`seal ${name}`} />;
}

/**
 * One badge with the most important state and its count. Tooltip and screen readers get the rest.
 */
function Runs({ runs }: { runs: DeliveryRow["runs"] }) {
  const [first] = runs.toSorted(([one], [other]) => runStates[one].rank - runStates[other].rank);
  if (first === undefined) return <span className="md:text-sm">No runs</span>;
  const [status, count] = first;
  const all = runs.map(([state, of]) => `${of} ${runStates[state].label}`).join(", ");
  const total = runs.reduce((sum, [, of]) => sum + of, 0);
  return (
    <span title={runs.length > 1 ? all : undefined}>
      <Badge tone={runStates[status].tone}>{`${count} ${runStates[status].label}`}</Badge>
      {total > count && <span aria-hidden>{`of ${total}`}</span>}
      {runs.length > 1 && <span className="sr-only">{all}</span>}
    </span>
  );
}
