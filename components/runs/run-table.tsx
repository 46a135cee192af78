// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops the roles of a table drawn as blocks.
import Link from "next/link";
import { rowLink } from "#components/lists/row-link.ts";
import { summariseRun } from "#components/status/summarise-reason.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { describeDuration } from "#components/ui/describe-size.ts";
import { safeText } from "#components/ui/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunReason } from "#lib/schema/run.ts";
import { type RunStatus, runStates } from "#lib/schema/run-states.ts";
import { deletedAction } from "./action-title.tsx";

export type RunListView = {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** Of the last attempt, like the two below. */
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly deliveryId: string | null;
  readonly eventType: string | null;
  readonly eventId: string | null;
  readonly isSample: boolean;
  readonly hookId: string | null;
  readonly hookName: string | null;
  readonly actionId: string | null;
  readonly actionName: string | null;
};

const soonMs = 60_000;

/** It is about to change. A run that has waited for long is waiting for something else. */
export function isMovingRun(
  { status, createdAt, nextAttemptAt }: RunListView,
  nowMs: number,
): boolean {
  if (status === "running") return true;
  if (status === "queued") return nowMs - createdAt.getTime() < soonMs;
  return (
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() - nowMs < soonMs
  );
}

const columns = [
  { title: "Status", width: "w-34" },
  { title: "Action", width: "" },
  { title: "Event", width: "w-60" },
  { title: "Attempts", width: "w-24 text-right" },
  { title: "Duration", width: "w-24 text-right" },
  { title: "Created", width: "w-28 text-right" },
];

/**
 * A table on wide screens, with each row a block on phones. The roles keep it a table for screen
 * readers.
 */
export function RunTable({ runs, nowMs }: { runs: readonly RunListView[]; nowMs: number }) {
  return (
    <Card className="overflow-hidden">
      <table role="table" className="block w-full table-fixed text-sm md:table">
        <thead
          role="rowgroup"
          className="hidden border-b bg-muted/60 text-left text-muted-foreground md:table-header-group"
        >
          <tr role="row">
            {columns.map(({ title, width }) => (
              <th
                role="columnheader"
                scope="col"
                key={title}
                className={`px-3 py-2 font-medium ${width}`}
              >
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

const cell = "block min-w-0 align-middle md:table-cell md:px-3 md:py-2";

/** One line. On phones state and time are above it, and the numbers below. */
function Row({ run, nowMs }: { run: RunListView; nowMs: number }) {
  const { label, tone } = runStates[run.status];
  return (
    <tr
      role="row"
      className="relative flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2.5 hover:bg-muted/50 has-[a:focus-visible]:bg-muted md:table-row"
    >
      <td role="cell" className={cell}>
        <span className="flex items-center gap-1.5">
          <Badge tone={tone}>{label}</Badge>
          {run.isSample && <Badge tone="neutral">Sample</Badge>}
        </span>
      </td>
      <td role="cell" className={`${cell} order-2 w-full md:w-auto`}>
        <Summary run={run} nowMs={nowMs} />
      </td>
      <td role="cell" className={`${cell} order-3 flex-1 text-xs md:text-sm`}>
        <span className="block truncate" title={safeText(run.eventId ?? "")}>
          {text(run.eventType ?? run.eventId, "No event type")}
        </span>
      </td>
      <td
        role="cell"
        className={`${cell} order-4 text-xs text-muted-foreground tabular-nums md:text-right md:text-sm`}
      >
        {run.attemptCount}
        <span className="md:hidden">{run.attemptCount === 1 ? " attempt" : " attempts"}</span>
      </td>
      <td
        role="cell"
        className={`${cell} order-5 text-xs text-muted-foreground tabular-nums md:text-right md:text-sm`}
      >
        {run.durationMs === null ? "" : describeDuration(run.durationMs)}
      </td>
      <td role="cell" className={`${cell} order-1 ml-auto text-muted-foreground md:text-right`}>
        <RelativeTime at={run.createdAt} nowMs={nowMs} />
      </td>
    </tr>
  );
}

/** Action, reason of the state, and hook. */
function Summary({ run, nowMs }: { run: RunListView; nowMs: number }) {
  const name = safeText(run.actionName ?? deletedAction);
  const shape = "max-w-[60%] shrink-0 truncate font-medium";
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      {run.deliveryId === null ? (
        <span className={shape}>{name}</span>
      ) : (
        <Link
          {...rowLink}
          href={`/deliveries/${run.deliveryId}#${run.id}`}
          prefetch={false}
          title={name}
          className={`${shape} rounded-sm underline-offset-4 after:absolute after:inset-0 hover:underline`}
        >
          {name}
        </Link>
      )}
      <Situation run={run} nowMs={nowMs} />
      <span className="min-w-0 truncate text-xs text-muted-foreground">
        {safeText(run.hookName ?? "")}
      </span>
    </span>
  );
}

/**
 * The reason of the state and what comes next. The full sentence is in the tooltip and on the
 * delivery's page.
 */
function Situation({ run, nowMs }: { run: RunListView; nowMs: number }) {
  const { status, reason, nextAttemptAt } = run;
  const why = summariseRun(run);
  const sentence = reason === null ? undefined : safeText(reason.detail);
  const isWaiting =
    status === "retrying" && nextAttemptAt !== null && nextAttemptAt.getTime() > nowMs;
  if (why === null) return null;
  return (
    <span
      className={`shrink-0 text-xs ${tones[status] ?? "text-muted-foreground"}`}
      title={sentence}
    >
      {why}
      {isWaiting && (
        <>
          , next in <Countdown until={nextAttemptAt} nowMs={nowMs} />
        </>
      )}
    </span>
  );
}

const tones: Partial<Record<RunStatus, string>> = {
  failed: "text-negative",
  retrying: "text-caution",
};

const longest = 200;

function cut(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}…` : value;
}

function text(value: string | null, missing: string) {
  if (value === null) return <span className="font-sans text-muted-foreground">{missing}</span>;
  return safeText(cut(value));
}
