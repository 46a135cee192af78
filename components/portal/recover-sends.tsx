import { SinceDialog, type StartSince } from "#components/subscriptions/since-dialog.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

export type RecoveryView = {
  readonly id: string;
  readonly status: "running" | "finished" | "cancelled";
  /** Null: more than are counted. */
  readonly total: number | null;
  readonly changedCount: number;
  readonly createdAt: Date;
};

/** Starts to send again what failed since a time. */
export function RecoverButton({
  subscriptionId,
  start,
}: {
  subscriptionId: string;
  start: StartSince;
}) {
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

/** How far the recoveries of the last day are. */
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
              aria-label="Recovery"
              max={recovery.total}
              value={recovery.changedCount}
              className="h-1.5 w-full overflow-hidden rounded-full accent-primary"
            />
          )}
        </div>
      ))}
    </Card>
  );
}

function describeRecovery({ status, total, changedCount }: RecoveryView): string {
  const done = changedCount.toLocaleString("en");
  if (status === "finished")
    return `Recovered: ${done} ${changedCount === 1 ? "send goes" : "sends go"} out again.`;
  if (status === "cancelled") return `Recovery cancelled after ${done} sends.`;
  return `Recovering: ${done} of ${total === null ? "many" : total.toLocaleString("en")} sends.`;
}
