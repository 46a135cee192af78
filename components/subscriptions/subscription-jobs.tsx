import { type JobCommands, JobList } from "#components/runs/job-list.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
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
          hasLimits
        >
          Sends that failed since then are tried again, with all their attempts.
        </SinceDialog>
        <SinceDialog
          subscriptionId={subscriptionId}
          label="Replay missing…"
          title="Replay missing events?"
          confirmLabel="Replay"
          start={replayMissing}
          hasLimits
        >
          Events since then that match this subscription and were never sent to it are sent now,
          such as those from while it was disabled.
        </SinceDialog>
      </span>
    </div>
  );
}

type SubscriptionJobView = JobState & {
  readonly kind: "retry" | "cancel" | "replay_missing";
};

type SubscriptionJobsProps = JobCommands & {
  readonly jobs: readonly SubscriptionJobView[];
  readonly nowMs: number;
};

/** Recoveries and replays, with what became of their sends. */
export function SubscriptionJobs({ jobs, ...rest }: SubscriptionJobsProps) {
  return <JobList jobs={jobs.map((job) => ({ ...job, title: titles[job.kind] }))} {...rest} />;
}

const titles = {
  retry: "Recover failed sends",
  cancel: "Cancel sends",
  replay_missing: "Replay missing events",
} as const;
