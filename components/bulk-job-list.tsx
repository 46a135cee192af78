import type { CommandResult } from "#lib/schema/command-result.ts";
import type { BulkKind } from "#lib/schema/run.ts";
import { describeBulk } from "./describe-bulk.ts";
import { RefreshWhile } from "./refresh-while.tsx";
import { Badge } from "./ui/badge.tsx";
import { Card } from "./ui/card.tsx";
import { CommandButton } from "./ui/command-button.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";
import { safeText } from "./ui/safe-text.ts";

export type BulkJobView = {
  readonly id: string;
  readonly kind: BulkKind;
  readonly status: "running" | "finished" | "cancelled";
  /** Of its filter. */
  readonly runStatus: string;
  readonly actionName: string | null;
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
};

type BulkJobListProps = {
  readonly jobs: readonly BulkJobView[];
  readonly nowMs: number;
  readonly cancel: (jobId: string) => Promise<CommandResult<null>>;
};

/** What is being done to many runs, and what came of it. It goes on in the background whether somebody looks or not. */
export function BulkJobList({ jobs, nowMs, cancel }: BulkJobListProps) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Jobs" className="grid grid-cols-1 gap-2">
      <RefreshWhile isOn={jobs.some(({ status }) => status === "running")} everyMs={1_000} />
      {jobs.map((job) => (
        <Card key={job.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
          <span className="min-w-0 flex-1 basis-60 break-words font-medium">
            {safeText(describeBulk({ ...job, status: job.runStatus }, job.total))}
          </span>
          <Progress job={job} />
          <span className="text-muted-foreground">
            <RelativeTime at={job.createdAt} nowMs={nowMs} />
          </span>
          {job.status === "running" && (
            <CommandButton ariaLabel="Stop this job" run={cancel.bind(null, job.id)}>
              Stop
            </CommandButton>
          )}
        </Card>
      ))}
    </section>
  );
}

function Progress({ job: { kind, status, total, changedCount } }: { job: BulkJobView }) {
  const done = kind === "retry" ? "put back to run" : "cancelled";
  const words = `${changedCount.toLocaleString("en")}${status === "running" && total !== null ? ` of ${total.toLocaleString("en")}` : ""} ${done}`;
  if (status !== "running") {
    return (
      <span className="flex items-center gap-2">
        <Badge tone={status === "finished" ? "positive" : "neutral"}>
          {status === "finished" ? "Done" : "Stopped"}
        </Badge>
        <span className="tabular-nums">{words}</span>
      </span>
    );
  }
  return (
    <span className="flex items-center gap-3">
      <progress
        aria-label="Progress"
        value={total === null ? undefined : changedCount}
        max={total ?? undefined}
        className="h-2 w-32 accent-primary"
      />
      <span className="tabular-nums">{words}</span>
    </span>
  );
}
