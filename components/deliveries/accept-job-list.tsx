import { type JobCommands, JobList, type JobView } from "#components/runs/job-list.tsx";
import type { JobState } from "#lib/schema/bulk-job.ts";
import { type AcceptCounts, describeAccept, describeAcceptCounts } from "./describe-accept.ts";

export type AcceptJobView = JobState & AcceptCounts;

type AcceptJobListProps = JobCommands & {
  readonly jobs: readonly AcceptJobView[];
  readonly nowMs: number;
};

/** Jobs that accept rejected deliveries, with their results and what became of their runs. */
export function AcceptJobList({ jobs, nowMs, cancel, pause, resume }: AcceptJobListProps) {
  const commands = { cancel, pause, resume };
  return <JobList jobs={jobs.map(toJobView)} nowMs={nowMs} {...commands} />;
}

function toJobView(job: AcceptJobView): JobView {
  const seen = job.changedCount + job.duplicateCount + job.rejectedCount + job.notStoredCount;
  const title = describeAccept(job.total);
  return { ...job, kind: "accept", title, seen, outcome: describeAcceptCounts(job) };
}
