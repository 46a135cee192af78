import { Fragment } from "react";
import { describeJob } from "#components/runs/describe-job.ts";
import { SinceDialog, type StartSince } from "#components/subscriptions/since-dialog.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { JobState } from "#lib/schema/act/bulk-job.ts";

export type RecoveryView = JobState & { readonly kind: "retry" | "replay_missing" };

type StartProps = { readonly subscriptionId: string; readonly start: StartSince };

/** Starts a job that repeats the sends that failed since a time. */
export function RecoverButton({ subscriptionId, start }: StartProps) {
  return (
    <SinceDialog
      subscriptionId={subscriptionId}
      label="Recover failed…"
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
      label="Replay missing…"
      title="Replay missing events"
      confirmLabel="Replay events"
      start={start}
    >
      Events since then that match and were never sent here go out now, such as those from while the
      subscription was disabled.
    </SinceDialog>
  );
}

type RecoveryListProps = {
  readonly recoveries: readonly RecoveryView[];
  /** The page with the sends. */
  readonly path: string;
  readonly nowMs: number;
};

/** The progress of the last day's recoveries and replays, each with a list of what became of it. */
export function RecoveryList({ recoveries, path, nowMs }: RecoveryListProps) {
  if (recoveries.length === 0) return null;
  return (
    <Card className="divide-y">
      {recoveries.map((recovery) => (
        <div key={recovery.id} className="grid gap-1.5 px-4 py-2.5 text-sm" aria-live="polite">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <Words recovery={recovery} path={path} />
            <span className="text-xs text-muted-foreground">
              <RelativeTime at={recovery.createdAt} nowMs={nowMs} />
            </span>
          </div>
          {describeJob(recovery).badge === null && recovery.total !== null && (
            <progress
              aria-label={names[recovery.kind]}
              max={recovery.total}
              value={describeJob(recovery).done}
              className="progress w-full!"
            />
          )}
        </div>
      ))}
    </Card>
  );
}

const names = { retry: "Recovery", replay_missing: "Replay" } as const;

function Words({ recovery, path }: Pick<RecoveryListProps, "path"> & { recovery: RecoveryView }) {
  const { badge, lead, parts } = describeJob(recovery);
  const state = [badge?.label, lead].filter((text) => typeof text === "string").join(": ");
  return (
    <span>
      {names[recovery.kind]} · {state} ·{" "}
      {parts.map(({ text, status }, at) => (
        <Fragment key={text}>
          {at > 0 && ", "}
          {status === null || text.startsWith("0 ") ? (
            text
          ) : (
            <Link
              href={`${path}?job=${recovery.id}${status === "" ? "" : `&status=${status}`}`}
              className="underline decoration-border underline-offset-4 hover:decoration-current"
            >
              {text}
            </Link>
          )}
        </Fragment>
      ))}
    </span>
  );
}
