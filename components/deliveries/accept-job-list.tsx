import { JobList, type JobStatus, type JobView } from "#components/runs/job-list.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type AcceptCounts, describeAccept, describeAcceptCounts } from "./describe-accept.ts";

export type AcceptJobView = AcceptCounts & {
  readonly id: string;
  readonly status: JobStatus;
  readonly total: number | null;
  readonly createdAt: Date;
};

type AcceptJobListProps = {
  readonly jobs: readonly AcceptJobView[];
  readonly nowMs: number;
  readonly cancel: (jobId: string) => Promise<CommandResult<null>>;
};

/** Jobs that accept rejected deliveries, with their results. */
export function AcceptJobList({ jobs, ...rest }: AcceptJobListProps) {
  return <JobList jobs={jobs.map(toJobView)} {...rest} />;
}

function toJobView(job: AcceptJobView): JobView {
  const { id, status, total, createdAt } = job;
  const seen = job.changedCount + job.duplicateCount + job.rejectedCount + job.notStoredCount;
  return {
    id,
    status,
    title: describeAccept(total),
    seen,
    total,
    outcome: describeAcceptCounts(job),
    createdAt,
  };
}
