// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table drawn as blocks.
"use client";

import { Cell, Row, RowTable } from "#components/lists/row-table.tsx";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { describeRate } from "#components/status/describe-rate.ts";
import { ManagedMark } from "#components/status/managed-mark.tsx";
import { Sparkline } from "#components/ui/plot/sparkline.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { HookCommands } from "./hook-menu.tsx";
import type { HookRow } from "./hook-row.ts";
import { HookRowMenu } from "./hook-row-menu.tsx";
import { hookStatusWords } from "./hook-status.ts";
import { InlineRename, type RenameHook } from "./inline-rename.tsx";

type HookTableProps = HookCommands & {
  readonly rows: readonly HookRow[];
  readonly nowMs: number;
  readonly rename: RenameHook;
};

const columns = [
  { title: "Hook", width: "w-full" },
  ...["Status", "Deliveries, 24 h", "Calls succeeded", "Last delivery"].map((title) => ({
    title,
    width: "whitespace-nowrap",
  })),
];

export function HookTable({ rows, ...rest }: HookTableProps) {
  return (
    <RowTable columns={columns} menu="More" className="hook-rows">
      {rows.map((row) => (
        <TableRow key={row.id} row={row} {...rest} />
      ))}
    </RowTable>
  );
}

type RowProps = Omit<HookTableProps, "rows"> & { readonly row: HookRow };

function TableRow({ row, nowMs, rename, ...commands }: RowProps) {
  const { id, name, status, catchUrl } = row;
  const { words, tone } = hookStatusWords[status];
  return (
    <Row>
      <Cell>
        <div>
          <ProviderMark id={row.provider} name={row.providerName} isSmall />
          <div>
            <InlineRename hook={{ id, name }} rename={rename} />
            <ManagedMark kind="hook" id={id} />
            <span>{row.providerName}</span>
          </div>
        </div>
      </Cell>
      <Cell className="hook-half order-3">
        {status === "active" ? (
          <QuietStatus tone={tone}>{words}</QuietStatus>
        ) : (
          <Badge tone={tone}>{words}</Badge>
        )}
        {row.isRejecting && <span className="hook-note text-caution">Rejecting: no secret</span>}
      </Cell>
      <Cell className="hook-half order-5">
        <DeliveriesOfDay row={row} />
      </Cell>
      <Cell className="hook-half hook-side order-6 tabular-nums">
        <Success row={row} />
      </Cell>
      <Cell className="hook-half hook-side order-4 text-muted-foreground">
        <LastDelivery row={row} nowMs={nowMs} />
      </Cell>
      <Cell>
        <HookRowMenu hook={{ id, name, status, catchUrl }} {...commands} />
      </Cell>
    </Row>
  );
}

function DeliveriesOfDay({ row: { hours, badHours, deliveries, rejected } }: { row: HookRow }) {
  const counted = deliveries.toLocaleString("en");
  const label =
    `${describeCount(deliveries, "delivery", "deliveries")} in 24 ` +
    `hours${rejected === 0 ? "" : `, ${rejected.toLocaleString("en")} of them rejected`}`;
  return (
    <span className="hook-day">
      <Sparkline bars={hours} bad={badHours} label={label} />
      <span aria-hidden className={deliveries === 0 ? "text-muted-foreground" : undefined}>
        {counted}
      </span>
    </span>
  );
}

function Success({ row: { successRate, failed, retrying } }: { row: HookRow }) {
  if (successRate === null) return <span className="text-muted-foreground">No calls</span>;
  return (
    <span className={failed + retrying > 0 ? "text-negative" : undefined}>
      {describeRate(successRate)}
      {failed > 0 && <span className="hook-note">{`${failed.toLocaleString("en")} failed`}</span>}
      {retrying > 0 && (
        <span className="hook-note">{`${retrying.toLocaleString("en")} retrying`}</span>
      )}
      <span className="sr-only md:hidden"> of calls succeeded</span>
    </span>
  );
}

function LastDelivery({ row: { last, lastAt }, nowMs }: { row: HookRow; nowMs: number }) {
  if (last === undefined || lastAt === undefined) return "Nothing yet";
  return (
    <>
      <RelativeTime at={lastAt} nowMs={nowMs} />
      {last !== "accepted" && (
        <span className="hook-note">{deliveryStatusWords[last].words.toLowerCase()}</span>
      )}
    </>
  );
}
