import { toError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import type { PublishedEvent } from "#lib/core/sending/read-published-event.ts";
import { describeMismatch, type EventCheck } from "#lib/core/sending/schema-finding.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { describeUnpublished, findMismatched } from "#lib/core/sending/why-unpublished.ts";
import type { StepEnd, StepRun } from "#lib/core/steps/step-driver.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { toStepId } from "./step-context.ts";
import { endStep, pause } from "./step-ends.ts";
import { placeOf, type WorkerRun } from "./worker-run.ts";

/**
 * Publishes an event whose id is the step's idempotency key, by the rules of `POST /events`. After a
 * crash before the outcome is recorded, it publishes again, and the unique key makes that a duplicate,
 * even if the data has changed since, as with `now`. So does a step that a user begins again, but with
 * other data it fails: nothing is published.
 */
export async function performPublish(
  worker: WorkerRun,
  stepRun: StepRun,
  event: PublishedEvent,
): Promise<StepEnd> {
  const { db, run, context, ledger } = worker;
  const { accountId } = run;
  const checked = await check(worker, stepRun, event);
  if (checked === "unchecked") return pause(stepRun.step, "retry", uncheckedNow, uncheckedPauseMs);
  const { finding, version } = checked;
  const broken = findMismatched(finding);
  if (broken !== null) {
    const message = describeUnpublished(event.type, broken);
    return endStep(worker, stepRun, { state: "failed", code: broken.code, message, errors: [] });
  }
  const publicId = toStepId(context, stepRun);
  const arrival = { id: newId(), accountId, givenId: publicId, receivedAtMs: Date.now() };
  const warning = finding === null ? null : describeMismatch(finding);
  const made = toNewEvent({ ...arrival, warning }, { ...event, version, occurredAtMs: null });
  const [stored] = await storeEvents(db, [made]);
  const isBegunAgain = ledger.find(stepRun.step.key, placeOf(stepRun))?.state === "reset";
  if (stored?.outcome === "conflict" && isBegunAgain) return endStep(worker, stepRun, conflict);
  if (stored?.outcome === "stored" && stored.runs > 0) notifyRunsDue(db);
  return endStep(worker, stepRun, { state: "succeeded", value: { id: publicId } });
}

/** `unchecked`: the check isn't possible now, so it isn't known whether the event may be published. */
async function check(
  { checkEvents, run }: WorkerRun,
  { step }: StepRun,
  event: PublishedEvent,
): Promise<EventCheck | "unchecked"> {
  try {
    const checks = await checkEvents(run.accountId, [event]);
    return checks === "busy" ? "unchecked" : (checks[0] ?? { finding: null, version: null });
  } catch (error) {
    log.warn("step.paused", { runId: run.id, step: step.key, error: toError(error) });
    return "unchecked";
  }
}

const conflict = {
  state: "failed",
  code: "event_conflict",
  message:
    "Not published: this step has published an event with other data before, with the same id.",
  errors: [],
} as const;

const uncheckedNow = "its event can't be checked against the schema of its type right now.";
const uncheckedPauseMs = 5_000;
