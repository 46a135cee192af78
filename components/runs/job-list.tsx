import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeJob, type JobKind, type JobPart } from "./describe-job.ts";

export type JobView = JobState & {
  readonly kind: JobKind;
  /** The subject of the job. */
  readonly title: string;
  /** The number of things that are done, if they aren't runs, and what happened to them. */
  readonly seen?: number;
  readonly outcome?: string;
};

type JobCommand = (jobId: string) => Promise<CommandResult<null>>;

export type JobCommands = {
  readonly cancel: JobCommand;
  readonly pause: JobCommand;
  readonly resume: JobCommand;
};

type JobListProps = JobCommands & { readonly jobs: readonly JobView[]; readonly nowMs: number };

/** Bulk jobs and what has become of their runs. They continue in the background. */
export function JobList({ jobs, nowMs, cancel, pause, resume }: JobListProps) {
  if (jobs.length === 0) return null;
  const isRunning = jobs.some(({ status }) => status === "running");
  return (
    <section aria-label="Jobs" className="grid grid-cols-1 gap-2">
      <RefreshWhile
        isOn={isRunning || jobs.some(({ openCount }) => openCount > 0)}
        everyMs={isRunning ? 1_000 : 2_000}
      />
      {jobs.map((job) => (
        <Card
          key={job.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm"
        >
          <span className="min-w-0 flex-1 basis-60 break-words font-medium">
            {safeText(job.title)}
          </span>
          <Progress job={job} />
          <span className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="text-muted-foreground">
              <RelativeTime at={job.createdAt} nowMs={nowMs} />
            </span>
            <Allowed to="deliveries:write">
              {job.kind !== "cancel" && job.status === "running" && (
                <CommandButton ariaLabel="Pause job" run={pause.bind(null, job.id)}>
                  Pause
                </CommandButton>
              )}
              {job.status === "paused" && (
                <CommandButton ariaLabel="Resume job" run={resume.bind(null, job.id)}>
                  Resume
                </CommandButton>
              )}
              {(job.status === "running" || job.status === "paused") && (
                <CommandButton ariaLabel="Stop job" run={cancel.bind(null, job.id)}>
                  Stop
                </CommandButton>
              )}
            </Allowed>
          </span>
        </Card>
      ))}
    </section>
  );
}

function Progress({ job }: { job: JobView }) {
  const { badge, done, lead, parts } = describeJob(job);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
      {badge === null ? (
        <progress
          aria-label="Progress"
          value={job.total === null ? undefined : done}
          max={job.total ?? undefined}
          className="progress"
        />
      ) : (
        <Badge tone={badge.tone}>{badge.label}</Badge>
      )}
      {lead !== null && <span>{lead}</span>}
      {job.outcome !== undefined && <span>{job.outcome}</span>}
      <span>
        {parts.map((part, index) => (
          <span key={part.text}>
            {index > 0 && ", "}
            <Part jobId={job.id} part={part} />
          </span>
        ))}
      </span>
    </span>
  );
}

/** Links to the runs that it counts. */
function Part({ jobId, part: { text, status } }: { jobId: string; part: JobPart }) {
  if (status === null || text.startsWith("0 ")) return text;
  const query = new URLSearchParams({ ...(status !== "" && { status }), jobId });
  return (
    <Link href={`/runs?${query}`} className="underline underline-offset-2 hover:no-underline">
      {text}
    </Link>
  );
}
