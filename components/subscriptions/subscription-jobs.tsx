import { JobList, type JobStatus, type JobView } from "#components/runs/job-list.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { SinceDialog, type StartSince } from "./since-dialog.tsx";
import { type SendTest, TestEvent } from "./test-event.tsx";

type SubscriptionToolsProps = {
  readonly subscriptionId: string;
  readonly testTypes: readonly string[];
  readonly sendTest: SendTest;
  readonly recover: StartSince;
  readonly replayMissing: StartSince;
};

/** Tools that send events to a subscription in addition to new ones. */
export function SubscriptionTools(props: SubscriptionToolsProps) {
  const { subscriptionId, testTypes, sendTest, recover, replayMissing } = props;
  return (
    <div className="flex flex-wrap items-start gap-2 border-t pt-5">
      <TestEvent subscriptionId={subscriptionId} types={testTypes} send={sendTest} />
      <span data-commands="subscription" className="flex flex-wrap gap-2 sm:ml-auto">
        <SinceDialog
          subscriptionId={subscriptionId}
          label="Recover failed…"
          title="Recover failed sends?"
          confirmLabel="Recover"
          start={recover}
        >
          Sends that failed since then are tried again, with all their attempts.
        </SinceDialog>
        <SinceDialog
          subscriptionId={subscriptionId}
          label="Replay missing…"
          title="Replay missing events?"
          confirmLabel="Replay"
          start={replayMissing}
        >
          Events since then that match this subscription and were never sent to it are sent now,
          such as those from while it was disabled.
        </SinceDialog>
      </span>
    </div>
  );
}

export type SubscriptionJobView = {
  readonly id: string;
  readonly kind: "retry" | "cancel" | "replay_missing";
  readonly status: JobStatus;
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
};

type SubscriptionJobsProps = {
  readonly jobs: readonly SubscriptionJobView[];
  readonly nowMs: number;
  readonly cancel: (jobId: string) => Promise<CommandResult<null>>;
};

/** Recoveries and replays, with their progress. */
export function SubscriptionJobs({ jobs, ...rest }: SubscriptionJobsProps) {
  return <JobList jobs={jobs.map(toJobView)} {...rest} />;
}

const titles = {
  retry: "Recover failed sends",
  cancel: "Cancel sends",
  replay_missing: "Replay missing events",
} as const;

function toJobView({
  id,
  kind,
  status,
  total,
  changedCount,
  createdAt,
}: SubscriptionJobView): JobView {
  const of = status === "running" && total !== null ? ` of ${total.toLocaleString("en")}` : "";
  return {
    id,
    status,
    title: titles[kind],
    seen: changedCount,
    total,
    outcome: `${changedCount.toLocaleString("en")}${of} ${kind === "cancel" ? "cancelled" : "queued"}`,
    createdAt,
  };
}
