"use client";

import type { ReactNode } from "react";
import { Cell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { RowCheck } from "#components/lists/selection/row-check.tsx";
import { deliveryStatusWords, verificationWords } from "#components/status/describe-delivery.ts";
import { summarizeOutcome } from "#components/status/summarize-reason.ts";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { runStates } from "#lib/schema/act/run-states.ts";
import { ColumnHead, type ColumnPlace } from "./column-head.tsx";
import type { Column, DeliveryRow } from "./delivery-row.ts";

type DeliveryTableProps = {
  readonly rows: readonly DeliveryRow[];
  readonly nowMs: number;
  /** The table shows one hook, so rows don't show it. */
  readonly isOneHook?: boolean;
  readonly columns?: readonly Column[];
  /** The list's URL, in which its columns can be arranged. Omitted: they can't. */
  readonly place?: ColumnPlace;
};

/** Deliveries, with the values of the chosen payload paths or else with what differs. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { rows, nowMs, isOneHook = false, columns: chosen = [], place } = props;
  const columns = [
    { title: "Status", width: rows.some(({ isSample }) => isSample) ? "w-51" : "w-36" },
    { title: "Event", width: "w-58" },
    ...(chosen.length === 0
      ? [{ title: "Payload", width: "" }]
      : chosen.map(({ path, title, width }, at) => ({
          ...{ title, width: "group px-2", hint: path, pixels: width },
          head: place && <ColumnHead at={at} columns={chosen} place={place} />,
        }))),
    ...(isOneHook ? [] : [{ title: "Hook", width: "w-32" }]),
    { title: "Runs", width: "w-30" },
    { title: "Received", width: "w-28 text-right" },
  ];
  return (
    <RowTable columns={columns} className="list-rows">
      {rows.map((row) => (
        <TableRow key={row.id} row={row} nowMs={nowMs} isOneHook={isOneHook} chosen={chosen} />
      ))}
    </RowTable>
  );
}

type RowProps = {
  readonly row: DeliveryRow;
  readonly nowMs: number;
  readonly isOneHook: boolean;
  readonly chosen: readonly Column[];
};

function TableRow({ row, nowMs, isOneHook, chosen }: RowProps) {
  const reason = toReason(row);
  return (
    <Row>
      <Cell>
        <RowCheck id={row.id} name={row.name ?? "delivery"} marks={row.marks} />
        <Status row={row} />
      </Cell>
      <Cell>
        <Summary row={row} reason={chosen.length > 0 && reason} />
      </Cell>
      {chosen.length === 0 ? (
        <Cell className="row-payload">
          <Payload row={row} reason={reason} />
        </Cell>
      ) : (
        chosen.map(({ path, title }, at) => (
          <Cell key={path} className="row-value">
            <b>{safeText(title)} </b>
            <span>{safeText(row.cells?.[at] ?? "")}</span>
          </Cell>
        ))
      )}
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

/**
 * The ordinary status is plain text, so that the others stand out. Of a failed verification, the
 * reason says more.
 */
function Status({ row }: { row: DeliveryRow }) {
  const { status, outcome = "verified", isSample } = row;
  const { words, tone } = deliveryStatusWords[status];
  return (
    <>
      {status === "accepted" ? (
        <span className="row-plain">{words}</span>
      ) : (
        <Badge tone={tone}>{words}</Badge>
      )}
      {outcome !== "verified" && outcome !== "failed" && <Signature outcome={outcome} />}
      {isSample && <Badge>Sample</Badge>}
    </>
  );
}

/** Method, unless it is POST, and event type or path. */
function Summary({ row: { id, method, name }, reason }: { row: DeliveryRow; reason?: ReactNode }) {
  return (
    <span className="row-line">
      {method !== undefined && <span className="row-method">{safeText(method)}</span>}
      <Link href={`/deliveries/${id}`} className="row-name">
        <RowText value={name} missing="No event type" />
      </Link>
      {reason}
    </span>
  );
}

/** The values that differ between rows, or else the start of the payload. */
function Payload({ row: { body }, reason }: { row: DeliveryRow; reason: ReactNode }) {
  return (
    <span className="row-line">
      {reason}
      <span className="row-body">
        {typeof body === "string"
          ? safeText(body)
          : body.map(([name, value]) => (
              <span key={name}>
                <i>{safeText(name)}</i> {safeText(value)}
              </span>
            ))}
      </span>
    </span>
  );
}

/** Why the delivery was rejected. */
function toReason({ status, reason }: DeliveryRow): ReactNode {
  const outcome = summarizeOutcome({ status, reason: reason ?? null });
  return outcome === null ? null : <b className="text-negative">{outcome}</b>;
}

/** A list only has room for the icon. The title is its tooltip, also for screen readers. */
function Signature({ outcome }: { outcome: string }) {
  return <i role="img" title={verificationWords(outcome).words} className="seal" />;
}

/**
 * The most important state with its count, as a badge if it isn't ordinary. Tooltip and screen
 * readers get the rest.
 */
function Runs({ runs }: { runs: DeliveryRow["runs"] }) {
  const [first] = runs.toSorted(([one], [other]) => runStates[one].rank - runStates[other].rank);
  if (first === undefined) return <span className="row-plain">No runs</span>;
  const [status, count] = first;
  const all = runs.map(([state, of]) => `${of} ${runStates[state].label}`).join(", ");
  const total = runs.reduce((sum, [, of]) => sum + of, 0);
  const { tone, label } = runStates[status];
  const text = `${count} ${label}`;
  return (
    <span title={runs.length > 1 ? all : undefined}>
      {tone === "negative" || tone === "caution" ? <Badge tone={tone}>{text}</Badge> : text}
      {total > count && <span aria-hidden>{`of ${total}`}</span>}
      {runs.length > 1 && <span className="sr-only">{all}</span>}
    </span>
  );
}
