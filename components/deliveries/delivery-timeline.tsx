import {
  ListenerResponses,
  type ListenerResponseView,
} from "#components/listeners/listener-responses.tsx";
import { ActionTitle } from "#components/runs/action-title.tsx";
import {
  type DedupeFacts,
  type DeliveryFacts,
  describeDedupe,
  describeStorage,
  describeUnpublished,
  describeVerification,
} from "#components/runs/describe-steps.ts";
import type { RetryFromCommand } from "#components/runs/retry-from.tsx";
import { type RunCommand, RunStep, type RunView } from "#components/runs/run-step.tsx";
import type { ResolveCommand } from "#components/runs/run-steps.tsx";
import { Step, Timeline } from "#components/ui/layout/timeline.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { ExactTime, TimesInText } from "#components/ui/time/exact-time.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { RelatedDeliveries, type RelatedDeliveriesView } from "./related-deliveries.tsx";

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
    /** The response that the provider got; null if unknown. */
    readonly response: ResponseView | null;
  };
  readonly hook: DedupeFacts & {
    readonly id: string;
    readonly status: HookStatus;
    readonly verifiesBy: string;
    readonly hasActions: boolean;
  };
  /** Actions of the hook that created no run for it. */
  readonly idleActions: readonly {
    readonly id: string;
    readonly name: string;
    readonly why: string;
  }[];
  /** Runs, newest first. */
  readonly runs: readonly RunView[];
  readonly olderRuns: number;
  readonly duplicates: RelatedDeliveriesView;
  /** What programs behind listeners responded, newest first. */
  readonly responses: readonly ListenerResponseView[];
  /** The events of its batch, or the batch that it came in. */
  readonly events: RelatedDeliveriesView;
  readonly nowMs: number;
  readonly retryRun: RunCommand;
  readonly retryFrom: RetryFromCommand;
  readonly resolveStep: ResolveCommand;
  readonly cancelRun: RunCommand;
};

/** The history of a delivery, from the first byte to the last call. */
export function DeliveryTimeline(props: DeliveryTimelineProps) {
  const { delivery, hook, runs, olderRuns, nowMs } = props;
  const verification = describeVerification(delivery, hook.verifiesBy);
  const dedupe = describeDedupe(delivery, hook);
  const storage = describeStorage(delivery);
  const unpublished = describeUnpublished(delivery);
  return (
    <Timeline>
      <Step
        sign="done"
        title="Arrived"
        aside={<RelativeTime at={delivery.receivedAt} nowMs={nowMs} />}
      >
        <p className="break-words">
          {safeText(
            `${delivery.method} ${delivery.path === "" ? "to the catch URL" : delivery.path}`,
          )}{" "}
          from {delivery.sourceIp},{" "}
          {safeText(delivery.contentType ?? "without a content type").slice(0, 200)}
        </p>
        <p>
          <ExactTime at={delivery.receivedAt} />
        </p>
      </Step>
      <Step sign={verification.sign} title={verification.title}>
        <p>
          {verification.text}{" "}
          {delivery.status === "pending" && (
            <NextLink href={`/hooks/${hook.id}`}>Go to the hook</NextLink>
          )}
        </p>
      </Step>
      {dedupe !== null && (
        <Step sign={dedupe.sign} title={dedupe.title}>
          <p>
            {dedupe.text}{" "}
            {delivery.duplicateOf !== null && (
              <NextLink href={`/deliveries/${delivery.duplicateOf}`}>
                View the original delivery
              </NextLink>
            )}
          </p>
        </Step>
      )}
      <Step sign={storage.sign} title={storage.title}>
        {storage.text !== null && <p>{safeText(storage.text)}</p>}
        {delivery.response !== null && <ProviderResponse response={delivery.response} />}
      </Step>
      {unpublished !== null && (
        <Step sign={unpublished.sign} title={unpublished.title}>
          <p className="break-words">{safeText(unpublished.text ?? "")}</p>
        </Step>
      )}
      <Together {...props} />
      <ListenerResponses responses={props.responses} nowMs={nowMs} />
      {delivery.status === "accepted" && runs.length === 0 && (
        <Step sign="passed" title="No actions ran">
          <p>
            {hook.hasActions ? "None of the hook's actions ran." : "This hook has no actions yet."}{" "}
            <NextLink href={`/hooks/${hook.id}`}>Go to the hook's actions</NextLink>
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
          retryFrom={props.retryFrom}
          resolveStep={props.resolveStep}
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

type ResponseView = {
  /** Null: no response. */
  readonly status: number | null;
  readonly body: string | null;
  readonly isSinceChanged: boolean;
  readonly durationMs: number | null;
  readonly note: string | null;
};

function ProviderResponse({
  response: { status, body, isSinceChanged, durationMs, note },
}: {
  response: ResponseView;
}) {
  return (
    <div className="grid gap-1.5">
      <p>
        The provider got {status === null ? "no response" : `HTTP ${status}`}
        {durationMs !== null && ` after ${describeDuration(durationMs)}`}.
        {isSinceChanged &&
          " The hook has changed since then, so the response may have been different."}
        {note !== null && ` ${safeText(note)}`}
      </p>
      {body !== null && body !== "" && (
        <code
          className={
            "block max-h-32 overflow-y-auto rounded-md bg-muted px-3 " +
            "py-2 font-mono text-xs wrap-anywhere text-foreground"
          }
        >
          {safeText(body)}
        </code>
      )}
    </div>
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
      <p className="break-words">
        <TimesInText text={action.why} />
      </p>
    </Step>
  ));
}

/** Deliveries of the same request, and later repeats. */
function Together({ delivery, duplicates, events, nowMs }: DeliveryTimelineProps) {
  const shared = { ownId: delivery.id, nowMs };
  return (
    <>
      {delivery.status === "batch" && (
        <Step sign="done" title={`Split into ${describeCount(events.count, "event")}`}>
          <p>Each one is a separate delivery with its own de-duplication and runs.</p>
          <RelatedDeliveries label="Events of this request" related={events} {...shared} />
        </Step>
      )}
      {delivery.batchId !== null && (
        <Step sign="done" title={`One of ${describeCount(events.count, "event")} in one request`}>
          <p>
            <NextLink href={`/deliveries/${delivery.batchId}`}>View the original request</NextLink>
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
              : `Repeated ${describeCount(duplicates.count, "time")} since`
          }
        >
          <p>The provider sent it again. It got a success response, and no actions ran.</p>
          <RelatedDeliveries label="Duplicates" related={duplicates} {...shared} />
        </Step>
      )}
    </>
  );
}
