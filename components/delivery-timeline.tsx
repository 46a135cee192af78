import type { HookStatus } from "#lib/schema/hook.ts";
import { ActionTitle } from "./action-title.tsx";
import {
  type DeliveryFacts,
  describeDedupe,
  describeIdle,
  describeStorage,
  describeVerification,
} from "./describe-steps.ts";
import { RelatedDeliveries, type RelatedDeliveriesView } from "./related-deliveries.tsx";
import { type RunCommand, RunStep, type RunView } from "./run-step.tsx";
import { Step, Timeline } from "./timeline.tsx";
import { Badge } from "./ui/badge.tsx";
import { Onward } from "./ui/onward.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";
import { safeText } from "./ui/safe-text.ts";

type DeliveryTimelineProps = {
  readonly delivery: DeliveryFacts & {
    readonly id: string;
    readonly batchId: string | null;
    readonly receivedAt: Date;
    readonly method: string;
    readonly path: string;
    readonly contentType: string | null;
    readonly duplicateOf: string | null;
    readonly sourceIp: string;
  };
  readonly hook: {
    readonly id: string;
    readonly status: HookStatus;
    readonly verifiesBy: string;
    readonly dedupesBy: string | null;
    readonly hasActions: boolean;
  };
  /** Actions of the hook that made no run of it. */
  readonly idleActions: readonly {
    readonly id: string;
    readonly name: string;
    readonly isOn: boolean;
    readonly isYounger: boolean;
  }[];
  /** Newest first. */
  readonly runs: readonly RunView[];
  readonly olderRuns: number;
  readonly duplicates: RelatedDeliveriesView;
  /** The events that it held, or that came in one request with it. */
  readonly events: RelatedDeliveriesView;
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
        <p className="break-words">
          {safeText(`${delivery.method} ${delivery.path === "" ? "to the catch URL" : delivery.path}`)} from{" "}
          {delivery.sourceIp}, {safeText(delivery.contentType ?? "without a content type").slice(0, 200)}
        </p>
      </Step>
      <Step sign={verification.sign} title={verification.title}>
        <p>
          {verification.text}{" "}
          {delivery.status === "pending" && <Onward href={`/hooks/${hook.id}`}>Go to the hook</Onward>}
        </p>
      </Step>
      {dedupe !== null && (
        <Step sign={dedupe.sign} title={dedupe.title}>
          <p>
            {dedupe.text}{" "}
            {delivery.duplicateOf !== null && (
              <Onward href={`/deliveries/${delivery.duplicateOf}`}>See the original delivery</Onward>
            )}
          </p>
        </Step>
      )}
      <Step sign={storage.sign} title={storage.title}>
        {storage.text !== null && <p>{safeText(storage.text)}</p>}
      </Step>
      <Together {...props} />
      {delivery.status === "accepted" && runs.length === 0 && (
        <Step sign="passed" title="Nothing was run">
          <p>
            {hook.hasActions ? "None of the hook's actions ran." : "This hook has no action yet."}{" "}
            <Onward href={`/hooks/${hook.id}`}>Go to the hook's actions</Onward>
          </p>
        </Step>
      )}
      {runs.map((run) => (
        <RunStep
          key={run.id}
          run={run}
          hook={hook}
          deliveryId={delivery.id}
          nowMs={nowMs}
          retryRun={props.retryRun}
          cancelRun={props.cancelRun}
        />
      ))}
      {delivery.status === "accepted" && <NotRun {...props} />}
      {olderRuns > 0 && (
        <Step sign="passed" title={`${olderRuns} earlier runs`}>
          <p>They are not shown here; the API has them.</p>
        </Step>
      )}
    </Timeline>
  );
}

function NotRun({ delivery, idleActions }: DeliveryTimelineProps) {
  return idleActions.map((action) => (
    <Step
      key={action.id}
      sign="passed"
      title={
        <ActionTitle action={action} deliveryId={delivery.id}>
          <Badge>Not run</Badge>
        </ActionTitle>
      }
    >
      <p>{describeIdle(action)}</p>
    </Step>
  ));
}

/** What came in the same request, and what repeated it since. */
function Together({ delivery, duplicates, events, nowMs }: DeliveryTimelineProps) {
  const shared = { ownId: delivery.id, nowMs };
  return (
    <>
      {delivery.status === "batch" && (
        <Step sign="done" title={`Came apart into ${count(events.count, "event")}`}>
          <p>Each is a delivery of its own, de-duplicated and run by itself.</p>
          <RelatedDeliveries label="Events of this request" related={events} {...shared} />
        </Step>
      )}
      {delivery.batchId !== null && (
        <Step sign="done" title={`One of ${count(events.count, "event")} in one request`}>
          <p>
            <Onward href={`/deliveries/${delivery.batchId}`}>See the request as it arrived</Onward>
          </p>
          <RelatedDeliveries label="Events of the same request" related={events} {...shared} />
        </Step>
      )}
      {duplicates.count > 0 && (
        <Step
          sign="passed"
          title={
            duplicates.count === 1
              ? "Repeated once since"
              : `Repeated ${count(duplicates.count, "time")} since`
          }
        >
          <p>The sender sent it again; it was answered with success, and nothing was run again.</p>
          <RelatedDeliveries label="Its duplicates" related={duplicates} {...shared} />
        </Step>
      )}
    </>
  );
}

function count(number: number, one: string): string {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}
