// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table drawn as blocks.

import { ProviderMark } from "#components/providers/provider-mark.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { describeRate } from "#components/status/describe-rate.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { Sparkline } from "#components/ui/sparkline.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { DeliveryStatus } from "#lib/schema/delivery.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import { type HookCommands, HookRowMenu } from "./hook-row-menu.tsx";
import { hookStatusWords } from "./hook-status.ts";
import { InlineRename, type RenameHook } from "./inline-rename.tsx";

export type HookRowView = {
  readonly id: string;
  readonly name: string;
  readonly status: HookStatus;
  readonly provider: string;
  readonly providerName: string;
  readonly catchUrl: string;
  readonly isSecretMissing: boolean;
  /** The last 24 hours, oldest first. */
  readonly hours: readonly { readonly value: number; readonly bad: number }[];
  /** Of the last 24 hours. */
  readonly deliveries: number;
  readonly rejected: number;
  readonly failing: number;
  /** 0 to 1; null if no call has ended. */
  /** A call that fails and is retried counts as failed. */
  readonly successRate: number | null;
  readonly last: { readonly status: DeliveryStatus; readonly receivedAt: Date } | null;
};

type HookTableProps = HookCommands & {
  readonly hooks: readonly HookRowView[];
  readonly nowMs: number;
  readonly rename: RenameHook;
};

const titles = ["Hook", "Status", "Deliveries, 24 h", "Calls succeeded", "Last delivery"];

/** A table on wide screens, with each row a block on phones. */
export function HookTable({ hooks, ...rest }: HookTableProps) {
  return (
    <Card>
      <table role="table" className="block w-full text-sm md:table">
        <thead
          role="rowgroup"
          className="hidden border-b bg-muted/60 text-left text-muted-foreground md:table-header-group"
        >
          <tr role="row">
            {titles.map((title) => (
              <th role="columnheader" scope="col" key={title} className="px-4 py-2 font-medium">
                {title}
              </th>
            ))}
            <th role="columnheader" scope="col">
              <span className="sr-only">More</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y md:table-row-group">
          {hooks.map((hook) => (
            <HookRow key={hook.id} hook={hook} {...rest} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const cell = "block md:table-cell md:px-4 md:py-3 md:align-middle";

type HookRowProps = Omit<HookTableProps, "hooks"> & { readonly hook: HookRowView };

function HookRow({ hook, nowMs, rename, ...commands }: HookRowProps) {
  const { words, tone } = hookStatusWords[hook.status];
  return (
    <tr
      role="row"
      className="group relative flex flex-wrap items-center gap-x-3 gap-y-2.5 px-4 py-3 hover:bg-muted/50 md:table-row"
    >
      <td role="cell" className={`${cell} order-1 w-[calc(100%-3rem)] md:w-auto md:max-w-80`}>
        <div className="flex min-w-0 items-center gap-3">
          <ProviderMark id={hook.provider} name={hook.providerName} />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <InlineRename hook={{ id: hook.id, name: hook.name }} rename={rename} />
            <span className="truncate text-xs text-muted-foreground">{hook.providerName}</span>
          </div>
        </div>
      </td>
      <td role="cell" className={`${cell} order-3`}>
        <Badge tone={tone}>{words}</Badge>
        {hook.isSecretMissing && hook.status === "active" && (
          <span className="mt-1 block text-xs text-caution">Rejecting: no secret</span>
        )}
      </td>
      <td role="cell" className={`${cell} order-5`}>
        <DeliveriesOfDay hook={hook} />
      </td>
      <td role="cell" className={`${cell} order-6 ml-auto text-right tabular-nums md:text-left`}>
        <Success hook={hook} />
      </td>
      <td
        role="cell"
        className={`${cell} order-4 ml-auto text-right text-muted-foreground md:text-left`}
      >
        <LastDelivery hook={hook} nowMs={nowMs} />
      </td>
      <td role="cell" className={`${cell} relative z-[1] order-2 ml-auto md:w-px md:pl-0`}>
        <HookRowMenu
          hook={{ id: hook.id, name: hook.name, status: hook.status, catchUrl: hook.catchUrl }}
          {...commands}
        />
      </td>
    </tr>
  );
}

function DeliveriesOfDay({ hook: { hours, deliveries, rejected } }: { hook: HookRowView }) {
  const counted = deliveries.toLocaleString("en");
  const label = `${counted} deliveries in 24 hours${rejected === 0 ? "" : `, ${rejected.toLocaleString("en")} of them rejected`}`;
  return (
    <span className="flex items-center gap-2.5 tabular-nums">
      <Sparkline bars={hours} label={label} />
      <span aria-hidden className={deliveries === 0 ? "text-muted-foreground" : ""}>
        {counted}
      </span>
    </span>
  );
}

function Success({ hook: { successRate, failing } }: { hook: HookRowView }) {
  if (successRate === null) return <span className="text-muted-foreground">No calls</span>;
  return (
    <span className={failing > 0 ? "text-negative" : ""}>
      {describeRate(successRate)}
      {failing > 0 && <span className="block text-xs">{failing.toLocaleString("en")} failing</span>}
      <span className="sr-only md:hidden"> of calls succeeded</span>
    </span>
  );
}

function LastDelivery({ hook: { last }, nowMs }: { hook: HookRowView; nowMs: number }) {
  if (last === null) return "Nothing yet";
  return (
    <>
      <RelativeTime at={last.receivedAt} nowMs={nowMs} />
      {last.status !== "accepted" && (
        <span className="block text-xs">
          {deliveryStatusWords[last.status].words.toLowerCase()}
        </span>
      )}
    </>
  );
}
