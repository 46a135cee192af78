import Link from "next/link";
import { rowLink } from "#components/lists/row-link.ts";
import { Cell, numberCell, Row, RowTable, RowText } from "#components/lists/row-table.tsx";
import { summariseRun } from "#components/status/summarise-reason.ts";
import { Badge } from "#components/ui/badge.tsx";
import { describeDuration } from "#components/ui/describe-size.ts";
import { safeText } from "#components/ui/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunListItem } from "#lib/schema/run.ts";
import { type RunStatus, runStates } from "#lib/schema/run-states.ts";
import { deletedAction } from "./action-title.tsx";

const soonMs = 60_000;

/** It is about to change. A run that has waited for long is waiting for something else. */
export function isMovingRun(
  { status, createdAt, nextAttemptAt }: RunListItem,
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

export function RunTable({ runs, nowMs }: { runs: readonly RunListItem[]; nowMs: number }) {
  return (
    <RowTable columns={columns}>
      {runs.map((run) => (
        <RunTableRow key={run.id} run={run} nowMs={nowMs} />
      ))}
    </RowTable>
  );
}

function RunTableRow({ run, nowMs }: { run: RunListItem; nowMs: number }) {
  const { label, tone } = runStates[run.status];
  return (
    <Row>
      <Cell>
        <span className="flex items-center gap-1.5">
          <Badge tone={tone}>{label}</Badge>
          {run.isSample && <Badge tone="neutral">Sample</Badge>}
        </span>
      </Cell>
      <Cell className="order-2 w-full md:w-auto">
        <Summary run={run} nowMs={nowMs} />
      </Cell>
      <Cell className="order-3 flex-1 text-xs md:text-sm">
        <span className="block truncate" title={safeText(run.eventId ?? "")}>
          <RowText value={run.eventType ?? run.eventId} missing="No event type" />
        </span>
      </Cell>
      <Cell className={`order-4 ${numberCell}`}>
        {run.attemptCount}
        <span className="md:hidden">{run.attemptCount === 1 ? " attempt" : " attempts"}</span>
      </Cell>
      <Cell className={`order-5 ${numberCell}`}>
        {run.durationMs === null ? "" : describeDuration(run.durationMs)}
      </Cell>
      <Cell className="order-1 ml-auto text-muted-foreground md:text-right">
        <RelativeTime at={run.createdAt} nowMs={nowMs} />
      </Cell>
    </Row>
  );
}

/** Action, reason of the state, and hook. */
function Summary({ run, nowMs }: { run: RunListItem; nowMs: number }) {
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
function Situation({ run, nowMs }: { run: RunListItem; nowMs: number }) {
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
