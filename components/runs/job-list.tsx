import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** Only replays are paused. */
export type JobStatus = "running" | "paused" | "finished" | "cancelled";

export type JobView = {
  readonly id: string;
  readonly status: JobStatus;
  /** The subject of the job. */
  readonly title: string;
  /** The number of items that are done, and of all. Null: too many to count. */
  readonly seen: number;
  readonly total: number | null;
  /** The results so far. */
  readonly outcome: string;
  readonly createdAt: Date;
  /** True if it can be paused and resumed. */
  readonly canPause?: boolean;
};

export type JobCommand = (jobId: string) => Promise<CommandResult<null>>;

type JobListProps = {
  readonly jobs: readonly JobView[];
  readonly nowMs: number;
  readonly cancel: JobCommand;
  readonly pause?: JobCommand;
  readonly resume?: JobCommand;
};

/** Bulk jobs and their results. They continue in the background. */
export function JobList({ jobs, nowMs, cancel, pause, resume }: JobListProps) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Jobs" className="grid grid-cols-1 gap-2">
      <RefreshWhile isOn={jobs.some(({ status }) => status === "running")} everyMs={1_000} />
      {jobs.map((job) => (
        <Card
          key={job.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm"
        >
          <span className="min-w-0 flex-1 basis-60 break-words font-medium">
            {safeText(job.title)}
          </span>
          <Progress job={job} />
          <span className="text-muted-foreground">
            <RelativeTime at={job.createdAt} nowMs={nowMs} />
          </span>
          {job.canPause === true && job.status === "running" && pause !== undefined && (
            <CommandButton ariaLabel="Pause job" run={pause.bind(null, job.id)}>
              Pause
            </CommandButton>
          )}
          {job.status === "paused" && resume !== undefined && (
            <CommandButton ariaLabel="Resume job" run={resume.bind(null, job.id)}>
              Resume
            </CommandButton>
          )}
          {(job.status === "running" || job.status === "paused") && (
            <CommandButton ariaLabel="Stop job" run={cancel.bind(null, job.id)}>
              Stop
            </CommandButton>
          )}
        </Card>
      ))}
    </section>
  );
}

function Progress({ job: { status, seen, total, outcome } }: { job: JobView }) {
  if (status !== "running") {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={endings[status].tone}>{endings[status].label}</Badge>
        <span className="tabular-nums">{outcome}</span>
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-3">
      <progress
        aria-label="Progress"
        value={total === null ? undefined : seen}
        max={total ?? undefined}
        className="progress"
      />
      <span className="tabular-nums">{outcome}</span>
    </span>
  );
}

const endings = {
  paused: { label: "Paused", tone: "caution" },
  finished: { label: "Done", tone: "positive" },
  cancelled: { label: "Stopped", tone: "neutral" },
} as const;
