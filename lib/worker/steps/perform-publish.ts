import type { PublishedEvent } from "#lib/core/sender/read-published-event.ts";
import { toNewEvent } from "#lib/core/sender/to-new-event.ts";
import type { StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { newId } from "#lib/ids.ts";
import { toStepId } from "./step-context.ts";
import { endStep } from "./step-ends.ts";
import type { WorkerRun } from "./worker-run.ts";

/**
 * Publishes an event whose id is the step's idempotency key. After a crash before the outcome is
 * recorded, it publishes again, and the unique key makes that a duplicate.
 */
export async function performPublish(
  worker: WorkerRun,
  stepRun: StepRun,
  event: PublishedEvent,
): Promise<StepEnd> {
  const { db, run, context } = worker;
  const { accountId } = run;
  const publicId = toStepId(context, stepRun);
  const arrival = { id: newId(), accountId, givenId: publicId, receivedAtMs: Date.now() };
  const made = toNewEvent({ ...arrival, warning: null }, { ...event, occurredAtMs: null });
  const stored = await storeEvents(db, [made]);
  if (stored.some((each) => each.outcome === "stored" && each.runs > 0)) notifyRunsDue(db);
  return endStep(worker, stepRun, { state: "succeeded", value: { id: publicId } });
}
