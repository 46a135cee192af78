import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { BulkKind } from "#lib/schema/run-states.ts";
import { describeBulk } from "./describe-bulk.ts";
import { JobList, type JobStatus, type JobView } from "./job-list.tsx";

export type BulkJobView = {
  readonly id: string;
  readonly kind: BulkKind;
  readonly status: JobStatus;
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

/** Bulk jobs on runs, with their results. */
export function BulkJobList({ jobs, ...rest }: BulkJobListProps) {
  return <JobList jobs={jobs.map(toJobView)} {...rest} />;
}

function toJobView(job: BulkJobView): JobView {
  const { id, kind, status, runStatus, total, changedCount, createdAt } = job;
  const done = kind === "retry" ? "queued again" : "cancelled";
  const of = status === "running" && total !== null ? ` of ${total.toLocaleString("en")}` : "";
  return {
    id,
    status,
    title: describeBulk({ ...job, status: runStatus }, total),
    seen: changedCount,
    total,
    outcome: `${changedCount.toLocaleString("en")}${of} ${done}`,
    createdAt,
  };
}
