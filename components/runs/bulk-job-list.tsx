import type { JobState } from "#lib/schema/act/bulk-job.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { describeBulk, describeReplay } from "./describe-bulk.ts";
import { type JobCommands, JobList, type JobView } from "./job-list.tsx";

type BulkJobView = JobState & {
  readonly actionName: string | null;
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
      }
  );

type BulkJobListProps = JobCommands & {
  readonly jobs: readonly BulkJobView[];
  readonly nowMs: number;
};

/** Bulk jobs on runs, and replays, with what became of their runs. */
export function BulkJobList({ jobs, ...rest }: BulkJobListProps) {
  return <JobList jobs={jobs.map(toJobView)} {...rest} />;
}

function toJobView(job: BulkJobView): JobView {
  const title =
    job.kind === "replay"
      ? describeReplay(job, job.total)
      : describeBulk({ ...job, status: job.runStatus }, job.total);
  return { ...job, title };
}
