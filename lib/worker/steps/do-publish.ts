import { toContentKey, toEventKey } from "#lib/core/sender/event-id.ts";
import { readPublishedEvent, toEventBody } from "#lib/core/sender/read-published-event.ts";
import { toResult } from "#lib/core/steps/step-result.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { newId } from "#lib/ids.ts";
import type { StepOf } from "#lib/schema/action/steps.ts";
import { done, fail, lost, type StepFlow, type StepWork, skip } from "./step-flow.ts";
import { prepareStepValue, type StepInput } from "./step-plan.ts";

/**
 * Publishes an event whose id is the step's idempotency key. A crash before the outcome is recorded
 * makes it publish again, which the unique key turns into nothing.
 */
export async function doPublish(
  work: StepWork,
  step: StepOf<"publish">,
  at: number,
  input: StepInput,
): Promise<StepFlow> {
  const { db, run, ledger } = work;
  const { type, recipient, data } = step;
  const body = { type, id: input.idempotencyKey, ...(recipient !== null && { recipient }), data };
  const prepared = await prepareStepValue(work.ground, input, body);
  if (prepared.kind === "skip") return skip(work, step, at, prepared.message);
  if (prepared.kind === "fail") return fail(work, step, at, prepared.error);
  const read = readPublishedEvent(Buffer.from(prepared.value));
  if (!read.ok) {
    const message = read.problem.errors?.map((e) => `${e.path}: ${e.message}`).join("; ");
    return fail(work, step, at, { code: "event_invalid", message: message ?? read.problem.detail });
  }
  const [event] = read.events;
  if (event === undefined) return fail(work, step, at, { code: "event_invalid", message: "" });
  const { accountId } = run;
  const publicId = input.idempotencyKey;
  const occurredAtMs = null;
  const stored = await storeEvents(db, [
    {
      id: newId(),
      accountId,
      publicId,
      type: event.type,
      recipient: event.recipient,
      occurredAtMs,
      body: toEventBody(publicId, Date.now(), event),
      key: toEventKey(accountId, publicId),
      content: toContentKey({ ...event, occurredAtMs }),
      warning: null,
    },
  ]);
  if (stored.some((each) => each.outcome === "stored" && each.runs > 0)) notifyRunsDue(db);
  const resultJson = toResult({ id: publicId });
  return (await ledger.set(step.key, at, { state: "succeeded", resultJson })) ? done : lost;
}
