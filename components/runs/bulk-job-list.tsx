import type { BulkKind } from "#lib/schema/run-states.ts";
import { describeBulk, describeReplay } from "./describe-bulk.ts";
import { type JobCommand, JobList, type JobStatus, type JobView } from "./job-list.tsx";

export type BulkJobView = {
  readonly id: string;
  readonly status: JobStatus;
  readonly actionName: string | null;
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
} & (
  | {
      readonly kind: BulkKind;
      /** The run status of its filter. */
      readonly runStatus: string;
    }
  | {
      readonly kind: "replay";
      /** Only deliveries without a run. */
      readonly onlyMissing: boolean;
      readonly failedCount: number;
      readonly pauseReason: string | null;
    }
);

type BulkJobListProps = {
  readonly jobs: readonly BulkJobView[];
  readonly nowMs: number;
  readonly cancel: JobCommand;
  readonly pause: JobCommand;
  readonly resume: JobCommand;
};

/** Bulk jobs on runs, and replays, with their results. */
export function BulkJobList({ jobs, ...rest }: BulkJobListProps) {
  return <JobList jobs={jobs.map(toJobView)} {...rest} />;
}

function toJobView(job: BulkJobView): JobView {
  const { id, status, total, changedCount, createdAt } = job;
  const isOpen = status === "running" || status === "paused";
  const of = isOpen && total !== null ? ` of ${total.toLocaleString("en")}` : "";
  const done =
    job.kind === "replay" ? "queued" : job.kind === "retry" ? "queued again" : "cancelled";
  const outcome = `${changedCount.toLocaleString("en")}${of} ${done}`;
  const shared = { id, status, seen: changedCount, total, createdAt };
  if (job.kind !== "replay")
    return { ...shared, title: describeBulk({ ...job, status: job.runStatus }, total), outcome };
  const { failedCount, pauseReason } = job;
  const failed = failedCount === 0 ? "" : `, ${failedCount.toLocaleString("en")} failed`;
  const why = pauseReason === null || status !== "paused" ? "" : `. Paused: ${pauseReason}`;
  return {
    ...shared,
    title: describeReplay(job, total),
    outcome: `${outcome}${failed}${why}`,
    canPause: true,
  };
}
