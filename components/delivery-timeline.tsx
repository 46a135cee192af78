import Link from "next/link";
import {
  type DeliveryFacts,
  describeDedupe,
  describeStorage,
  describeVerification,
} from "./describe-steps.ts";
import { type RunCommand, RunStep, type RunView } from "./run-step.tsx";
import { Step, Timeline } from "./timeline.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";
import { safeText } from "./ui/safe-text.ts";

type DeliveryTimelineProps = {
  readonly delivery: DeliveryFacts & {
    readonly receivedAt: Date;
    readonly method: string;
    readonly path: string;
    readonly contentType: string | null;
    readonly duplicateOf: string | null;
    readonly sourceIp: string;
  };
  readonly hook: {
    readonly id: string;
    readonly verifiesBy: string;
    readonly dedupesBy: string | null;
    readonly hasActions: boolean;
  };
  /** Newest first. */
  readonly runs: readonly RunView[];
  readonly olderRuns: number;
  readonly nowMs: number;
  readonly retryRun: RunCommand;
  readonly cancelRun: RunCommand;
};

/** The way a delivery went, from the first byte to the last call. */
export function DeliveryTimeline(props: DeliveryTimelineProps) {
  const { delivery, hook, runs, olderRuns, nowMs } = props;
  const verification = describeVerification(delivery, hook.verifiesBy);
  const dedupe = describeDedupe(delivery, hook.dedupesBy);
  const storage = describeStorage(delivery);
  return (
    <Timeline>
      <Step sign="done" title="Arrived" aside={<RelativeTime at={delivery.receivedAt} nowMs={nowMs} />}>
        <p className="break-all">
          {safeText(`${delivery.method} ${delivery.path === "" ? "to the catch URL" : delivery.path}`)} from{" "}
          {delivery.sourceIp}, {safeText(delivery.contentType ?? "without a content type").slice(0, 200)}
        </p>
      </Step>
      <Step sign={verification.sign} title={verification.title}>
        <p>{verification.text}</p>
      </Step>
      {dedupe !== null && (
        <Step sign={dedupe.sign} title={dedupe.title}>
          <p>
            {dedupe.text}{" "}
            {delivery.duplicateOf !== null && (
              <Link
                href={`/deliveries/${delivery.duplicateOf}`}
                className="font-medium text-foreground underline underline-offset-4"
              >
                See the original delivery
              </Link>
            )}
          </p>
        </Step>
      )}
      <Step sign={storage.sign} title={storage.title}>
        {storage.text !== null && <p>{safeText(storage.text)}</p>}
      </Step>
      {delivery.status === "accepted" && runs.length === 0 && (
        <Step sign="passed" title="Nothing was run">
          <p>
            {hook.hasActions ? "No action was switched on when it arrived." : "This hook has no action yet."}{" "}
            <Link
              href={`/hooks/${hook.id}`}
              className="font-medium text-foreground underline underline-offset-4"
            >
              Go to the hook's actions
            </Link>
          </p>
        </Step>
      )}
      {runs.map((run) => (
        <RunStep key={run.id} run={run} nowMs={nowMs} retryRun={props.retryRun} cancelRun={props.cancelRun} />
      ))}
      {olderRuns > 0 && (
        <Step sign="passed" title={`${olderRuns} earlier runs`}>
          <p>They are not shown here; the API has them.</p>
        </Step>
      )}
    </Timeline>
  );
}
