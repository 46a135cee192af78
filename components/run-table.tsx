// biome-ignore-all lint/a11y/noRedundantRoles: a table drawn as blocks loses its own roles in Safari.
import Link from "next/link";
import type { ReactNode } from "react";
import type { RunStatus } from "#lib/schema/run.ts";
import { deletedAction } from "./action-title.tsx";
import { describeRunReason, runStatusWords } from "./describe-delivery.ts";
import { rowLink } from "./row-link.ts";
import { Badge } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { Countdown } from "./ui/countdown.tsx";
import { describeDuration } from "./ui/describe-size.ts";
import { RelativeTime } from "./ui/relative-time.tsx";
import { safeText } from "./ui/safe-text.ts";

export type RunListView = {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly durationMs: number | null;
  readonly deliveryId: string | null;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly hookId: string | null;
  readonly hookName: string | null;
  readonly actionId: string | null;
  readonly actionName: string | null;
};

const soonMs = 60_000;

/** It is about to change. One that waits for long waits for something else. */
export function isMovingRun({ status, createdAt, nextAttemptAt }: RunListView, nowMs: number): boolean {
  if (status === "running") return true;
  if (status === "queued") return nowMs - createdAt.getTime() < soonMs;
  return status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() - nowMs < soonMs;
}

const titles = ["Made", "Status", "Action", "Delivery", "Attempts", "Took"];

/** A table on wide screens; on a phone each row stands as a block. The roles keep it a table for everybody else. */
export function RunTable({ runs, nowMs }: { runs: readonly RunListView[]; nowMs: number }) {
  return (
    <Card className="overflow-hidden">
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
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y md:table-row-group">
          {runs.map((run) => (
            <Row key={run.id} run={run} nowMs={nowMs} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const cell = "block align-top md:table-cell md:px-4 md:py-3";

/** On a phone: state and time on one line, what it was below, and what became of it. */
function Row({ run, nowMs }: { run: RunListView; nowMs: number }) {
  const { words, tone } = runStatusWords[run.status];
  const name = safeText(run.actionName ?? deletedAction);
  return (
    <tr
      role="row"
      className="relative flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 py-3 hover:bg-muted/50 has-[a:focus-visible]:bg-muted md:table-row"
    >
      <td role="cell" className={`${cell} order-1 ml-auto text-muted-foreground`}>
        <RelativeTime at={run.createdAt} nowMs={nowMs} />
      </td>
      <td role="cell" className={cell}>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td role="cell" className={`${cell} order-2 w-full min-w-0 md:w-auto md:max-w-96`}>
        {run.deliveryId === null ? (
          <span className="font-medium break-words">{name}</span>
        ) : (
          <Link
            {...rowLink}
            href={`/deliveries/${run.deliveryId}#${run.id}`}
            prefetch={false}
            className="block rounded-sm font-medium break-words underline-offset-4 after:absolute after:inset-0 hover:underline"
          >
            {name}
          </Link>
        )}
        <span className="block truncate text-xs text-muted-foreground">{safeText(run.hookName ?? "")}</span>
        <Situation run={run} nowMs={nowMs} />
      </td>
      <td role="cell" className={`${cell} order-3 w-full min-w-0 md:w-auto md:max-w-56`}>
        <span className="block break-words">{text(run.eventType, "No event type")}</span>
        <span
          className="block truncate font-mono text-xs text-muted-foreground"
          title={safeText(run.eventId ?? "")}
        >
          {text(run.eventId, "No event id")}
        </span>
      </td>
      <td role="cell" className={`${cell} order-4 tabular-nums`}>
        {run.attemptCount}
        <span className="md:hidden">{run.attemptCount === 1 ? " attempt" : " attempts"}</span>
      </td>
      <td role="cell" className={`${cell} order-5 text-muted-foreground tabular-nums`}>
        {run.durationMs === null ? "" : describeDuration(run.durationMs)}
      </td>
    </tr>
  );
}

/** Why it stands as it does, and what comes next. */
function Situation({
  run: { status, reason, nextAttemptAt, attemptCount },
  nowMs,
}: {
  run: RunListView;
  nowMs: number;
}) {
  const why = reason === null ? null : safeText(cut(describeRunReason(reason)));
  if (status === "held") {
    return <Line>Waits until its hook is active and its action is switched on.</Line>;
  }
  if (status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() > nowMs) {
    return (
      <Line tone="text-caution">
        {why !== null && `${why}. `}Attempt {attemptCount + 1} in{" "}
        <Countdown until={nextAttemptAt} nowMs={nowMs} />
      </Line>
    );
  }
  if (why === null) return null;
  return <Line tone={status === "failed" ? "text-negative" : "text-muted-foreground"}>{why}</Line>;
}

function Line({ tone = "text-muted-foreground", children }: { tone?: string; children: ReactNode }) {
  return <span className={`mt-1 block text-xs break-words ${tone}`}>{children}</span>;
}

const longest = 200;

function cut(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}…` : value;
}

function text(value: string | null, missing: string) {
  if (value === null) return <span className="font-sans text-muted-foreground">{missing}</span>;
  return safeText(cut(value));
}
