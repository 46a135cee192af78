import type { JobStatus } from "#components/runs/job-list.tsx";
import { SinceDialog, type StartSince } from "#components/subscriptions/since-dialog.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

export type RecoveryView = {
  readonly id: string;
  readonly kind: "retry" | "replay_missing";
  readonly status: JobStatus;
  /** Null: too many to count. */
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
};

type StartProps = { readonly subscriptionId: string; readonly start: StartSince };

/** Starts a job that repeats the sends that failed since a time. */
export function RecoverButton({ subscriptionId, start }: StartProps) {
  return (
    <SinceDialog
      subscriptionId={subscriptionId}
      label="Recover"
      title="Recover failed sends"
      confirmLabel="Recover sends"
      start={start}
    >
      Every send that failed since then goes out again, with the same event id.
    </SinceDialog>
  );
}

/** Starts a job that sends events published since a time and never sent to this subscription. */
export function ReplayMissingButton({ subscriptionId, start }: StartProps) {
  return (
    <SinceDialog
      subscriptionId={subscriptionId}
      label="Replay missing"
      title="Replay missing events"
      confirmLabel="Replay events"
      start={start}
    >
      Events since then that match and were never sent here go out now, such as those from while the
      subscription was disabled.
    </SinceDialog>
  );
}

/** The progress of the last day's recoveries and replays. */
export function RecoveryList({
  recoveries,
  nowMs,
}: {
  recoveries: readonly RecoveryView[];
  nowMs: number;
}) {
  if (recoveries.length === 0) return null;
  return (
    <Card className="divide-y">
      {recoveries.map((recovery) => (
        <div key={recovery.id} className="grid gap-1.5 px-4 py-2.5 text-sm" aria-live="polite">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span>{describeRecovery(recovery)}</span>
            <span className="text-xs text-muted-foreground">
              <RelativeTime at={recovery.createdAt} nowMs={nowMs} />
            </span>
          </div>
          {recovery.status === "running" && recovery.total !== null && (
            <progress
              aria-label={recovery.kind === "retry" ? "Recovery" : "Replay"}
              max={recovery.total}
              value={recovery.changedCount}
              className="progress w-full!"
            />
          )}
        </div>
      ))}
    </Card>
  );
}

const words = {
  retry: { job: "Recovery", done: "Recovered", running: "Recovering", again: " again" },
  replay_missing: { job: "Replay", done: "Replayed", running: "Replaying", again: "" },
} as const;

function describeRecovery({ kind, status, total, changedCount }: RecoveryView): string {
  const { job, done, running, again } = words[kind];
  const count = changedCount.toLocaleString("en");
  if (status === "finished")
    return `${done}: ${count} ${changedCount === 1 ? "send goes" : "sends go"} out${again}.`;
  if (status === "cancelled") return `${job} cancelled after ${count} sends.`;
  return `${running}: ${count} of ${total === null ? "many" : total.toLocaleString("en")} sends.`;
}
